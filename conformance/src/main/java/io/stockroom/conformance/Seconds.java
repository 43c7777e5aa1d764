package io.stockroom.conformance;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The clock for signing requests. Tests advance it without waiting. */
interface Seconds {
  /** The system clock. */
  Seconds REAL =
      new Seconds() {
        @Override
        public long now() {
          return Instant.now().getEpochSecond();
        }

        @Override
        public void await(long second) {
          while (now() < second && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkUntil(second * 1000);
          }
        }
      };

  long now();

  /** Returns once {@code second} has begun. */
  void await(long second);
}
