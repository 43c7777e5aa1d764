package io.stockroom.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How long a replaced secret keeps working; may be zero. */
record Grace(String text) {
  private static final Grace NONE = new Grace("PT0S");

  boolean isNone() {
    return equals(NONE);
  }

  static final class Converter implements ITypeConverter<Grace> {
    @Override
    public Grace convert(String text) {
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
      return new Grace(upper);
    }
  }
}
