package io.stockroom.core.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many calls are active at the same time, and how many wait for a slot: as many as get
 * one within the maximum wait, judged by the throughput of the last calls. All others are rejected
 * immediately.
 *
 * <p>If a fixed number waited instead, an overloaded server would answer all of them too late.
 */
public final class ConcurrencyLimit {
  /** So many may wait, however long each one takes. */
  static final int MIN_WAITING = 32;

  /** So many while the queue is new: a burst of a few dozen calls is not an overload. */
  static final int MIN_WAITING_AT_FIRST = 128;

  static final int MAX_WAITING = 2_000;

  /** The estimate may be wrong: a call waits at most this many times the maximum wait. */
  static final int PATIENCE = 3;

  /** The averages follow about this many calls. */
  private static final int REMEMBERED = 32;

  private static final long NEVER = Long.MIN_VALUE;

  /** Owners are told apart by a hash of their names; a power of two. */
  private static final int OWNERS = 1_024;

  private final int max;
  private final long maxWaitNanos;
  private final LongSupplier nanoTime;
  private final PermitShare all;

  /** Created on an owner's first call, because most owners never call this node. */
  private final AtomicReferenceArray<PermitShare> ofOwners = new AtomicReferenceArray<>(OWNERS);

  private final Map<String, PermitShare> ofGroups = new ConcurrentHashMap<>();
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
    this(max, maxWait, System::nanoTime);
  }

  ConcurrencyLimit(int max, Duration maxWait, LongSupplier nanoTime) {
    this.max = max;
    this.maxWaitNanos = maxWait.toNanos();
    this.nanoTime = nanoTime;
    this.all = new PermitShare(4, max);
  }

  /** Lets a call in: it may wait for a slot. Null, immediately, if there is no room. */
  public @Nullable Permit enter() {
    if (all.enter(room())) {
      return new Permit();
    }
    rejected.increment();
    return null;
  }

  /** Enters and acquires a slot; null if there is no room, or the wait took too long. */
  public @Nullable Permit acquire(String owner, String group) {
    Permit permit = enter();
    if (permit == null || permit.acquire(owner, group)) {
      return permit;
    }
    permit.close();
    return null;
  }

  /** As above, for calls without an owner. */
  public @Nullable Permit acquire() {
    return acquire("", "");
  }

  /** What one call holds: its place inside, and then a slot. Used by one thread at a time. */
  public final class Permit implements AutoCloseable {
    private final List<PermitShare> entered = new ArrayList<>(List.of(all));
    private List<PermitShare> acquired = List.of();
    private long startedNanos;

    private Permit() {}

    /**
     * Waits for a free slot; false if that took too long or there is no room in a share.
     *
     * @param owner whose calls share half of the slots and of the room, such as a merchant; empty
     *     if there are no shares
     * @param group to which the owner belongs, such as a cell: its calls share three quarters;
     *     empty if there are no groups
     */
    public boolean acquire(String owner, String group) {
      boolean isActive =
          (owner.isEmpty() || isIn(ofOwner(owner)))
              && (group.isEmpty() || isIn(ofGroup(group)))
              && hasSlots();
      if (!isActive) {
        rejected.increment();
      }
      return isActive;
    }

    private boolean isIn(PermitShare share) {
      // the smallest first
      return share.enter(room()) && entered.add(share);
    }

    /**
     * Waits first in the smallest share: an owner beyond its share waits for its own calls, and
     * blocks no other owner.
     */
    private boolean hasSlots() {
      long deadline = System.nanoTime() + PATIENCE * maxWaitNanos;
      acquired = new ArrayList<>(entered.size());
      for (int i = 1; i <= entered.size(); i++) {
        PermitShare next = entered.get(i % entered.size());
        if (!next.acquire(deadline)) {
          return false;
        }
        acquired.add(next);
      }
      startedNanos = nanoTime.getAsLong();
      return true;
    }

    /** Releases whatever it holds; calling it again does nothing. */
    @Override
    public void close() {
      boolean wasActive = !acquired.isEmpty() && acquired.size() == entered.size();
      acquired.forEach(PermitShare::release);
      entered.forEach(PermitShare::leave);
      acquired = List.of();
      entered.clear();
      if (wasActive) {
        finished(startedNanos);
      }
    }
  }

  private PermitShare ofOwner(String owner) {
    int hash = owner.hashCode();
    int slot = (hash ^ hash >>> 10 ^ hash >>> 20) & OWNERS - 1;
    return ofOwners.updateAndGet(slot, known -> known == null ? new PermitShare(2, max) : known);
  }

  private PermitShare ofGroup(String group) {
    return ofGroups.computeIfAbsent(group, _ -> new PermitShare(3, max));
  }

  /** Updates the averages; a race may lose one of two values. */
  private void finished(long startedNanos) {
    long now = nanoTime.getAsLong();
    averageNanos = followed(averageNanos, now - startedNanos);
    boolean isQueue = all.inside() >= max;
    long before = lastFinish;
    averageGapNanos = isQueue && before != NEVER ? followed(averageGapNanos, now - before) : 0;
    lastFinish = isQueue ? now : NEVER;
    finishedInQueue = isQueue ? Math.min(finishedInQueue + 1, REMEMBERED) : 0;
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
    int min = finishedInQueue < REMEMBERED ? MIN_WAITING_AT_FIRST : MIN_WAITING;
    return Math.clamp(each <= 0 ? MAX_WAITING : maxWaitNanos / each, min, MAX_WAITING);
  }

  int max() {
    return max;
  }

  int active() {
    return all.active();
  }

  int inside() {
    return all.inside();
  }

  int waiting() {
    return Math.max(0, inside() - active());
  }

  long rejected() {
    return rejected.sum();
  }
}
