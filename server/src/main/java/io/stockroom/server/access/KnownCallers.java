package io.stockroom.server.access;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the database said lately of those who call. Whoever calls on is asked after again in good
 * time, all of them in one statement and none of them waiting; who has stopped is forgotten.
 */
final class KnownCallers {
  /** A revocation must hold on every node within a second. */
  private static final Duration REMEMBERED = Duration.ofMillis(900);

  private static final Duration ASKED_AGAIN = Duration.ofMillis(450);
  private static final int MOST_REMEMBERED = 20_000;
  private static final int ASKED_AT_ONCE = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(KnownCallers.class);

  /** Application and token, as they were sent. */
  record Key(String appid, String accesstoken) {
    @Override
    public String toString() {
      return "Key[appid=" + appid + "]";
    }
  }

  private static final class Known {
    private final Grant grant;
    private final long sinceNanos;
    private volatile boolean used;

    private Known(Grant grant, long sinceNanos) {
      this.grant = grant;
      this.sinceNanos = sinceNanos;
    }

    private boolean isOlderThan(Duration age) {
      return System.nanoTime() - sinceNanos > age.toNanos();
    }
  }

  private final Credentials credentials;
  private final Clock clock;
  private final Map<Key, Known> known = new ConcurrentHashMap<>();
  private final AtomicBoolean asking = new AtomicBoolean();

  KnownCallers(Credentials credentials, Clock clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  @Nullable Grant find(Key key) {
    Known found = known.get(key);
    if (found == null || found.isOlderThan(REMEMBERED)) {
      return null;
    }
    found.used = true;
    if (found.isOlderThan(ASKED_AGAIN) && asking.compareAndSet(false, true)) {
      // a virtual one would wait in line behind all calls
      Thread.ofPlatform().daemon().name("callers").start(this::askAgain);
    }
    return found.grant;
  }

  /**
   * @param sinceNanos when the database was asked, not when it had answered
   */
  void remember(Key key, Grant grant, long sinceNanos) {
    if (known.size() >= MOST_REMEMBERED) {
      known.clear();
    }
    known.put(key, new Known(grant, sinceNanos));
  }

  void forget(Key key) {
    known.remove(key);
  }

  private void askAgain() {
    try {
      List<Key> used = new ArrayList<>();
      known.forEach(
          (key, one) -> {
            // one that was used once and then lapsed is no longer in use
            if (one.isOlderThan(REMEMBERED)) {
              known.remove(key, one);
            } else if (one.used) {
              used.add(key);
            }
          });
      for (int i = 0; i < used.size(); i += ASKED_AT_ONCE) {
        askAgain(used.subList(i, Math.min(used.size(), i + ASKED_AT_ONCE)));
      }
    } catch (SQLException | RuntimeException failure) {
      // then they are asked after one by one, when they call
      LOG.debug("Callers could not be asked after.", failure);
    } finally {
      asking.set(false);
    }
  }

  private void askAgain(List<Key> keys) throws SQLException {
    long now = System.nanoTime();
    Map<Key, Grant> found = credentials.findAll(keys);
    for (Key key : keys) {
      Grant grant = found.get(key);
      if (grant == null) {
        known.remove(key);
        continue;
      }
      known.put(key, new Known(grant, now));
      if (grant.token() != null) {
        credentials.used(grant.token().merchantId(), grant.token().tokenId(), clock.instant());
      }
    }
  }
}
