package io.stockroom.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.server.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  @Test
  void queuesTheNextCall() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(2, SOON);
    assertThat(acquired(limit, "")).isTrue();
    assertThat(acquired(limit, "")).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> third = callers.submit(() -> acquired(limit, ""));
      assertThat(Eventually.within(SOON, () -> limit.waiting() == 1)).isTrue();
      assertThat(limit.active()).isEqualTo(2);
      assertThat(third.isDone()).isFalse();

      release(limit, "", System.nanoTime());

      assertThat(third.get()).isTrue();
      assertThat(limit.waiting()).isZero();
      assertThat(limit.active()).isEqualTo(2);
      assertThat(limit.rejected()).isZero();
    }
  }

  @Test
  void leavesAQuarterOfTheSlotsToOtherCells() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(8, SOON);
    for (int i = 0; i < 6; i++) {
      assertThat(limit.start(limit.shares("merchant " + i, "east"))).isTrue();
    }
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> seventh =
          callers.submit(() -> limit.start(limit.shares("merchant 7", "east")));
      assertThat(limit.start(limit.shares("merchant 8", "west"))).isTrue();
      assertThat(limit.start(limit.shares("merchant 9", "west"))).isTrue();
      assertThat(seventh.isDone()).isFalse();

      limit.finish(limit.shares("merchant 0", "east"), System.nanoTime());
      assertThat(seventh.get()).isTrue();
    }
    assertThat(limit.active()).isEqualTo(8);
  }

  @Test
  void anOwnerThatWaitsForItsOwnCallsLeavesTheSlotsOfItsGroupToOthers() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(8, SOON);
    for (int i = 0; i < 4; i++) {
      assertThat(limit.start(limit.shares("person 1", "merchant"))).isTrue();
    }
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> line = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        line.add(callers.submit(() -> limit.start(limit.shares("person 1", "merchant"))));
      }
      assertThat(Eventually.within(SOON, () -> limit.waiting() == 4)).isTrue();

      assertThat(limit.start(limit.shares("person 2", "merchant"))).isTrue();
      assertThat(limit.start(limit.shares("person 2", "merchant"))).isTrue();
      assertThat(limit.active()).isEqualTo(6);

      for (int i = 0; i < 4; i++) {
        limit.finish(limit.shares("person 1", "merchant"), System.nanoTime());
      }
      for (Future<Boolean> each : line) {
        assertThat(each.get()).isTrue();
      }
    }
  }

  @Test
  void leavesHalfOfTheSlotsToOtherOwners() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(4, SOON);
    assertThat(limit.start(limit.shares("one", ""))).isTrue();
    assertThat(limit.start(limit.shares("one", ""))).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> third = callers.submit(() -> limit.start(limit.shares("one", "")));
      assertThat(Eventually.within(SOON, () -> limit.waiting() == 1)).isTrue();
      assertThat(limit.active()).isEqualTo(2);

      assertThat(limit.start(limit.shares("another", ""))).isTrue();
      assertThat(limit.start(limit.shares("another", ""))).isTrue();
      limit.finish(limit.shares("another", ""), System.nanoTime());
      assertThat(third.isDone()).as("a place is free, but not for this owner").isFalse();

      limit.finish(limit.shares("one", ""), System.nanoTime());
      assertThat(third.get()).isTrue();
    }
    assertThat(limit.active()).isEqualTo(3);
    assertThat(limit.rejected()).isZero();
  }

  @Test
  void leavesHalfOfTheQueueToOtherOwners() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    remember(limit, SOON);
    int room = 1 + limit.maxWaiting();
    assertThat(limit.start(limit.shares("one", ""))).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> line = new ArrayList<>();
      for (int i = 1; i < room / 2; i++) {
        line.add(
            callers.submit(
                () -> {
                  boolean taken = limit.start(limit.shares("one", ""));
                  limit.finish(limit.shares("one", ""), System.nanoTime());
                  return taken;
                }));
      }
      assertThat(Eventually.within(SOON, () -> limit.waiting() == line.size())).isTrue();

      assertThat(limit.start(limit.shares("one", ""))).as("half of the line").isFalse();
      limit.finish(limit.shares("one", ""), System.nanoTime());
      for (Future<Boolean> each : line) {
        assertThat(each.get()).isTrue();
      }
    }
    assertThat(limit.start(limit.shares("one", ""))).isTrue();
  }

  @Test
  void rejectsImmediatelyIfTheQueueExceedsTheTimeBudget() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    remember(limit, SOON);
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_YOUNG_WAITING);
    assertThat(acquired(limit, "")).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> line = new ArrayList<>();
      for (int i = 0; i < ConcurrencyLimit.MAX_YOUNG_WAITING; i++) {
        assertThat(limit.isFull()).isFalse();
        line.add(callers.submit(() -> takeTurn(limit)));
        int waiting = line.size();
        assertThat(Eventually.within(SOON, () -> limit.waiting() == waiting)).isTrue();
      }

      assertThat(limit.isFull()).isTrue();
      long start = System.nanoTime();
      assertThat(acquired(limit, "")).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
      assertThat(limit.rejected()).isEqualTo(2);

      release(limit, "", System.nanoTime());
      for (Future<Boolean> each : line) {
        assertThat(each.get()).isTrue();
      }
      assertThat(limit.active()).isZero();
      assertThat(limit.isFull()).isFalse();
    }
  }

  @Test
  void queuesAsManyAsFitTheTimeBudget() {
    ConcurrencyLimit limit = new ConcurrencyLimit(4, Duration.ofSeconds(2));
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_WAITING);

    remember(limit, Duration.ofMillis(20));
    assertThat(limit.maxWaiting()).isBetween(380, 420);
    remember(limit, Duration.ofMillis(40));
    assertThat(limit.maxWaiting()).isBetween(190, 210);
    remember(limit, Duration.ofSeconds(60));
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_YOUNG_WAITING);
    remember(limit, Duration.ofNanos(100));
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_WAITING);
  }

  @Test
  void queueLengthFollowsThroughputNotLatency() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, Duration.ofHours(1));
    remember(limit, Duration.ofNanos(100));
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_WAITING);

    // two calls inside, one slot: they leave one after the other
    assertThat(limit.enter("")).isTrue();
    assertThat(limit.enter("")).isTrue();
    assertThat(limit.start(limit.shares("", ""))).isTrue();
    limit.finish(limit.shares("", ""), System.nanoTime());
    assertThat(limit.averageGapNanos())
        .as("the time before there was a line tells nothing")
        .isZero();
    for (int i = 0; i < 100; i++) {
      assertThat(limit.start(limit.shares("", ""))).isTrue();
      limit.finish(limit.shares("", ""), System.nanoTime());
    }
    assertThat(limit.averageGapNanos()).isPositive();

    // without a queue, the duration of each call counts again
    limit.leave("");
    assertThat(limit.start(limit.shares("", ""))).isTrue();
    limit.finish(limit.shares("", ""), System.nanoTime());
    assertThat(limit.averageGapNanos()).isZero();
  }

  @Test
  void onlyANewQueueMayExceedTheTimeBudget() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    remember(limit, SOON);
    assertThat(limit.enter("")).isTrue();
    assertThat(limit.enter("")).isTrue();

    leaveInLine(limit, 31);
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_YOUNG_WAITING);
    leaveInLine(limit, 1);
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MIN_WAITING);

    limit.leave("");
    leaveInLine(limit, 1);
    assertThat(limit.maxWaiting())
        .as("there is no line")
        .isEqualTo(ConcurrencyLimit.MAX_YOUNG_WAITING);
  }

  private static void leaveInLine(ConcurrencyLimit limit, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(limit.start(limit.shares("", ""))).isTrue();
      limit.finish(limit.shares("", ""), System.nanoTime() - SOON.toNanos());
    }
  }

  @Test
  void aQueuedCallIsNotRejectedForLaterCalls() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    remember(limit, SOON);
    for (int i = 0; i < 1 + ConcurrencyLimit.MAX_YOUNG_WAITING; i++) {
      assertThat(limit.enter("")).isTrue();
    }
    assertThat(limit.enter("")).isFalse();
    assertThat(limit.isFull()).isTrue();
    assertThat(limit.start(limit.shares("", ""))).isTrue();

    limit.finish(limit.shares("", ""), System.nanoTime());
    assertThat(limit.isFull()).isTrue();
    limit.leave("");
    assertThat(limit.isFull()).isFalse();
  }

  @Test
  void limitsOneOwnerToHalf() {
    ConcurrencyLimit limit = new ConcurrencyLimit(16, SOON);
    remember(limit, Duration.ofHours(1));
    int room = 16 + ConcurrencyLimit.MAX_YOUNG_WAITING;
    for (int i = 0; i < room / 2; i++) {
      assertThat(limit.enter("one")).isTrue();
    }

    assertThat(limit.enter("one")).isFalse();
    assertThat(limit.isFull()).isFalse();
    for (int i = 0; i < room / 2; i++) {
      assertThat(limit.enter("another")).isTrue();
    }
    assertThat(limit.enter("another")).isFalse();
    assertThat(limit.isFull()).isTrue();
    limit.leave("another");
    assertThat(limit.enter("one")).as("its share is still full").isFalse();
    limit.leave("one");
    assertThat(limit.enter("one")).isTrue();
    assertThat(limit.inside()).isEqualTo(room - 1);
  }

  @Test
  void aFinishedCallReleasesItsShare() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    remember(limit, SOON);
    for (int i = 0; i < 1 + ConcurrencyLimit.MAX_YOUNG_WAITING; i++) {
      assertThat(acquired(limit, "one")).isTrue();
      release(limit, "one", System.nanoTime());
    }
    assertThat(limit.inside()).isZero();
    assertThat(limit.rejected()).isZero();
  }

  @Test
  void rejectsACallThatWaitedMuchLongerThanEstimated() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, Duration.ofMillis(20));
    assertThat(acquired(limit, "")).isTrue();

    long start = System.nanoTime();
    assertThat(acquired(limit, "")).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThan(Duration.ofMillis(20 * ConcurrencyLimit.PATIENCE - 1));
    assertThat(limit.waiting()).isZero();
  }

  private static boolean takeTurn(ConcurrencyLimit limit) {
    boolean entered = acquired(limit, "");
    if (entered) {
      release(limit, "", System.nanoTime());
    }
    return entered;
  }

  /** Records enough calls of this duration for the average to adapt. */
  private static void remember(ConcurrencyLimit limit, Duration time) {
    for (int i = 0; i < 500; i++) {
      assertThat(acquired(limit, "")).isTrue();
      release(limit, "", System.nanoTime() - time.toNanos());
    }
  }

  private static boolean acquired(ConcurrencyLimit limit, String token) {
    if (!limit.enter(token)) {
      return false;
    }
    if (limit.start(limit.shares("", ""))) {
      return true;
    }
    limit.leave(token);
    return false;
  }

  private static void release(ConcurrencyLimit limit, String token, long since) {
    limit.finish(limit.shares("", ""), since);
    limit.leave(token);
  }

  @Test
  void aPermitIsReleasedOnce() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    Permit permit = limit.permit();
    assertThat(permit.isWelcome()).isTrue();
    assertThat(permit.enter("token")).isTrue();
    assertThat(permit.enter("token")).as("once is enough").isTrue();
    assertThat(limit.inside()).isEqualTo(1);
    assertThat(permit.start("merchant", "")).isTrue();
    assertThat(limit.active()).isEqualTo(1);

    permit.close();
    permit.close();

    assertThat(limit.inside()).isZero();
    assertThat(limit.active()).isZero();
  }

  @Test
  void anAdmittedPermitIsNotRejectedByAFullQueue() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    Permit inside = limit.permit();
    assertThat(inside.enter("")).isTrue();
    while (limit.enter("")) {
      assertThat(limit.inside()).isLessThanOrEqualTo(1 + ConcurrencyLimit.MAX_WAITING);
    }

    assertThat(inside.isWelcome()).isTrue();
    assertThat(limit.permit().isWelcome()).isFalse();
    assertThat(limit.permit().enter("")).isFalse();
  }
}
