package io.stockroom.protocol.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeRulesTest {
  @ParameterizedTest
  @CsvSource({
    "1700000000123, TIMESTAMP_MILLISECONDS, 1700000000",
    "1700000000123456, TIMESTAMP_MICROSECONDS, 1700000000",
    "1700000000123456789, TIMESTAMP_MICROSECONDS, 1700000000",
    "1700000000.123, TIMESTAMP_FRACTION, 1700000000",
    "2023-11-14T22:13:20Z, TIMESTAMP_DATE, 1767225600",
    "20231114221320, TIMESTAMP_DATE, 1767225600",
    "170000000, TIMESTAMP_FORMAT, 1767225600",
    "17000000000, TIMESTAMP_FORMAT, 1767225600",
  })
  void namesTheTimeUnitThatWasUsed(String timestamp, Cause cause, String expected) {
    Report report =
        Sent.right().with("timestamp", timestamp).knowing(all -> all.withSecret(null)).checked();

    assertThat(report.all())
        .containsExactly(new CheckProblem(cause, "headers.timestamp", expected, timestamp));
  }

  @Test
  void reportsMillisecondsOnceWhateverWasSigned() {
    String millis = Sent.TIME + "123";

    assertThat(Sent.right().with("timestamp", millis).causes())
        .containsExactly(Cause.TIMESTAMP_MILLISECONDS);
    assertThat(
            Sent.right()
                .with("timestamp", millis)
                .with("sign", Signature.sign(Sent.SECRET, millis))
                .causes())
        .containsExactly(Cause.TIMESTAMP_MILLISECONDS);
  }

  @ParameterizedTest
  @CsvSource({"300, ", "-300, ", "301, CLOCK_OFF", "-301, CLOCK_OFF", "4000, CLOCK_OFF"})
  void comparesTheTimestampWithTheTimeOfTheRequest(int ahead, Cause cause) {
    assertThat(Sent.right().at(1_700_000_000L - ahead, true).causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @Test
  void reportsHowManySecondsTheClockIsOff() {
    assertThat(Sent.right().at(1_700_000_412L, true).checked().all().get(0).found())
        .isEqualTo("1700000000 (-412 s)");
  }

  @Test
  void recognizesATimeZone() {
    assertThat(Sent.right().at(1_700_000_000L - 8 * 3600, true).causes())
        .containsExactly(Cause.CLOCK_ZONE);
    assertThat(Sent.right().at(1_700_000_000L - 8 * 3600 - 60, true).causes())
        .containsExactly(Cause.CLOCK_OFF);
  }

  @Test
  void doesNotRejectAnOldCapture() {
    Report report = Sent.right().at(1_700_090_000L, false).checked();

    assertThat(report.problems()).isEmpty();
    assertThat(report.remarks())
        .extracting(CheckProblem::cause)
        .containsExactly(Cause.TIMESTAMP_OLD);
    assertThat(Sent.right().at(1_699_999_000L, false).causes()).containsExactly(Cause.CLOCK_OFF);
  }
}
