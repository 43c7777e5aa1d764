package io.stockroom.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How long a replaced secret keeps working; may be zero. */
record GracePeriod(String text) {
  private static final GracePeriod NONE = new GracePeriod("PT0S");

  boolean isNone() {
    return equals(NONE);
  }

  static final class Converter implements ITypeConverter<GracePeriod> {
    @Override
    public GracePeriod convert(String text) {
      String upper = text.toUpperCase(Locale.ROOT);
      if (upper.matches("P0[YMWD]|PT0[HMS]")) {
        return NONE;
      }
      if (!Expiry.isPositive(upper)) {
        throw new TypeConversionException(
            "'"
                + text
                + "' is not a duration; write P7D for 7 days, PT0S to end the old secret immediately");
      }
      return new GracePeriod(upper);
    }
  }
}
