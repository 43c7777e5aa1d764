package io.stockroom.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A token's lifetime as an ISO 8601 period or duration; validated here, computed by the server. */
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

  /** Whether {@code text}, in upper case, is a positive period or duration. */
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
