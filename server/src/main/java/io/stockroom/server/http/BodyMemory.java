package io.stockroom.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** How much memory all bodies together may take while they are read and worked on. */
final class BodyMemory {
  /** What every body may have: far less than its connection takes. */
  static final int FREE_BYTES = 8 * 1024;

  private final AtomicLong left;

  BodyMemory(long bytes) {
    left = new AtomicLong(bytes);
  }

  /** Takes so many bytes; false where that would be too many, and then none are taken. */
  boolean take(long bytes) {
    if (left.addAndGet(-bytes) >= 0) {
      return true;
    }
    left.addAndGet(bytes);
    return false;
  }

  void give(long bytes) {
    left.addAndGet(bytes);
  }

  long left() {
    return left.get();
  }
}
