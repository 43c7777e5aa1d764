package io.stockroom.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;

/** The page of a long list, starting at 1. */
record PageNumber(int value) {
  @Override
  public String toString() {
    return Integer.toString(value);
  }

  /**
   * Prints the position in the list, and the command for the next page.
   *
   * @param command the command that showed this page, without its {@code --page}
   */
  static void conclude(JsonNode page, String command, Output output) {
    long number = page.path("page").asLong(1);
    long totalPages = page.path("totalPages").asLong(1);
    if (number > totalPages) {
      output.line(
          "There is no page %d; the last page is %d.".formatted(number, Math.max(1, totalPages)));
    } else if (number < totalPages) {
      output.line(
          "Page %d of %d. Next: %s --page %d".formatted(number, totalPages, command, number + 1));
    } else if (number > 1) {
      output.line("Page %d of %d.".formatted(number, totalPages));
    }
  }

  static final class Converter implements ITypeConverter<PageNumber> {
    @Override
    public PageNumber convert(String text) {
      if (!text.matches("[1-9][0-9]{0,8}")) {
        throw new TypeConversionException("'" + text + "' is not a page; pages start at 1");
      }
      return new PageNumber(Integer.parseInt(text));
    }
  }
}
