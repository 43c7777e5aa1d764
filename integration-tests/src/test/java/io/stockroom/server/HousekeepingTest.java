package io.stockroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.server.Housekeeping.Task;
import io.stockroom.server.testing.Eventually;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HousekeepingTest {
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void aSlowTaskDelaysNoOther() {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (Housekeeping _ =
        keeping(
            new Task("slow", SHORT, () -> await(end)),
            new Task("quick", SHORT, runs::incrementAndGet))) {
      assertThat(Eventually.within(PATIENCE, () -> runs.get() >= 3)).isTrue();
    } finally {
      end.countDown();
    }
  }

  @Test
  void whateverATaskThrowsItRunsAgainAndTheFailureIsCounted() {
    AtomicInteger runs = new AtomicInteger();
    try (Housekeeping _ = keeping(new Task("broken", SHORT, () -> fail(runs.getAndIncrement())))) {
      double started = lastSuccess();
      assertThat(Eventually.within(PATIENCE, () -> runs.get() > 4)).isTrue();
      assertThat(
              meters.get("stockroom.housekeeping.failures").tag("task", "broken").counter().count())
          .isEqualTo(3);
      assertThat(Eventually.within(PATIENCE, () -> lastSuccess() > started)).isTrue();
    }
  }

  private double lastSuccess() {
    return meters.get("stockroom.housekeeping.last.success").tag("task", "broken").gauge().value();
  }

  private static void fail(int run) throws SQLException {
    switch (run) {
      case 0 -> throw new SQLException("the disk is full", "53100");
      case 1 -> throw new IllegalStateException("a fault of the program");
      case 2 -> throw new StackOverflowError("for this test");
      default -> {}
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Housekeeping keeping(Task... tasks) {
    return new Housekeeping(Clock.systemUTC(), meters, List.of(tasks));
  }
}
