package io.stockroom.console.stock;

import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.SizeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads sizes as people type them: {@code 36-44}, {@code S M L XL} or {@code One size, Two}. With
 * commas, a size may contain blanks; without, blanks separate only numbers, ranges and letter
 * sizes.
 */
public final class TypedSizes {
  private static final Pattern COMMAS = Pattern.compile("[,，、;；\\n]+");
  private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Z}]+");

  private TypedSizes() {}

  /** The sizes in their order, each once. Throws {@link InvalidValue} if a part cannot be one. */
  public static List<Size> read(String text) {
    TreeSet<Size> sizes = new TreeSet<>();
    for (String part : COMMAS.split(text.strip(), -1)) {
      if (!part.isBlank()) {
        sizes.addAll(part(part.strip()));
      }
    }
    return List.copyOf(sizes);
  }

  private static List<Size> part(String text) {
    List<Size> sizes = new ArrayList<>();
    for (String word : BLANKS.split(text)) {
      SizeRange range = SizeRange.parseAny(word);
      if (!range.first().isUsual()) {
        return SizeRange.parseAny(text).sizes();
      }
      sizes.addAll(range.sizes());
    }
    return sizes;
  }
}
