package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ValuesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0 rules hold",
        "1 | 1 rule holds",
        "2 | 2 rules hold",
        "1200 | 1,200 rules hold"
      })
  void usesTheSingularForOneOnly(long count, String text) {
    assertThat(Values.count(count, "rule holds", "rules hold")).isEqualTo(text);
  }

  @Test
  void progressFollowsTheTotalIfItIsKnown() {
    assertThat(Progress.amount(0, 1, "products")).isEqualTo("0 of 1 product");
    assertThat(Progress.amount(1, 2, "products")).isEqualTo("1 of 2 products");
    assertThat(Progress.amount(1, 0, "products")).isEqualTo("1 product");
    assertThat(Progress.amount(1_500_000, 3_000_000, "bytes")).isEqualTo("1.5 of 3.0 MB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"P1D", "p3m", "PT1S", "P1DT12H"})
  void acceptsPeriodsAndDurations(String text) {
    assertThat(Values.expiry(text)).isEqualTo(text.toUpperCase(Locale.ROOT));
    assertThat(Values.gracePeriod(text)).isEqualTo(text.toUpperCase(Locale.ROOT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"90", "P", "P-1D", "PT-1S", "90d", "P0H", ""})
  void rejectsOtherPeriods(String text) {
    assertThatThrownBy(() -> Values.expiry(text)).hasMessageContaining("write P90D for 90 days");
    assertThatThrownBy(() -> Values.gracePeriod(text)).hasMessageContaining("write P7D for 7 days");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "P0D"})
  void onlyAGracePeriodMayBeZero(String text) {
    assertThat(Values.gracePeriod(text)).isEqualTo("PT0S");
    assertThatThrownBy(() -> Values.expiry(text)).isInstanceOf(TypeConversionException.class);
  }
}
