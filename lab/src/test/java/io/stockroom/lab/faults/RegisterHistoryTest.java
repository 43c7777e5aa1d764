package io.stockroom.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RegisterHistoryTest {
  private final RegisterHistory history = new RegisterHistory("A");

  @Test
  void acceptsReadsOfTheOldAndTheNewValueDuringAWrite() {
    history.wrote(1, 10, 20);
    history.read(0, 11, 15);
    history.read(1, 12, 13);
    history.read(1, 14, 30);

    assertThat(history.violations()).isEmpty();
  }

  @Test
  void acceptsTheOldValueUntilTheNewOneIsSeen() {
    history.wrote(1, 10, 20);
    history.read(0, 11, 13);
    history.read(1, 14, 15);
    history.read(1, 21, 30);

    assertThat(history.violations()).isEmpty();
  }

  @Test
  void findsAReadThatIsOlderThanACompletedWrite() {
    history.wrote(1, 10, 20);
    history.read(0, 21, 22);

    assertThat(history.violations()).isNotEmpty();
  }

  @Test
  void findsAReadThatIsOlderThanAnEarlierRead() {
    history.wrote(1, 10, 100);
    history.read(1, 20, 30);
    history.read(0, 31, 40);

    assertThat(history.violations()).isNotEmpty();
  }

  @Test
  void findsValuesFromTheFutureAndFromNowhere() {
    history.read(1, 5, 6);
    history.wrote(1, 10, 20);
    history.read(7, 30, 40);

    assertThat(history.violations())
        .containsExactlyInAnyOrder(
            "A: 1 was read before it was written", "A: 7 was read but never written");
  }

  @Test
  void aWriteWithoutAResultMayHappenLaterOrNever() {
    history.wrote(1, 10, RegisterHistory.UNKNOWN);
    history.wrote(2, 20, RegisterHistory.UNKNOWN);
    history.read(0, 30, 40);
    history.read(2, 50, 60);

    assertThat(history.violations()).isEmpty();
    history.read(0, 70, 80);
    assertThat(history.violations()).isNotEmpty();
  }

  @Test
  void acceptsEitherOrderOfConcurrentWrites() {
    history.wrote(1, 10, 20);
    history.wrote(2, 11, 19);
    history.read(1, 30, 40);

    assertThat(history.violations()).isEmpty();
    history.read(2, 50, 60);
    assertThat(history.violations()).isNotEmpty();
  }
}
