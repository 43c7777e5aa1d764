package io.stockroom.core.admission;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part of a limit that the calls of one merchant, person, address or cell may use: of the
 * slots, and of the room to wait. So calls that take long leave the rest to others.
 */
final class PermitShare {
  private final int quarters;
  private final Semaphore free;
  private final AtomicInteger inside = new AtomicInteger();

  private PermitShare(int quarters, int slots) {
    this.quarters = quarters;
    this.free = new Semaphore(Math.ceilDiv(slots * quarters, 4), true);
  }

  static PermitShare half(int slots) {
    return new PermitShare(2, slots);
  }

  static PermitShare threeQuarters(int slots) {
    return new PermitShare(3, slots);
  }

  /** Counts a call as inside; false if there is no room. */
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

  /** The slots of this share. */
  Semaphore free() {
    return free;
  }
}
