package io.stockroom.core.admission;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits how many calls of one kind are active at the same time, and how many wait. A call waits if
 * it can expect a slot within the maximum wait, judged by the throughput of the last calls;
 * otherwise it is rejected immediately. So the queue never holds more than the server does within
 * the maximum wait.
 *
 * <p>One access token may use at most half of the room, and all tokens of one merchant together at
 * most half of the slots. If there are several cells, each may use at most three quarters.
 */
public final class ConcurrencyLimit {
  /** This many calls may always wait, however long each one takes. */
  static final int MIN_WAITING = 32;

  /** This many may wait while the queue is new: a burst of a few dozen calls is not an overload. */
  static final int MAX_YOUNG_WAITING = 128;

  static final int MAX_WAITING = 2_000;

  /** The estimate may be wrong: an admitted call waits at most this many times the maximum wait. */
  static final int PATIENCE = 3;

  /** The averages follow about this many calls. */
  private static final int REMEMBERED = 32;

  private static final long NEVER = Long.MIN_VALUE;

  /** One caller gets at most one of so many parts. */
  private static final int PARTS = 2;

  /** Callers are counted by a hash of their names; a power of two. */
  private static final int SLOTS = 1_024;

  private final int max;
  private final long maxWaitNanos;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicIntegerArray insideOfToken = new AtomicIntegerArray(SLOTS);
  private final AtomicIntegerArray insideOfOwner = new AtomicIntegerArray(SLOTS);

  /** Created on an owner's first call, because most owners never call this node. */
  private final AtomicReferenceArray<Semaphore> freeOfOwner = new AtomicReferenceArray<>(SLOTS);

  private final Map<String, CellShare> sharesOfCells = new ConcurrentHashMap<>();

  private final LongAdder rejected = new LongAdder();
  private volatile long averageNanos;
  private volatile long averageGapNanos;

  /** When the last call finished while others waited. */
  private volatile long lastFinish = NEVER;

  /** How many calls finished since the queue began: a few say little about the throughput. */
  private volatile int finishedInQueue;

  /**
   * Makes a limit.
   *
   * @param max how many calls may be active at the same time
   * @param maxWait how long a call may expect to wait
   */
  public ConcurrencyLimit(int max, Duration maxWait) {
    this.max = max;
    this.maxWaitNanos = maxWait.toNanos();
    this.free = new Semaphore(max, true);
  }

  /**
   * What one call holds of the limit: first it is counted as inside, then it gets a slot. Used by
   * one thread at a time.
   */
  public final class Permit implements AutoCloseable {
    /** The request attribute with the permit of a call that entered before it was parsed. */
    public static final String ATTRIBUTE = Permit.class.getName();

    private String token = "";
    private String owner = "";
    private String cell = "";
    private boolean isInside;
    private boolean isActive;
    private long startedNanos;

    private Permit() {}

    /** Whether the call is inside already, or there is room for it. */
    public boolean isWelcome() {
      return isInside || !isFull();
    }

    /**
     * Counts the call as inside, once; false if there is no room, or none for this token.
     *
     * @param accesstoken the token of the call; empty if callers are not told apart
     */
    public boolean enter(String accesstoken) {
      if (!isInside && ConcurrencyLimit.this.enter(accesstoken)) {
        token = accesstoken;
        isInside = true;
      }
      return isInside;
    }

    /**
     * Waits for a free slot; false if that took too long or the merchant has its share already.
     *
     * @param merchant whose calls share a part of the slots; empty if there are no parts
     * @param itsCell where its data is, which also shares a part; empty if there is one cell
     */
    public boolean start(String merchant, String itsCell) {
      if (!ConcurrencyLimit.this.start(merchant, itsCell)) {
        return false;
      }
      owner = merchant;
      cell = itsCell;
      isActive = true;
      startedNanos = System.nanoTime();
      return true;
    }

    /** Enters and starts in one step, for calls without a caller. */
    public boolean acquire() {
      return enter("") && start("", "");
    }

    /** Releases whatever it holds; calling it again does nothing. */
    @Override
    public void close() {
      if (isActive) {
        isActive = false;
        finish(owner, startedNanos);
        finishInCell(cell);
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

  /** Whether a new call is rejected; checked before any work is done for it. */
  boolean isFull() {
    if (inside.get() < room()) {
      return false;
    }
    rejected.increment();
    return true;
  }

  /** Counts a call as inside; false if there is no room, or the token has its half. */
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

  /** Takes a slot; false if the owner has its half, or the wait took too long. */
  boolean start(String owner, String cell) {
    if (isWithinShare(insideOfOwner, owner, room())) {
      if (hasSlotInCell(owner, cell)) {
        return true;
      }
      leaveShare(insideOfOwner, owner);
    }
    rejected.increment();
    return false;
  }

  private boolean hasSlotInCell(String owner, String cell) {
    long deadline = System.nanoTime() + PATIENCE * maxWaitNanos;
    if (cell.isEmpty()) {
      return hasSlot(owner, deadline);
    }
    CellShare share = sharesOfCells.computeIfAbsent(cell, _ -> new CellShare(max));
    if (!share.acquire(room(), deadline)) {
      return false;
    }
    if (hasSlot(owner, deadline)) {
      return true;
    }
    share.release();
    return false;
  }

  void finishInCell(String cell) {
    if (!cell.isEmpty()) {
      Objects.requireNonNull(sharesOfCells.get(cell)).release();
    }
  }

  /** Releases a slot and updates the averages. */
  void finish(String owner, long startedNanos) {
    free.release();
    if (!owner.isEmpty()) {
      freeOf(owner).release();
      leaveShare(insideOfOwner, owner);
    }
    // a race may lose one of two values: these are only averages
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

  private boolean hasSlot(String owner, long deadline) {
    Semaphore share = owner.isEmpty() ? null : freeOf(owner);
    // calls that wait already come first
    if (waiting.get() == 0 && (share == null || share.tryAcquire())) {
      if (free.tryAcquire()) {
        return true;
      }
      if (share != null) {
        share.release();
      }
    }
    waiting.incrementAndGet();
    try {
      // an owner beyond its share waits for its own calls, and blocks no other owner
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

  static boolean isAcquired(Semaphore slots, long deadline) {
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
   * As many as get a slot within the maximum wait. While there is a queue, the gap between two
   * finished calls measures the throughput: when processors are short, the duration of a call does
   * not.
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

  /** The average gap between two finished calls while there is a queue; 0 without a queue. */
  long averageGapNanos() {
    return averageGapNanos;
  }
}
