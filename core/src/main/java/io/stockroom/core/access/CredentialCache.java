package io.stockroom.core.access;

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
 * Caches credentials for less than a second. Those in use are read again before they expire, all in
 * one statement and without a caller waiting; the others are dropped.
 */
final class CredentialCache {
  /** A revocation must hold on every node within a second. */
  private static final Duration LIFETIME = Duration.ofMillis(900);

  private static final Duration REFRESH_AFTER = Duration.ofMillis(450);
  private static final int MAX_CACHED = 20_000;
  private static final int BATCH = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(CredentialCache.class);

  /** Application and token, as they were sent. */
  record Key(String appid, String accesstoken) {
    @Override
    public String toString() {
      return "Key[appid=" + appid + "]";
    }
  }

  private static final class Cached {
    private final StoredCredential credential;
    private final long sinceNanos;
    private volatile boolean used;

    private Cached(StoredCredential credential, long sinceNanos) {
      this.credential = credential;
      this.sinceNanos = sinceNanos;
    }
  }

  private final Credentials credentials;
  private final Clock clock;
  private final RememberedCredentials remembered;
  private final Map<Key, Cached> cached = new ConcurrentHashMap<>();
  private final AtomicBoolean refreshing = new AtomicBoolean();

  CredentialCache(Credentials credentials, Clock clock, RememberedCredentials remembered) {
    this.credentials = credentials;
    this.clock = clock;
    this.remembered = remembered;
  }

  private boolean isOlderThan(Cached one, Duration age) {
    return remembered.now() - one.sinceNanos > age.toNanos();
  }

  @Nullable StoredCredential find(Key key) {
    Cached found = cached.get(key);
    if (found == null || isOlderThan(found, LIFETIME)) {
      return null;
    }
    found.used = true;
    if (isOlderThan(found, REFRESH_AFTER) && refreshing.compareAndSet(false, true)) {
      // a virtual thread would queue behind all calls
      Thread.ofPlatform().daemon().name("credential-cache").start(this::refresh);
    }
    return found.credential;
  }

  /**
   * Caches the result of a query.
   *
   * @param sinceNanos when the query was sent, not when its result came
   */
  void remember(Key key, StoredCredential credential, long sinceNanos) {
    if (cached.size() >= MAX_CACHED) {
      cached.clear();
    }
    cached.put(key, new Cached(credential, sinceNanos));
    remembered.put(key, credential, sinceNanos);
  }

  void forget(Key key) {
    cached.remove(key);
    remembered.remove(key);
  }

  /** Reads again what is remembered, so that an outage finds also rare callers. */
  void refreshRemembered() throws SQLException {
    List<Key> keys = remembered.keys();
    for (int i = 0; i < keys.size(); i += BATCH) {
      List<Key> batch = keys.subList(i, Math.min(keys.size(), i + BATCH));
      long now = remembered.now();
      Map<Key, StoredCredential> found = credentials.findAll(batch);
      for (Key key : batch) {
        StoredCredential credential = found.get(key);
        if (credential == null) {
          forget(key);
        } else {
          remembered.put(key, credential, now);
        }
      }
    }
  }

  private void refresh() {
    try {
      List<Key> used = new ArrayList<>();
      cached.forEach(
          (key, one) -> {
            // one that was used once and then lapsed is no longer in use
            if (isOlderThan(one, LIFETIME)) {
              cached.remove(key, one);
            } else if (one.used) {
              used.add(key);
            }
          });
      for (int i = 0; i < used.size(); i += BATCH) {
        refresh(used.subList(i, Math.min(used.size(), i + BATCH)));
      }
    } catch (SQLException | RuntimeException failure) {
      // then each is looked up when it is used
      LOG.debug("The cached credentials could not be refreshed.", failure);
    } finally {
      refreshing.set(false);
    }
  }

  private void refresh(List<Key> keys) throws SQLException {
    long now = remembered.now();
    Map<Key, StoredCredential> found = credentials.findAll(keys);
    for (Key key : keys) {
      StoredCredential credential = found.get(key);
      if (credential == null) {
        forget(key);
        continue;
      }
      remember(key, credential, now);
      if (credential.token() != null) {
        credentials.used(
            credential.token().merchantId(), credential.token().tokenId(), clock.instant());
      }
    }
  }
}
