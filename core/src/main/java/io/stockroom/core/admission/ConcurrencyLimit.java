package io.stockroom.core.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * <p>One access token or address may use at most half of the room. One owner, such as a merchant,
 * may use at most half of the slots, and its group, such as a cell, at most three quarters.
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

  /** Callers are counted by a hash of their names; a power of two. */
  private static final int SLOTS = 1_024;

  private final int max;
  private final long maxWaitNanos;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicIntegerArray insideOfToken = new AtomicIntegerArray(SLOTS);

  /** Created on an owner's first call, because most owners never call this node. */
  private final AtomicReferenceArray<PermitShare> sharesOfOwners =
      new AtomicReferenceArray<>(SLOTS);

  private final Map<String, PermitShare> sharesOfGroups = new ConcurrentHashMap<>();

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
    private List<PermitShare> shares = List.of();
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
     * Waits for a free slot; false if that took too long or there is no room in a share.
     *
     * @param owner whose calls share half of the slots, such as a merchant; empty if there are no
     *     shares
     * @param group to which the owner belongs, such as a cell: its calls share three quarters;
     *     empty if there are no groups
     */
    public boolean start(String owner, String group) {
      List<PermitShare> mine = shares(owner, group);
      if (!ConcurrencyLimit.this.start(mine)) {
        return false;
      }
      shares = mine;
      isActive = true;
      startedNanos = System.nanoTime();
      return true;
    }

    /** Enters and starts in one step. */
    public boolean acquire(String owner, String group) {
      return enter(owner) && start(owner, group);
    }

    /** Enters and starts in one step, for calls without an owner. */
    public boolean acquire() {
      return acquire("", "");
    }

    /** Releases whatever it holds; calling it again does nothing. */
    @Override
    public void close() {
      if (isActive) {
        isActive = false;
        finish(shares, startedNanos);
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

  /** The shares that a call of this owner uses; the smallest first. */
  List<PermitShare> shares(String owner, String group) {
    List<PermitShare> shares = new ArrayList<>(2);
    if (!owner.isEmpty()) {
      shares.add(ofOwner(owner));
    }
    if (!group.isEmpty()) {
      shares.add(sharesOfGroups.computeIfAbsent(group, _ -> PermitShare.threeQuarters(max)));
    }
    return shares;
  }

  /** Takes a slot; false if there is no room in a share, or the wait took too long. */
  boolean start(List<PermitShare> shares) {
    int room = room();
    int entered = 0;
    while (entered < shares.size() && shares.get(entered).enter(room)) {
      entered++;
    }
    if (entered == shares.size() && hasSlot(shares)) {
      return true;
    }
    shares.subList(0, entered).forEach(PermitShare::leave);
    rejected.increment();
    return false;
  }

  private boolean hasSlot(List<PermitShare> shares) {
    // calls that wait already come first
    if (waiting.get() == 0 && hasSlot(shares, System.nanoTime())) {
      return true;
    }
    waiting.incrementAndGet();
    try {
      return hasSlot(shares, System.nanoTime() + PATIENCE * maxWaitNanos);
    } finally {
      waiting.decrementAndGet();
    }
  }

  /**
   * Waits first in the smallest share: an owner beyond its share waits for its own calls, and
   * blocks no other owner.
   */
  private boolean hasSlot(List<PermitShare> shares, long deadline) {
    int taken = 0;
    while (taken < shares.size() && isAcquired(shares.get(taken).free(), deadline)) {
      taken++;
    }
    if (taken == shares.size() && isAcquired(free, deadline)) {
      return true;
    }
    shares.subList(0, taken).forEach(share -> share.free().release());
    return false;
  }

  /** Releases a slot and updates the averages. */
  void finish(List<PermitShare> shares, long startedNanos) {
    free.release();
    for (PermitShare share : shares) {
      share.free().release();
      share.leave();
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

  private static boolean isAcquired(Semaphore slots, long deadline) {
    try {
      return slots.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private PermitShare ofOwner(String owner) {
    int slot = slot(owner);
    PermitShare known = sharesOfOwners.get(slot);
    if (known != null) {
      return known;
    }
    PermitShare made = PermitShare.half(max);
    return sharesOfOwners.compareAndSet(slot, null, made) ? made : ofOwner(owner);
  }

  private static boolean isWithinShare(AtomicIntegerArray counts, String name, int room) {
    if (name.isEmpty()) {
      return true;
    }
    int slot = slot(name);
    if (counts.incrementAndGet(slot) <= room / 2) {
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
