package io.stockroom.core.database;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells background work to end, also while it waits for its next turn. */
public final class StopSignal {
  private final CountDownLatch sent = new CountDownLatch(1);

  public void send() {
    sent.countDown();
  }

  public boolean isSent() {
    return sent.getCount() == 0;
  }

  /** Waits for that long; returns true, without a further wait, once the work must end. */
  public boolean comesWithin(Duration time) {
    try {
      return sent.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
