package io.stockroom.server.load;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The places of one kind of call. Whoever finds none free waits in line, if by the time that calls
 * have taken lately its turn will come soon enough; else it is refused at once. So the line is
 * never longer than what is worked off in the longest wait, and a refusal costs its caller no time.
 *
 * <p>A place is held while the server works, never while it waits for a client to send or to read.
 */
public final class Places {
  /**
   * So many may always wait: a few dozen callers at once are no overload, however long each takes.
   */
  static final int LEAST_WAITING = 64;

  /** What is remembered for each who waits is little, but not nothing. */
  static final int MOST_WAITING = 2_000;

  /**
   * A call that was let into the line on an estimate gets this much more time than was estimated.
   */
  private static final int PATIENCE = 2;

  /** How many calls the average of their times follows. */
  private static final int REMEMBERED = 16;

  private final int most;
  private final long longestWaitNanos;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private volatile long averageNanos;

  public Places(int most, Duration longestWait) {
    this.most = most;
    this.longestWaitNanos = longestWait.toNanos();
    this.free = new Semaphore(most, true);
  }

  /** Whether a call that came now would be refused: to be asked before anything is done for it. */
  public boolean isFull() {
    if (waiting.get() < mostWaiting()) {
      return false;
    }
    refused.increment();
    return true;
  }

  /**
   * Takes a place, after a wait where none is free; false where the wait would be too long. Who got
   * one calls {@link #leave} with the time at which it was given.
   */
  public boolean enter() {
    // those who wait already come first
    if (waiting.get() == 0 && free.tryAcquire()) {
      return true;
    }
    try {
      if (waiting.incrementAndGet() <= mostWaiting() && hasTurn()) {
        return true;
      }
    } finally {
      waiting.decrementAndGet();
    }
    refused.increment();
    return false;
  }

  /**
   * Gives the place back.
   *
   * @param sinceNanos what {@link System#nanoTime} said when it was taken
   */
  public void leave(long sinceNanos) {
    free.release();
    long nanos = System.nanoTime() - sinceNanos;
    // two who leave at the same moment may lose one of their times: it is an average
    long before = averageNanos;
    averageNanos = before + (nanos - before) / REMEMBERED;
  }

  /** How many work at the moment. */
  int inWork() {
    return most - free.availablePermits();
  }

  int waiting() {
    return waiting.get();
  }

  long refused() {
    return refused.sum();
  }

  /** As many as will have had their turn by the end of the longest wait. */
  int mostWaiting() {
    long average = averageNanos;
    long inTime = average <= 0 ? MOST_WAITING : longestWaitNanos * most / average;
    return Math.clamp(inTime, LEAST_WAITING, MOST_WAITING);
  }

  private boolean hasTurn() {
    try {
      return free.tryAcquire(PATIENCE * longestWaitNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
