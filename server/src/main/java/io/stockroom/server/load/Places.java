package io.stockroom.server.load;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The places of one kind of call. Whoever finds none free waits in line, if by the pace at which
 * calls were done lately its turn will come soon enough; else it is refused at once. So the line is
 * never longer than what is worked off in the longest wait, and a refusal costs its caller no time.
 * And no caller takes all of it: half remains for the others, whoever comes first. That holds for
 * access tokens as they arrive and, once it is known whose they are, for all tokens of an owner
 * together: half of those who work, and half of those who work and wait.
 *
 * <p>A place is held while the server works, never while it waits for a client to send or to read.
 */
public final class Places {
  /** So many may always wait, however long each takes. */
  static final int LEAST_WAITING = 32;

  /**
   * So many may wait while a line is young: a few dozen calls at once, even of one caller, are no
   * overload.
   */
  static final int MOST_AT_ONCE = 128;

  /** What is remembered for each who waits is little, but not nothing. */
  static final int MOST_WAITING = 2_000;

  /**
   * A call that was let into the line on an estimate gets so many times what was estimated: what
   * was done for it so far would be lost. With the longest wait of half a second, and as long for a
   * connection, that makes two seconds.
   */
  static final int PATIENCE = 3;

  /** How many calls the average of their times follows. */
  private static final int REMEMBERED = 32;

  private static final long NOBODY = Long.MIN_VALUE;

  /** A caller without a name, who has no share to be kept within. */
  private static final String ANYBODY = "";

  /** A caller alone has one part of all that can work and wait. */
  private static final int PARTS = 2;

  /** Callers are told apart by a digest of their names; a power of two. */
  private static final int SLOTS = 1_024;

  private final int most;
  private final long longestWaitNanos;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicIntegerArray insideOfCaller = new AtomicIntegerArray(SLOTS);
  private final AtomicIntegerArray insideOfOwner = new AtomicIntegerArray(SLOTS);

  /** Made for an owner's first call: most owners never come here. */
  private final AtomicReferenceArray<Semaphore> freeOfOwner = new AtomicReferenceArray<>(SLOTS);

  private final LongAdder refused = new LongAdder();
  private volatile long averageNanos;
  private volatile long averageGapNanos;

  /** When the last one left a line; a time without one says nothing of the pace. */
  private volatile long lastLeft = NOBODY;

  /** How many left since there is a line: few tell little of the pace. */
  private volatile int leftSinceLine;

  public Places(int most, Duration longestWait) {
    this.most = most;
    this.longestWaitNanos = longestWait.toNanos();
    this.free = new Semaphore(most, true);
  }

  /** Whether a call that came now would be refused: to be asked before anything is done for it. */
  public boolean isFull() {
    if (inside.get() < most + mostWaiting()) {
      return false;
    }
    refused.increment();
    return true;
  }

  /**
   * Counts a call in, unless as many are inside as can work and wait, or too many of them are of
   * this caller; among them those who wait for a processor to get so far. Who came in may {@link
   * #takeTurn}, and is {@link #gone} in the end.
   *
   * @param caller whatever tells callers apart; empty where nothing does
   */
  public boolean arrive(String caller) {
    int room = most + mostWaiting();
    if (inside.incrementAndGet() <= room && isWithinShare(insideOfCaller, caller, room)) {
      return true;
    }
    inside.decrementAndGet();
    refused.increment();
    return false;
  }

  private static boolean isWithinShare(AtomicIntegerArray counts, String name, int room) {
    if (name.isEmpty()) {
      return true;
    }
    int slot = slot(name);
    if (counts.incrementAndGet(slot) <= room / PARTS) {
      return true;
    }
    counts.decrementAndGet(slot);
    return false;
  }

  public void gone(String caller) {
    inside.decrementAndGet();
    if (!caller.isEmpty()) {
      insideOfCaller.decrementAndGet(slot(caller));
    }
  }

  private static int slot(String caller) {
    int hash = caller.hashCode();
    return (hash ^ hash >>> 10 ^ hash >>> 20) & SLOTS - 1;
  }

  /**
   * Takes a place, after a wait where none is free; false where the wait would be too long. Who got
   * one calls {@link #leave} with the time at which it was given.
   */
  public boolean enter(String caller) {
    if (!arrive(caller)) {
      return false;
    }
    if (takeTurn()) {
      return true;
    }
    gone(caller);
    return false;
  }

  /** Takes a place for whoever it is, and is given back by {@link #leave(long)}. */
  public boolean enter() {
    return enter(ANYBODY);
  }

