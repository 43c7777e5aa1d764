package io.stockroom.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The id of an import. */
record ImportId(long value) {
  @Override
  public String toString() {
    return Long.toString(value);
  }

  static final class Converter implements ITypeConverter<ImportId> {
    @Override
    public ImportId convert(String text) {
      if (!text.matches("[1-9][0-9]{0,17}")) {
        throw new TypeConversionException(
            "'" + text + "' is not an import number (see: stockroom import list)");
      }
      return new ImportId(Long.parseLong(text));
    }
  }
}
