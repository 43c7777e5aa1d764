package io.stockroom.core.admission;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many calls of one kind may work at the same time, and how many may wait. A call waits when by
 * the pace of the last calls its turn comes soon enough; otherwise it is rejected at once. So the
 * queue is never longer than what is done within the longest wait.
 *
 * <p>Half of everything is out of reach for one caller: for an access token when it enters, and for
 * all tokens of a merchant together when it starts.
 */
public final class ConcurrencyLimit {
  /** This many may always wait, however long each call takes. */
  static final int MIN_WAITING = 32;

  /** This many may wait while a queue is young: a few dozen calls at once are no overload. */
  static final int MAX_YOUNG_WAITING = 128;

  static final int MAX_WAITING = 2_000;

  /** A call that was let in on an estimate waits this many times the longest wait at most. */
  static final int PATIENCE = 3;

  /** How many calls the averages follow. */
  private static final int REMEMBERED = 32;

  private static final long NEVER = Long.MIN_VALUE;

  /** One caller gets one part of the room. */
  private static final int PARTS = 2;

  /** Callers are told apart by a hash of their names; a power of two. */
  private static final int SLOTS = 1_024;

  private final int max;
  private final long maxWaitNanos;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicIntegerArray insideOfToken = new AtomicIntegerArray(SLOTS);
  private final AtomicIntegerArray insideOfOwner = new AtomicIntegerArray(SLOTS);

  /** Made for an owner's first call: most owners never come here. */
  private final AtomicReferenceArray<Semaphore> freeOfOwner = new AtomicReferenceArray<>(SLOTS);

  private final LongAdder rejected = new LongAdder();
  private volatile long averageNanos;
  private volatile long averageGapNanos;

  /** When the last call finished while others waited. */
  private volatile long lastFinish = NEVER;

  /** How many finished since there is a queue: few say little about the pace. */
  private volatile int finishedInQueue;

  /**
   * Makes a limit.
   *
   * @param max how many calls may work at the same time
   * @param maxWait how long a call may expect to wait
   */
  public ConcurrencyLimit(int max, Duration maxWait) {
    this.max = max;
    this.maxWaitNanos = maxWait.toNanos();
    this.free = new Semaphore(max, true);
  }

  /**
   * What one call holds of a limit: first its place among those inside, then a
   * slot to work in. Used by one thread at a time.
   */
  public final class Permit implements AutoCloseable {
    /** The request attribute with the permit of a call that entered before it was parsed. */
    public static final String ATTRIBUTE = Permit.class.getName();

    private String token = "";
    private String owner = "";
    private boolean isInside;
    private boolean isActive;
    private long startedNanos;

    private Permit() {}

    /** Whether it makes sense to go on: the call is inside already, or there is room for it. */
    public boolean isWelcome() {
      return isInside || !isFull();
    }

    /**
     * Counts the call in, once; false where there is no room for it, or none for this token.
     *
     * @param accesstoken the token that the call names; empty where nothing tells callers apart
     */
    public boolean enter(String accesstoken) {
      if (!isInside && ConcurrencyLimit.this.enter(accesstoken)) {
        token = accesstoken;
        isInside = true;
      }
      return isInside;
    }

    /**
     * Waits for a free slot; false where that took too long or the owner has its share already.
     *
     * @param merchant whose calls count together; empty where nothing is shared
     */
    public boolean start(String merchant) {
      if (!ConcurrencyLimit.this.start(merchant)) {
        return false;
      }
      owner = merchant;
      isActive = true;
      startedNanos = System.nanoTime();
      return true;
    }

    /** Enters and starts in one step, for calls that nothing tells apart. */
    public boolean acquire() {
      return enter("") && start("");
    }

    /** Gives back whatever is held; calling it again does nothing. */
    @Override
    public void close() {
      if (isActive) {
        isActive = false;
        finish(owner, startedNanos);
      }
      if (isInside) {
        isInside = false;
        leave(token);
      }
    }
  }

  /** A permit that holds nothing yet. */
  public Permit permit() {
    return new Permit();
  }

  /** Whether a call that comes now is rejected. Asked before anything is done for it. */
  boolean isFull() {
    if (inside.get() < room()) {
      return false;
    }
    rejected.increment();
    return true;
  }