  /**
   * Gives the place back.
   *
   * @param sinceNanos what {@link System#nanoTime} said when it was taken
   */
  public void leave(String caller, long sinceNanos) {
    endTurn(sinceNanos);
    gone(caller);
  }

  public void leave(long sinceNanos) {
    leave(ANYBODY, sinceNanos);
  }

  /**
   * Takes a place for a call that is counted in; false where that took longer than was to be
   * expected. Who got one calls {@link #endTurn} with the time at which it was given.
   */
  public boolean takeTurn() {
    return takeTurn(ANYBODY);
  }

  /**
   * As {@link #takeTurn()}, for a call of an owner who may take part of the places only. While all
   * of its part is taken, its calls wait in a line of their own and hold up nobody else.
   */
  public boolean takeTurn(String owner) {
    if (isWithinShare(insideOfOwner, owner, most + mostWaiting())) {
      if (hasTurn(owner)) {
        return true;
      }
      leaveShare(owner);
    }
    refused.increment();
    return false;
  }

  private boolean hasTurn(String owner) {
    Semaphore part = owner.isEmpty() ? null : freeOf(owner);
    // those who wait already come first
    if (waiting.get() == 0 && (part == null || part.tryAcquire())) {
      if (free.tryAcquire()) {
        return true;
      }
      if (part != null) {
        part.release();
      }
    }
    long deadline = System.nanoTime() + PATIENCE * longestWaitNanos;
    waiting.incrementAndGet();
    try {
      if (part != null && !isTaken(part, deadline)) {
        return false;
      }
      if (isTaken(free, deadline)) {
        return true;
      }
      if (part != null) {
        part.release();
      }
      return false;
    } finally {
      waiting.decrementAndGet();
    }
  }

  private Semaphore freeOf(String owner) {
    int slot = slot(owner);
    Semaphore known = freeOfOwner.get(slot);
    if (known != null) {
      return known;
    }
    Semaphore made = new Semaphore(Math.ceilDiv(most, PARTS), true);
    return freeOfOwner.compareAndSet(slot, null, made) ? made : freeOf(owner);
  }

  private void leaveShare(String owner) {
    if (!owner.isEmpty()) {
      insideOfOwner.decrementAndGet(slot(owner));
    }
  }

  /** Gives the place back; the call remains counted in. */
  public void endTurn(long sinceNanos) {
    endTurn(ANYBODY, sinceNanos);
  }

  /** Gives a place back that was taken for this owner. */
  public void endTurn(String owner, long sinceNanos) {
    free.release();
    if (!owner.isEmpty()) {
      freeOf(owner).release();
      leaveShare(owner);
    }
    // two who leave at the same moment may lose one of their times: these are averages
    long now = System.nanoTime();
    averageNanos = followed(averageNanos, now - sinceNanos);
    boolean line = hasLine();
    long before = lastLeft;
    if (!line) {
      averageGapNanos = 0;
    } else if (before != NOBODY) {
      averageGapNanos = followed(averageGapNanos, now - before);
    }
    leftSinceLine = line ? Math.min(leftSinceLine + 1, REMEMBERED) : 0;
    lastLeft = line ? now : NOBODY;
  }

  /** Whether there are more than can work; then the time between two who leave is the pace. */
  private boolean hasLine() {
    return waiting.get() > 0 || inside.get() > most;
  }

  private static long followed(long average, long latest) {
    return average + (latest - average) / REMEMBERED;
  }

  /** How many may work at the same time. */
  int most() {
    return most;
  }

  /** How many work at the moment. */
  int inWork() {
    return most - free.availablePermits();
  }

  int inside() {
    return inside.get();
  }

  int waiting() {
    return waiting.get();
  }

  long refused() {
    return refused.sum();
  }

  /**
   * As many as will have had their turn by the end of the longest wait. The time that each takes
   * tells the pace only while there is enough of everything else: of processors above all.
   */
  int mostWaiting() {
    long each = Math.max(averageNanos / most, averageGapNanos);
    long inTime = each <= 0 ? MOST_WAITING : longestWaitNanos / each;
    int least = leftSinceLine < REMEMBERED ? MOST_AT_ONCE : LEAST_WAITING;
    return Math.clamp(inTime, least, MOST_WAITING);
  }

  /** The time between two who leave, while there is a line; 0 where there is none. */
  long paceNanos() {
    return averageGapNanos;
  }

  private static boolean isTaken(Semaphore places, long deadline) {
    try {
      return places.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
