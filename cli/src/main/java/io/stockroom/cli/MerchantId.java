package io.stockroom.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The id of a merchant. */
record MerchantId(long value) {
  @Override
  public String toString() {
    return Long.toString(value);
  }

  static final class Converter implements ITypeConverter<MerchantId> {
    @Override
    public MerchantId convert(String text) {
      if (!text.matches("[1-9][0-9]{0,17}")) {
        throw new TypeConversionException(
            "'" + text + "' is not a merchant number (see: stockroom merchant list)");
      }
      return new MerchantId(Long.parseLong(text));
    }
  }
}
