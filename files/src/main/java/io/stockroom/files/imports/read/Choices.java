package io.stockroom.files.imports.read;

import io.stockroom.protocol.request.ImportReader;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What people decide about the values of a file.
 *
 * @param mode what the quantities mean
 * @param differing what happens if the rows of a product have different values
 * @param rangesAsText whether {@code 30-32} is one size
 * @param onlyColor the color of products without colors; null: the merchant's word
 * @param onlySize the size of products without sizes; null: the merchant's word
 */
public record Choices(
    ImportMode mode,
    Differing differing,
    boolean rangesAsText,
    @Nullable String onlyColor,
    @Nullable String onlySize) {
  public static final Choices NONE =
      new Choices(ImportMode.SET, Differing.LOWEST, false, null, null);

  /** Which price a product gets if its rows have several; the first of other values is taken. */
  public enum Differing {
    LOWEST,
    HIGHEST,
    FIRST,
    /** The product is bad. */
    REJECT;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The choice with this name; null if there is none. */
    static @Nullable Differing named(String word) {
      return Arrays.stream(values())
          .filter(each -> each.word().equals(word))
          .findAny()
          .orElse(null);
    }

    /** The price of a product that has one and gets another. */
    public long price(long kept, long given) {
      return switch (this) {
        case LOWEST -> Math.min(kept, given);
        case HIGHEST -> Math.max(kept, given);
        case FIRST, REJECT -> kept;
      };
    }
  }

  /** The choices of a request, if it has no problems. */
  public static Choices of(ImportReader.Choices words) {
    return new Choices(
        Objects.requireNonNullElse(ImportMode.named(words.mode()), ImportMode.SET),
        Objects.requireNonNullElse(Differing.named(words.differing()), Differing.LOWEST),
        words.ranges().equals("text"),
        words.onlyColor(),
        words.onlySize());
  }

  public Choices with(ImportMode chosen) {
    return new Choices(chosen, differing, rangesAsText, onlyColor, onlySize);
  }

  /** Uses other words where none are chosen. */
  public Choices orElse(@Nullable String color, @Nullable String size) {
    return new Choices(
        mode,
        differing,
        rangesAsText,
        onlyColor == null ? color : onlyColor,
        onlySize == null ? size : onlySize);
  }

  String color() {
    return onlyColor == null ? "Default" : onlyColor;
  }

  String size() {
    return onlySize == null ? "One size" : onlySize;
  }
}
