package io.stockroom.core.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that this node has read, for the time in which the directory does not answer.
 * None is used for longer than {@code maxAge} after it was read, so a revocation that the node
 * could not see takes effect within that time.
 */
final class RememberedCredentials {
  private static final int MAX_REMEMBERED = 20_000;

  private record Remembered(Credential credential, long sinceNanos) {}

  private final long maxAgeNanos;
  private final LongSupplier nanoTime;
  private final Cache<Credential.Key, Remembered> remembered =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).executor(Runnable::run).build();

  /**
   * @param maxAge zero to remember nothing
   * @param nanoTime a clock that only moves forward
   */
  RememberedCredentials(Duration maxAge, LongSupplier nanoTime) {
    this.maxAgeNanos = maxAge.toNanos();
    this.nanoTime = nanoTime;
  }

  void put(Credential.Key key, Credential credential, long sinceNanos) {
    if (maxAgeNanos == 0) {
      return;
    }
    remembered.put(key, new Remembered(credential, sinceNanos));
  }

  void remove(Credential.Key key) {
    remembered.invalidate(key);
  }

  /** Null if this node has not read the credential within the maximum age. */
  @Nullable Credential find(Credential.Key key) {
    Remembered found = remembered.getIfPresent(key);
    return found == null || isOld(found) ? null : found.credential;
  }

  /** Whether there is a credential that may still be used. */
  boolean hasAny() {
    return remembered.asMap().values().stream().anyMatch(one -> !isOld(one));
  }

  /** Every credential that may still be used; drops the others. */
  List<Credential.Key> keys() {
    remembered.asMap().values().removeIf(this::isOld);
    return List.copyOf(remembered.asMap().keySet());
  }

  private boolean isOld(Remembered one) {
    return nanoTime.getAsLong() - one.sinceNanos > maxAgeNanos;
  }
}
