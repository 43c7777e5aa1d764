package io.stockroom.core.cache;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * How far this node has followed a merchant's log, and which cached answers that leaves valid. If
 * the log cannot be followed, a new view takes its place, and every answer of the old one is void.
 */
final class MerchantView {
  /**
   * One change of the log.
   *
   * @param isStock whether it changes only entries of the product
   * @param isNew whether it adds or removes entries, so that a filtered list may change
   */
  record Step(int productId, boolean isStock, boolean isNew) {}

  /**
   * The end of a merchant's log. Its hash depends on all entries before it, so two equal hashes
   * mean that the same changes were made, also after a failover that lost some and gave out their
   * numbers again.
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

  private final ReentrantLock lock = new ReentrantLock();
  private volatile LogHead head;

  // an answer is valid if it was stored at this change or later
  private volatile long productsSince;
  private volatile long filteredSince;

  MerchantView(LogHead head) {
    this.head = head;
  }

  LogHead head() {
    return head;
  }

  /**
   * Stores an answer if this view is exactly where the answer was read. The view cannot move
   * meanwhile.
   *
   * @param hash of the log's head in the answer's snapshot
   * @param store gets the number of the last change
   * @return whether it was stored
   */
  boolean storeAt(byte[] hash, LongConsumer store) {
    lock.lock();
    try {
      boolean isHere = head.hasHash(hash);
      if (isHere) {
        store.accept(head.lastChange());
      }
      return isHere;
    } finally {
      lock.unlock();
    }
  }

  /** Follows the log to {@code next}, and drops the stock of each product that changed. */
  void advance(LogHead next, List<Step> steps, Consumer<Integer> dropStock) {
    lock.lock();
    try {
      for (Step step : steps) {
        dropStock.accept(step.productId);
        if (!step.isStock) {
          productsSince = next.lastChange();
        }
        if (!step.isStock || step.isNew) {
          filteredSince = next.lastChange();
        }
      }
      head = next;
    } finally {
      lock.unlock();
    }
  }

  /** Whether an answer that was stored at this change is still valid. */
  boolean isValid(ReadCache.Key key, long storedAt) {
    return switch (key) {
      // dropped when it changes
      case ReadCache.Key.Stock _ -> true;
      case ReadCache.Key.Products products ->
          storedAt >= (products.hasStock() == null ? productsSince : filteredSince);
      case ReadCache.Key.Snapshot _ -> storedAt >= head.lastChange();
    };
  }
}
