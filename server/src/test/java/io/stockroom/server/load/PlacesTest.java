package io.stockroom.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  @Test
  void givesThePlacesOutAndLetsTheNextWaitForItsTurn() throws Exception {
    Places places = new Places(2, SOON);
    assertThat(places.enter()).isTrue();
    assertThat(places.enter()).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> third = callers.submit(() -> places.enter());
      assertThat(Eventually.within(SOON, () -> places.waiting() == 1)).isTrue();
      assertThat(places.inWork()).isEqualTo(2);
      assertThat(third.isDone()).isFalse();

      places.leave(System.nanoTime());

      assertThat(third.get()).isTrue();
      assertThat(places.waiting()).isZero();
      assertThat(places.inWork()).isEqualTo(2);
      assertThat(places.refused()).isZero();
    }
  }

  @Test
  void leavesHalfOfThePlacesToOtherOwners() throws Exception {
    Places places = new Places(4, SOON);
    assertThat(places.takeTurn("one")).isTrue();
    assertThat(places.takeTurn("one")).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> third = callers.submit(() -> places.takeTurn("one"));
      assertThat(Eventually.within(SOON, () -> places.waiting() == 1)).isTrue();
      assertThat(places.inWork()).isEqualTo(2);

      assertThat(places.takeTurn("another")).isTrue();
      assertThat(places.takeTurn("another")).isTrue();
      places.endTurn("another", System.nanoTime());
      assertThat(third.isDone()).as("a place is free, but not for this owner").isFalse();

      places.endTurn("one", System.nanoTime());
      assertThat(third.get()).isTrue();
    }
    assertThat(places.inWork()).isEqualTo(3);
    assertThat(places.refused()).isZero();
  }

  @Test
  void leavesHalfOfTheLineToOtherOwners() throws Exception {
    Places places = new Places(1, SOON);
    remember(places, SOON);
    int room = 1 + places.mostWaiting();
    assertThat(places.takeTurn("one")).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> line = new ArrayList<>();
      for (int i = 1; i < room / 2; i++) {
        line.add(
            callers.submit(
                () -> {
                  boolean taken = places.takeTurn("one");
                  places.endTurn("one", System.nanoTime());
                  return taken;
                }));
      }
      assertThat(Eventually.within(SOON, () -> places.waiting() == line.size())).isTrue();

      assertThat(places.takeTurn("one")).as("half of the line").isFalse();
      places.endTurn("one", System.nanoTime());
      for (Future<Boolean> each : line) {
        assertThat(each.get()).isTrue();
      }
    }
    assertThat(places.takeTurn("one")).isTrue();
  }

  @Test
  void refusesAtOnceWhereTheLineIsAsLongAsWhatIsDoneInTime() throws Exception {
    Places places = new Places(1, SOON);
    remember(places, SOON);
    assertThat(places.mostWaiting()).isEqualTo(Places.MOST_AT_ONCE);
    assertThat(places.enter()).isTrue();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> line = new ArrayList<>();
      for (int i = 0; i < Places.MOST_AT_ONCE; i++) {
        assertThat(places.isFull()).isFalse();
        line.add(callers.submit(() -> takeTurn(places)));
        int waiting = line.size();
        assertThat(Eventually.within(SOON, () -> places.waiting() == waiting)).isTrue();
      }

      assertThat(places.isFull()).isTrue();
      long start = System.nanoTime();
      assertThat(places.enter()).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
      assertThat(places.refused()).isEqualTo(2);

      places.leave(System.nanoTime());
      for (Future<Boolean> each : line) {
        assertThat(each.get()).isTrue();
      }
      assertThat(places.inWork()).isZero();
      assertThat(places.isFull()).isFalse();
    }
  }

  @Test
  void letsAsManyWaitAsWillHaveHadTheirTurn() {
    Places places = new Places(4, Duration.ofSeconds(2));
    assertThat(places.mostWaiting()).isEqualTo(Places.MOST_WAITING);

    remember(places, Duration.ofMillis(20));
    assertThat(places.mostWaiting()).isBetween(380, 420);
    remember(places, Duration.ofMillis(40));
    assertThat(places.mostWaiting()).isBetween(190, 210);
    remember(places, Duration.ofSeconds(60));
    assertThat(places.mostWaiting()).isEqualTo(Places.MOST_AT_ONCE);
    remember(places, Duration.ofNanos(100));
    assertThat(places.mostWaiting()).isEqualTo(Places.MOST_WAITING);
  }

  @Test
  void aLineIsAsLongAsThePaceAllowsWhateverEachTakes() {
    Places places = new Places(1, Duration.ofHours(1));
    remember(places, Duration.ofNanos(100));
    assertThat(places.mostWaiting()).isEqualTo(Places.MOST_WAITING);

    // two inside, one place: one leaves after the other, each a moment after the one before
    assertThat(places.arrive("")).isTrue();
    assertThat(places.arrive("")).isTrue();
    assertThat(places.takeTurn()).isTrue();
    places.endTurn(System.nanoTime());
    assertThat(places.paceNanos()).as("the time before there was a line tells nothing").isZero();
    for (int i = 0; i < 100; i++) {
      assertThat(places.takeTurn()).isTrue();
      places.endTurn(System.nanoTime());
    }
    assertThat(places.paceNanos()).isPositive();

    // alone, nobody waits: then the time of each tells again
    places.gone("");
    assertThat(places.takeTurn()).isTrue();
    places.endTurn(System.nanoTime());
    assertThat(places.paceNanos()).isZero();
  }

  @Test
  void onlyAYoungLineMayBeLongerThanWhatIsDoneInTime() {
    Places places = new Places(1, SOON);
    remember(places, SOON);
    assertThat(places.arrive("")).isTrue();
    assertThat(places.arrive("")).isTrue();

    leaveInLine(places, 31);
    assertThat(places.mostWaiting()).isEqualTo(Places.MOST_AT_ONCE);
    leaveInLine(places, 1);
    assertThat(places.mostWaiting()).isEqualTo(Places.LEAST_WAITING);

    places.gone("");
    leaveInLine(places, 1);
    assertThat(places.mostWaiting()).as("there is no line").isEqualTo(Places.MOST_AT_ONCE);
  }

  private static void leaveInLine(Places places, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(places.takeTurn()).isTrue();
      places.endTurn(System.nanoTime() - SOON.toNanos());
    }
  }

  @Test
  void whoIsCountedInIsNotRefusedForOthersWhoCome() {
    Places places = new Places(1, SOON);
    remember(places, SOON);
    for (int i = 0; i < 1 + Places.MOST_AT_ONCE; i++) {
      assertThat(places.arrive("")).isTrue();
    }
    assertThat(places.arrive("")).isFalse();
    assertThat(places.isFull()).isTrue();
    assertThat(places.takeTurn()).isTrue();

    places.endTurn(System.nanoTime());
    assertThat(places.isFull()).isTrue();
    places.gone("");
    assertThat(places.isFull()).isFalse();
  }

  @Test
  void leavesHalfToOthersWhateverOneCallerAsksFor() {
    Places places = new Places(16, SOON);
    remember(places, Duration.ofHours(1));
    int room = 16 + Places.MOST_AT_ONCE;
    for (int i = 0; i < room / 2; i++) {
      assertThat(places.arrive("one")).isTrue();
    }

    assertThat(places.arrive("one")).isFalse();
    assertThat(places.isFull()).isFalse();
    for (int i = 0; i < room / 2; i++) {
      assertThat(places.arrive("another")).isTrue();
    }
    assertThat(places.arrive("another")).isFalse();
    assertThat(places.isFull()).isTrue();
    places.gone("another");
    assertThat(places.arrive("one")).as("its share is still full").isFalse();
    places.gone("one");
    assertThat(places.arrive("one")).isTrue();
    assertThat(places.inside()).isEqualTo(room - 1);
  }

  @Test
  void whoTookItsTurnAndLeftIsNoLongerOfItsShare() {
    Places places = new Places(1, SOON);
    remember(places, SOON);
    for (int i = 0; i < 1 + Places.MOST_AT_ONCE; i++) {
      assertThat(places.enter("one")).isTrue();
      places.leave("one", System.nanoTime());
    }
    assertThat(places.inside()).isZero();
    assertThat(places.refused()).isZero();
  }

  @Test
  void refusesWhoHasWaitedMuchLongerThanWasEstimated() {
    Places places = new Places(1, Duration.ofMillis(20));
    assertThat(places.enter()).isTrue();

    long start = System.nanoTime();
    assertThat(places.enter()).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThan(Duration.ofMillis(20 * Places.PATIENCE - 1));
    assertThat(places.waiting()).isZero();
  }

  private static boolean takeTurn(Places places) {
    boolean entered = places.enter();
    if (entered) {
      places.leave(System.nanoTime());
    }
    return entered;
  }

  /** Has so many calls take that time that the average follows. */
  private static void remember(Places places, Duration time) {
    for (int i = 0; i < 500; i++) {
      assertThat(places.enter()).isTrue();
      places.leave(System.nanoTime() - time.toNanos());
    }
  }
}
