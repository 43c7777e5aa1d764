package io.stockroom.protocol;

/**
 * Finds invisible characters, such as a zero-width space. Identifiers must not contain them, so
 * that identifiers that look the same are the same.
 */
final class VisibleText {
  /** Default_Ignorable_Code_Point of Unicode 16: first and last character of each range. */
  private static final int[] INVISIBLE = {
    0x00AD, 0x00AD, 0x034F, 0x034F, 0x061C, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F,
    0x200B, 0x200F, 0x202A, 0x202E, 0x2060, 0x206F, 0x3164, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF,
    0xFFA0, 0xFFA0, 0xFFF0, 0xFFF8, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF
  };

  private VisibleText() {}

  /** Rejects a text with an invisible character, and names the character and its position. */
  static void require(String text) {
    int character;
    for (int i = 0; i < text.length(); i += Character.charCount(character)) {
      character = text.codePointAt(i);
      if (isInvisible(character)) {
        throw notAllowed(text, i);
      }
    }
  }

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

  /** Names the character at {@code index} and its position, counted in characters from 1. */
  static InvalidValue notAllowed(String text, int index) {
    return new InvalidValue(
        ErrorCode.TEXT_CHARACTERS,
        text,
        "U+%04X".formatted(text.codePointAt(index)),
        text.codePointCount(0, index) + 1);
  }
}
