package io.stockroom.core.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
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

  /** One that is due refreshes the others that soon will be, but not those that just were. */
  private static final Duration REFRESH_WITH_OTHERS_AFTER = Duration.ofMillis(225);

  private static final int MAX_CACHED = 20_000;
  private static final int BATCH = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(CredentialCache.class);

  private static final class Cached {
    private final Credential credential;
    private final long sinceNanos;
    private volatile boolean used;

    private Cached(Credential credential, long sinceNanos) {
      this.credential = credential;
      this.sinceNanos = sinceNanos;
    }
  }

  private final Credentials credentials;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final RememberedCredentials remembered;
  private final Cache<Credential.Key, Cached> cached =
      Caffeine.newBuilder().maximumSize(MAX_CACHED).executor(Runnable::run).build();
  private final AtomicBoolean refreshing = new AtomicBoolean();

  /**
   * Makes an empty cache.
   *
   * @param nanoTime the clock by which ages are measured; it only moves forward
   */
  CredentialCache(
      Credentials credentials,
      Clock clock,
      LongSupplier nanoTime,
      RememberedCredentials remembered) {
    this.credentials = credentials;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.remembered = remembered;
  }

  private boolean isOlderThan(Cached one, Duration age) {
    return nanoTime.getAsLong() - one.sinceNanos > age.toNanos();
  }

  @Nullable Credential find(Credential.Key key) {
    Cached found = cached.getIfPresent(key);
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
  void remember(Credential.Key key, Credential credential, long sinceNanos) {
    cached.put(key, new Cached(credential, sinceNanos));
    remembered.put(key, credential, sinceNanos);
  }

  void forget(Credential.Key key) {
    cached.invalidate(key);
    remembered.remove(key);
  }

  /** Reads again what is remembered, so that an outage finds also rare callers. */
  void refreshRemembered() throws SQLException {
    List<Credential.Key> keys = remembered.keys();
    for (int i = 0; i < keys.size(); i += BATCH) {
      List<Credential.Key> batch = keys.subList(i, Math.min(keys.size(), i + BATCH));
      long now = nanoTime.getAsLong();
      Map<Credential.Key, Credential> found = credentials.findAll(batch);
      for (Credential.Key key : batch) {
        Credential credential = found.get(key);
        if (credential == null) {
          forget(key);
        } else {
          remembered.put(key, credential, now);
        }
      }
    }
  }

  /** Reads again what is used and no longer new. */
  void refresh() {
    try {
      List<Credential.Key> used = new ArrayList<>();
      Map<Credential.Key, Cached> all = cached.asMap();
      all.forEach(
          (key, one) -> {
            // one that was used once and then lapsed is no longer in use
            if (isOlderThan(one, LIFETIME)) {
              all.remove(key, one);
            } else if (one.used && isOlderThan(one, REFRESH_WITH_OTHERS_AFTER)) {
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

  private void refresh(List<Credential.Key> keys) throws SQLException {
    long now = nanoTime.getAsLong();
    Map<Credential.Key, Credential> found = credentials.findAll(keys);
    for (Credential.Key key : keys) {
      Credential credential = found.get(key);
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
