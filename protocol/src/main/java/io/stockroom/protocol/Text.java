package io.stockroom.protocol;

import java.text.Normalizer;

/** What a short text of a request may be: a color, a barcode, a name. */
public final class Text {
  public static final int COLOR_CHARACTERS = 64;
  public static final int BARCODE_CHARACTERS = 64;

  private Text() {}

  /** A color's name as it is kept: trimmed, Unicode NFC, 1 to 64 characters, none invisible. */
  public static String color(String text) {
    return identifier(text, COLOR_CHARACTERS);
  }

  /** A barcode as it is kept, under the same rules as a color. */
  public static String barCode(String text) {
    return identifier(text, BARCODE_CHARACTERS);
  }

  /** As {@link #name}, for a text by which something is known: it has no invisible characters. */
  public static String identifier(String text, int most) {
    VisibleText.require(text);
    return name(text, most);
  }

  /** A text of one line as it is kept: trimmed, Unicode NFC, 1 to {@code most} characters. */
  public static String name(String text, int most) {
    String kept = line(text, most);
    if (kept.isEmpty()) {
      throw new InvalidValue(ErrorCode.TEXT_EMPTY);
    }
    return kept;
  }

  /** As {@link #name}, but it may be empty. */
  public static String line(String text, int most) {
    if (text.length() <= most && isPlain(text)) {
      return text;
    }
    refuseBroken(text);
    String kept = Normalizer.normalize(text, Normalizer.Form.NFC).strip();
    for (int i = 0; i < kept.length(); i++) {
      if (Character.isISOControl(kept.charAt(i))) {
        throw VisibleText.notAllowed(kept, i);
      }
    }
    refuseTooLong(kept, most);
    return kept;
  }

  /** A text of several lines, kept as it is: no NUL, no broken characters, at most {@code most}. */
  public static String block(String text, int most) {
    refuseBroken(text);
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      throw VisibleText.notAllowed(text, nul);
    }
    refuseTooLong(text, most);
    return text;
  }

  /** Printable ASCII without spaces around it is kept as it is; most texts are such. */
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

  private static void refuseTooLong(String text, int most) {
    int characters = text.codePointCount(0, text.length());
    if (characters > most) {
      throw new InvalidValue(ErrorCode.TEXT_TOO_LONG, text, characters, most);
    }
  }

  /** Half a surrogate pair is no character, and PostgreSQL could not store it. */
  private static void refuseBroken(String text) {
    int character;
    for (int i = 0; i < text.length(); i += Character.charCount(character)) {
      character = text.codePointAt(i);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        throw VisibleText.notAllowed(text, i);
      }
    }
  }
}
