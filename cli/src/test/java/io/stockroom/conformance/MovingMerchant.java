package io.stockroom.conformance;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Moves a merchant back and forth between two cells, and counts the moves. */
final class MovingMerchant implements AutoCloseable {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A call of the admin API about the merchant's move; returns the answer. */
  interface Call {
    String send(String method, String body);
  }

  private final Call call;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile int moves;
  private volatile @Nullable RuntimeException failure;

  MovingMerchant(Call call) {
    this.call = call;
    this.thread = Thread.ofVirtual().start(this::run);
  }

  private void run() {
    try {
      // at least one, also if the suite is faster
      for (String to = "main";
          closing.getCount() > 0 || moves == 0;
          to = to.equals("main") ? "east" : "main") {
        String _ = call.send("POST", "{\"to\":\"%s\"}".formatted(to));
        awaitEnd();
        moves++;
      }
    } catch (RuntimeException refused) {
      failure = refused;
    }
  }

  private void awaitEnd() {
    String answer = call.send("GET", "");
    while (answer.contains("\"endedAt\":null")) {
      LockSupport.parkNanos(POLL_NANOS);
      answer = call.send("GET", "");
    }
    if (!answer.contains("\"phase\":\"done\"")) {
      throw new IllegalStateException(answer);
    }
  }

  boolean isMovingForTheFirstTime() {
    return moves == 0 && thread.isAlive();
  }

  /** Returns when the current move has ended. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw new IllegalStateException("a move was refused", failure);
    }
  }
}
