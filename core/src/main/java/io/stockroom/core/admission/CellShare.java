package io.stockroom.core.admission;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part of a limit that the calls of one cell may use: three quarters of the slots, and of the
 * room to wait. So calls that wait for an unresponsive cell leave the rest to other cells.
 */
final class CellShare {
  private final Semaphore free;
  private final AtomicInteger inside = new AtomicInteger();

  CellShare(int slots) {
    this.free = new Semaphore(part(slots), true);
  }

  private static int part(int whole) {
    return Math.ceilDiv(whole * 3, 4);
  }

  /** Waits until {@code deadline} for a slot; false if there is none, or no room to wait. */
  boolean acquire(int room, long deadline) {
    if (inside.incrementAndGet() <= part(room) && ConcurrencyLimit.isAcquired(free, deadline)) {
      return true;
    }
    inside.decrementAndGet();
    return false;
  }

  void release() {
    free.release();
    inside.decrementAndGet();
  }
}
