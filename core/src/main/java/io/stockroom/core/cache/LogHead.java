package io.stockroom.core.cache;

import java.util.Arrays;
import java.util.UUID;

/**
 * The end of a merchant's log. Its hash depends on all entries before it, so two equal hashes mean
 * that the same changes were made, also after a failover that lost some and gave out their numbers
 * again.
 *
 * @param logId changes with a restore
 * @param entry the number of the last audit entry
 * @param hash the hash of that entry
 * @param lastChange the number of the last change
 */
record LogHead(UUID logId, long entry, byte[] hash, long lastChange) {
  boolean hasHash(byte[] other) {
    return Arrays.equals(hash, other);
  }

  boolean isSame(LogHead other) {
    return hasHash(other.hash) && logId.equals(other.logId);
  }
}
