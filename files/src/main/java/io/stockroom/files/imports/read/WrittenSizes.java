package io.stockroom.files.imports.read;

import io.stockroom.protocol.Size;
import io.stockroom.protocol.SizeRange;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the sizes of a cell or a column: one size, or a range of whole numbers. */
final class WrittenSizes {
  private static final Pattern RANGE = Pattern.compile("([0-9]+)\\s*[-~–—至到]\\s*([0-9]+)");

  private WrittenSizes() {}

  /** Throws {@link io.stockroom.protocol.InvalidValue} if the text is neither. */
  static SizeRange parse(String text) {
    Matcher range = RANGE.matcher(text.strip());
    return range.matches()
        ? SizeRange.parse(range.group(1) + "-" + range.group(2))
        : SizeRange.of(Size.of(text));
  }
}
