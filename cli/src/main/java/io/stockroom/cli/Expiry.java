package io.stockroom.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How long a token holds, as an ISO period or duration; checked here, reckoned by the server. */
record Expiry(String text) {
  static final class Converter implements ITypeConverter<Expiry> {
    @Override
    public Expiry convert(String text) {
      String upper = text.toUpperCase(Locale.ROOT);
      if (!isPositive(upper)) {
        throw new TypeConversionException(
            "'" + text + "' is not a duration; write P90D for 90 days, PT12H for 12 hours");
      }
      return new Expiry(upper);
    }
  }

  /** Says whether {@code text}, in upper case, is a period or duration longer than nothing. */
  static boolean isPositive(String text) {
    try {
      if (text.contains("T")) {
        return Duration.parse(text).isPositive();
      }
      Period period = Period.parse(text);
      return !period.isNegative() && !period.isZero();
    } catch (DateTimeException e) {
      return false;
    }
  }
}
