package io.stockroom.protocol;

import java.text.Normalizer;

/** Rules for short texts of a request: colors, barcodes, names. */
public final class Text {
  public static final int COLOR_CHARACTERS = 64;
  public static final int BARCODE_CHARACTERS = 64;
  public static final int ART_NO_CHARACTERS = 64;

  /** Default_Ignorable_Code_Point of Unicode 16: the first and the last of each range. */
  private static final int[] INVISIBLE = {
    0x00AD, 0x00AD, 0x034F, 0x034F, 0x061C, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F,
    0x200B, 0x200F, 0x202A, 0x202E, 0x2060, 0x206F, 0x3164, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF,
    0xFFA0, 0xFFA0, 0xFFF0, 0xFFF8, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF
  };

  private Text() {}

  /** Normalizes a color name: trimmed, Unicode NFC, 1 to 64 characters, none invisible. */
  public static String color(String text) {
    return identifier(text, COLOR_CHARACTERS);
  }

  /** Normalizes a barcode, with the same rules as for a color. */
  public static String barCode(String text) {
    return identifier(text, BARCODE_CHARACTERS);
  }

  /** Normalizes an item number, with the same rules as for a color. */
  public static String artNo(String text) {
    return identifier(text, ART_NO_CHARACTERS);
  }

  /** Like {@link #name}, for an identifier: rejects invisible characters. */
  public static String identifier(String text, int most) {
    requireVisible(text);
    return name(text, most);
  }

  /** Normalizes a text of one line: trimmed, Unicode NFC, 1 to {@code most} characters. */
  public static String name(String text, int most) {
    String kept = line(text, most);
    if (kept.isEmpty()) {
      throw new InvalidValue(ErrorCode.TEXT_EMPTY);
    }
    return kept;
  }

  /** Like {@link #name}, but may be empty. */
  public static String line(String text, int most) {
    if (text.length() <= most && isPlain(text)) {
      return text;
    }
    rejectBroken(text);
    String kept = Normalizer.normalize(text, Normalizer.Form.NFC).strip();
    for (int i = 0; i < kept.length(); i++) {
      if (Character.isISOControl(kept.charAt(i))) {
        throw notAllowed(kept, i);
      }
    }
    rejectTooLong(kept, most);
    return kept;
  }

  /**
   * Checks a text of several lines: no NUL, no broken characters, at most {@code most} characters.
   */
  public static String block(String text, int most) {
    rejectBroken(text);
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      throw notAllowed(text, nul);
    }
    rejectTooLong(text, most);
    return text;
  }

  /** Fast path for most texts: printable ASCII without surrounding spaces needs no change. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      boolean edge = i == 0 || i == text.length() - 1;
      char c = text.charAt(i);
      if (c >= 127 || c < (edge ? '!' : ' ')) {
        return false;
      }
    }
    return true;
  }

  private static void rejectTooLong(String text, int most) {
    int characters = text.codePointCount(0, text.length());
    if (characters > most) {
      throw new InvalidValue(ErrorCode.TEXT_TOO_LONG, text, characters, most);
    }
  }

  /** PostgreSQL cannot store half a surrogate pair. */
  private static void rejectBroken(String text) {
    int character;
    for (int i = 0; i < text.length(); i += Character.charCount(character)) {
      character = text.codePointAt(i);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        throw notAllowed(text, i);
      }
    }
  }

  /** Rejects a text with such a character, and says which and where. */
  private static void requireVisible(String text) {
    int character;
    for (int i = 0; i < text.length(); i += Character.charCount(character)) {
      character = text.codePointAt(i);
      if (isInvisible(character)) {
        throw notAllowed(text, i);
      }
    }
  }

  /** Whether nobody sees the character, such as a zero-width space. */
  static boolean isInvisible(int character) {
    if (character < INVISIBLE[0]) {
      return false;
    }
    for (int i = 0; i < INVISIBLE.length; i += 2) {
      if (character >= INVISIBLE[i] && character <= INVISIBLE[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** Names the character at {@code index} of a text, and its place as people count. */
  private static InvalidValue notAllowed(String text, int index) {
    return new InvalidValue(
        ErrorCode.TEXT_CHARACTERS,
        text,
        "U+%04X".formatted(text.codePointAt(index)),
        text.codePointCount(0, index) + 1);
  }
}
