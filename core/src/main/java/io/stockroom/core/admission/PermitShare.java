package io.stockroom.core.admission;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part of a limit that the calls of one merchant, person, address or cell may use, or all of
 * it: of the slots, and of the room to wait. So calls that take long leave the rest to others.
 */
final class PermitShare {
  private final int quarters;
  private final int slots;
  private final Semaphore free;
  private final AtomicInteger inside = new AtomicInteger();

  /**
   * Makes an unused share.
   *
   * @param quarters how many quarters of the limit it is
   * @param max the slots of the whole limit
   */
  PermitShare(int quarters, int max) {
    this.quarters = quarters;
    this.slots = Math.ceilDiv(max * quarters, 4);
    this.free = new Semaphore(slots, true);
  }

  /**
   * Counts a call as inside; false if there is no room.
   *
   * @param room how many calls may be inside the whole limit
   */
  boolean enter(int room) {
    if (inside.incrementAndGet() <= room * quarters / 4) {
      return true;
    }
    inside.decrementAndGet();
    return false;
  }

  void leave() {
    inside.decrementAndGet();
  }

  /** Waits for a slot until {@code deadline}; false if there was none. */
  boolean acquire(long deadline) {
    try {
      return free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void release() {
    free.release();
  }

  int inside() {
    return inside.get();
  }

  int active() {
    return slots - free.availablePermits();
  }
}
