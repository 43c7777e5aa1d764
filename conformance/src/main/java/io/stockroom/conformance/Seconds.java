package io.stockroom.conformance;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The seconds that requests are signed with. A test can let them pass without waiting. */
interface Seconds {
  /** The seconds of this machine's clock. */
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
