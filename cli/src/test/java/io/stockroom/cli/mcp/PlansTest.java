package io.stockroom.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlansTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<Plan.Row> ROWS = List.of(new Plan.Row(1, "red", Size.of(36), 5, 3));

  /** A clock that is moved by hand. */
  private static final class Time extends Clock {
    private Instant now = NOW;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }
  }

  private final Time time = new Time();
  private final Plans plans = new Plans(time);

  @Test
  void aPlanEndsAfterItsLifetime() {
    Plan plan = plans.add(ROWS);

    time.now = NOW.plus(Plans.LIFETIME).minusMillis(1);
    assertThat(plans.find(plan.id(), plan.hash())).isEqualTo(plan);
    time.now = NOW.plus(Plans.LIFETIME);
    assertThatThrownBy(() -> plans.find(plan.id(), plan.hash()))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("The plan expired at 2026-01-01T00:10:00Z. Call plan_stock_change");
  }

  @Test
  void aPlanIsFoundOnlyByItsOwnHash() {
    Plan plan = plans.add(ROWS);
    Plan other = plans.add(List.of(new Plan.Row(1, "red", Size.of(36), 5, 4)));

    assertThat(plan.hash()).isNotEqualTo(other.hash());
    assertThatThrownBy(() -> plans.find(plan.id(), other.hash()))
        .hasMessageContaining("is not that of this plan");
    assertThatThrownBy(() -> plans.find("plan-x", plan.hash()))
        .hasMessageStartingWith("There is no plan \"plan-x\". Call plan_stock_change first");
  }

  @Test
  void aChangedPlanIsNotApplied() {
    Plan plan = Plan.of("plan-1", ROWS, NOW.plus(Duration.ofMinutes(1)));

    assertThat(plan.isIntact()).isTrue();
    assertThat(
            new Plan(
                    plan.id(),
                    List.of(new Plan.Row(1, "red", Size.of(36), 5, 0)),
                    plan.expiresAt(),
                    plan.hash())
                .isIntact())
        .isFalse();
  }

  @Test
  void theGuideExplainsEveryErrorCode() throws IOException {
    ErrorGuide guide = ErrorGuide.parse(Files.readString(Path.of("../docs/errors.md")));

    for (ErrorCode code : ErrorCode.values()) {
      assertThat(guide.find(code.name()).fix()).as(code.name()).isNotBlank();
    }
    assertThat(guide.find("credentials_wrong").fix())
        .isEqualTo("check all three; compare with the example in Signing");
  }
}
