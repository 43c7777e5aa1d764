package io.stockroom.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.server.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private final AtomicLong nanos = new AtomicLong();

  @Test
  void queuesTheNextCall() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(2, SOON);
    Permit first = taken(limit, "", "");
    Permit second = taken(limit, "", "");
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<@Nullable Permit> third = callers.submit(() -> limit.acquire());
      assertThat(Eventually.within(SOON, () -> limit.waiting() == 1)).isTrue();
      assertThat(limit.active()).isEqualTo(2);
      assertThat(third.isDone()).isFalse();

      first.close();

      Objects.requireNonNull(third.get()).close();
    }
    second.close();
    assertThat(limit.waiting()).isZero();
    assertThat(limit.active()).isZero();
    assertThat(limit.inside()).isZero();
    assertThat(limit.rejected()).isZero();
  }

  @Test
  void leavesAQuarterOfTheSlotsToOtherCells() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(8, SOON);
    List<Permit> east = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      east.add(taken(limit, "merchant " + i, "east"));
    }
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<@Nullable Permit> seventh = callers.submit(() -> limit.acquire("merchant 7", "east"));
      taken(limit, "merchant 8", "west");
      taken(limit, "merchant 9", "west");
      assertThat(seventh.isDone()).isFalse();

      east.getFirst().close();
      assertThat(seventh.get()).isNotNull();
    }
    assertThat(limit.active()).isEqualTo(8);
  }

  @Test
  void anOwnerThatWaitsForItsOwnCallsLeavesTheSlotsOfItsGroupToOthers() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(8, SOON);
    List<Permit> busy = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      busy.add(taken(limit, "person 1", "merchant"));
    }
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<@Nullable Permit>> line = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        line.add(callers.submit(() -> limit.acquire("person 1", "merchant")));
      }
      assertThat(Eventually.within(SOON, () -> limit.waiting() == 4)).isTrue();

      taken(limit, "person 2", "merchant");
      taken(limit, "person 2", "merchant");
      assertThat(limit.active()).isEqualTo(6);

      busy.forEach(Permit::close);
      for (Future<@Nullable Permit> each : line) {
        assertThat(each.get()).isNotNull();
      }
    }
  }

  @Test
  void leavesHalfOfTheSlotsToOtherOwners() throws Exception {
    ConcurrencyLimit limit = new ConcurrencyLimit(4, SOON);
    Permit first = taken(limit, "one", "");
    taken(limit, "one", "");
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<@Nullable Permit> third = callers.submit(() -> limit.acquire("one", ""));
      assertThat(Eventually.within(SOON, () -> limit.waiting() == 1)).isTrue();

      taken(limit, "another", "");
      taken(limit, "another", "").close();
      assertThat(third.isDone()).as("a slot is free, but not for this owner").isFalse();

      first.close();
      assertThat(third.get()).isNotNull();
    }
    assertThat(limit.active()).isEqualTo(3);
    assertThat(limit.rejected()).isZero();
  }

  @Test
  void leavesHalfOfTheRoomToOtherOwners() throws Exception {
    ConcurrencyLimit limit = limited(2, SOON);
    remember(limit, Duration.ofHours(1));
    int half = (2 + ConcurrencyLimit.MIN_WAITING_AT_FIRST) / 2;
    List<Permit> slots = List.of(taken(limit, "one", ""), taken(limit, "two", ""));
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> line = new ArrayList<>();
      for (int i = 1; i < half; i++) {
        line.add(callers.submit(() -> takesTurn(limit, "one")));
      }
      assertThat(Eventually.within(SOON, () -> limit.inside() == 1 + half)).isTrue();

      assertThat(limit.acquire("one", "")).as("it has half of the room").isNull();
      Future<Boolean> other = callers.submit(() -> takesTurn(limit, "two"));
      assertThat(Eventually.within(SOON, () -> limit.inside() == 2 + half)).isTrue();

      slots.forEach(Permit::close);
      assertThat(other.get()).isTrue();
      for (Future<Boolean> each : line) {
        assertThat(each.get()).isTrue();
      }
    }
    assertThat(limit.inside()).isZero();
    assertThat(limit.rejected()).isEqualTo(1);
  }

  @Test
  void rejectsImmediatelyWhatWouldWaitTooLong() {
    ConcurrencyLimit limit = limited(1, SOON);
    remember(limit, Duration.ofHours(1));
    List<Permit> inside = new ArrayList<>();
    for (int i = 0; i < 1 + ConcurrencyLimit.MIN_WAITING_AT_FIRST; i++) {
      inside.add(Objects.requireNonNull(limit.enter()));
    }

    assertThat(limit.enter()).isNull();
    assertThat(limit.acquire()).isNull();
    assertThat(limit.rejected()).isEqualTo(2);
    assertThat(inside.getLast().acquire("", "")).as("what is inside is not rejected").isTrue();

    inside.getFirst().close();
    assertThat(limit.enter()).isNotNull();
  }

  @Test
  void queuesAsManyAsFitTheMaximumWait() {
    ConcurrencyLimit limit = limited(4, Duration.ofSeconds(2));
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_WAITING);

    remember(limit, Duration.ofMillis(20));
    assertThat(limit.maxWaiting()).isBetween(380, 420);
    remember(limit, Duration.ofMillis(40));
    assertThat(limit.maxWaiting()).isBetween(190, 210);
    remember(limit, Duration.ofSeconds(60));
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MIN_WAITING_AT_FIRST);
    remember(limit, Duration.ofNanos(100));
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MAX_WAITING);
  }

  @Test
  void onlyANewQueueMayExceedTheMaximumWait() {
    ConcurrencyLimit limit = limited(1, SOON);
    Permit waiting = Objects.requireNonNull(limit.enter());

    finishSlowly(limit, 31);
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MIN_WAITING_AT_FIRST);
    finishSlowly(limit, 1);
    assertThat(limit.maxWaiting()).isEqualTo(ConcurrencyLimit.MIN_WAITING);

    waiting.close();
    finishSlowly(limit, 1);
    assertThat(limit.maxWaiting())
        .as("there is no queue")
        .isEqualTo(ConcurrencyLimit.MIN_WAITING_AT_FIRST);
  }

  private void finishSlowly(ConcurrencyLimit limit, int times) {
    for (int i = 0; i < times; i++) {
      Permit permit = taken(limit, "", "");
      nanos.addAndGet(Duration.ofHours(1).toNanos());
      permit.close();
    }
  }

  @Test
  void whileThereIsAQueueItsThroughputCounts() {
    ConcurrencyLimit limit = limited(1, Duration.ofSeconds(2));
    Permit waiting = Objects.requireNonNull(limit.enter());
    for (int i = 0; i < 500; i++) {
      // each call is short, but the next one begins late
      nanos.addAndGet(Duration.ofMillis(20).toNanos());
      taken(limit, "", "").close();
    }
    assertThat(limit.maxWaiting()).isBetween(95, 105);

    waiting.close();
    taken(limit, "", "").close();
    assertThat(limit.maxWaiting()).as("no queue").isEqualTo(ConcurrencyLimit.MAX_WAITING);
  }

  @Test
  void rejectsACallThatWaitedMuchLongerThanEstimated() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, Duration.ofMillis(20));
    taken(limit, "", "");

    long start = System.nanoTime();
    assertThat(limit.acquire()).isNull();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThan(Duration.ofMillis(20 * ConcurrencyLimit.PATIENCE - 1));
    assertThat(limit.waiting()).isZero();
  }

  @Test
  void aPermitIsReleasedOnce() {
    ConcurrencyLimit limit = new ConcurrencyLimit(1, SOON);
    Permit permit = taken(limit, "merchant", "cell");
    assertThat(limit.inside()).isEqualTo(1);
    assertThat(limit.active()).isEqualTo(1);

    permit.close();
    permit.close();

    assertThat(limit.inside()).isZero();
    assertThat(limit.active()).isZero();
  }

  private ConcurrencyLimit limited(int max, Duration maxWait) {
    return new ConcurrencyLimit(max, maxWait, nanos::get);
  }

  /** Lets enough calls take this long for the average to adapt. */
  private void remember(ConcurrencyLimit limit, Duration time) {
    for (int i = 0; i < 500; i++) {
      Permit permit = taken(limit, "", "");
      nanos.addAndGet(time.toNanos());
      permit.close();
    }
  }

  private static Permit taken(ConcurrencyLimit limit, String owner, String group) {
    return Objects.requireNonNull(limit.acquire(owner, group));
  }

  private static boolean takesTurn(ConcurrencyLimit limit, String owner) {
    try (Permit permit = limit.acquire(owner, "")) {
      return permit != null;
    }
  }
}