  /** Counts a call in; false where there is no room, or the token has its half of it. */
  boolean enter(String token) {
    int room = room();
    if (inside.incrementAndGet() <= room && isWithinShare(insideOfToken, token, room)) {
      return true;
    }
    inside.decrementAndGet();
    rejected.increment();
    return false;
  }

  void leave(String token) {
    inside.decrementAndGet();
    leaveShare(insideOfToken, token);
  }

  /** Takes a slot; false where the owner has its half of them, or the wait took too long. */
  boolean start(String owner) {
    if (isWithinShare(insideOfOwner, owner, room())) {
      if (hasSlot(owner)) {
        return true;
      }
      leaveShare(insideOfOwner, owner);
    }
    rejected.increment();
    return false;
  }

  /** Gives a slot back and follows the pace. */
  void finish(String owner, long startedNanos) {
    free.release();
    if (!owner.isEmpty()) {
      freeOf(owner).release();
      leaveShare(insideOfOwner, owner);
    }
    // two that finish at the same moment may lose one of their times: these are averages
    long now = System.nanoTime();
    averageNanos = followed(averageNanos, now - startedNanos);
    boolean queue = waiting.get() > 0 || inside.get() > max;
    long before = lastFinish;
    if (!queue) {
      averageGapNanos = 0;
    } else if (before != NEVER) {
      averageGapNanos = followed(averageGapNanos, now - before);
    }
    finishedInQueue = queue ? Math.min(finishedInQueue + 1, REMEMBERED) : 0;
    lastFinish = queue ? now : NEVER;
  }

  private boolean hasSlot(String owner) {
    Semaphore share = owner.isEmpty() ? null : freeOf(owner);
    // those who wait already come first
    if (waiting.get() == 0 && (share == null || share.tryAcquire())) {
      if (free.tryAcquire()) {
        return true;
      }
      if (share != null) {
        share.release();
      }
    }
    long deadline = System.nanoTime() + PATIENCE * maxWaitNanos;
    waiting.incrementAndGet();
    try {
      // an owner beyond its share waits for its own calls, and holds up nobody else
      if (share != null && !isAcquired(share, deadline)) {
        return false;
      }
      if (isAcquired(free, deadline)) {
        return true;
      }
      if (share != null) {
        share.release();
      }
      return false;
    } finally {
      waiting.decrementAndGet();
    }
  }

  private static boolean isAcquired(Semaphore slots, long deadline) {
    try {
      return slots.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Semaphore freeOf(String owner) {
    int slot = slot(owner);
    Semaphore known = freeOfOwner.get(slot);
    if (known != null) {
      return known;
    }
    Semaphore made = new Semaphore(Math.ceilDiv(max, PARTS), true);
    return freeOfOwner.compareAndSet(slot, null, made) ? made : freeOf(owner);
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

  private static void leaveShare(AtomicIntegerArray counts, String name) {
    if (!name.isEmpty()) {
      counts.decrementAndGet(slot(name));
    }
  }

  private static int slot(String name) {
    int hash = name.hashCode();
    return (hash ^ hash >>> 10 ^ hash >>> 20) & SLOTS - 1;
  }

  private static long followed(long average, long latest) {
    return average + (latest - average) / REMEMBERED;
  }

  private int room() {
    return max + maxWaiting();
  }

  /**
   * As many as get their turn within the longest wait. While there is a queue, the time between two
   * that finish is the pace: when processors are short, the time at work says nothing of it.
   */
  int maxWaiting() {
    long each = Math.max(averageNanos / max, averageGapNanos);
    long inTime = each <= 0 ? MAX_WAITING : maxWaitNanos / each;
    int min = finishedInQueue < REMEMBERED ? MAX_YOUNG_WAITING : MIN_WAITING;
    return Math.clamp(inTime, min, MAX_WAITING);
  }

  int max() {
    return max;
  }

  int active() {
    return max - free.availablePermits();
  }

  int inside() {
    return inside.get();
  }

  int waiting() {
    return waiting.get();
  }

  long rejected() {
    return rejected.sum();
  }

  /** The time between two that finish while there is a queue; 0 where there is none. */
  long averageGapNanos() {
    return averageGapNanos;
  }
}
