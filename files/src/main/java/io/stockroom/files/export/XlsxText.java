package io.stockroom.files.export;

/**
 * Escapes texts so that a reader gets the same characters back. XML turns a carriage return into a
 * line feed and cannot hold most control characters; XLSX writes these as {@code _x000B_}, and
 * escapes a text that looks like such an escape.
 */
final class XlsxText {
  private static final byte[] AMPERSAND = Bytes.ascii("&amp;");
  private static final byte[] LESS = Bytes.ascii("&lt;");
  private static final byte[] GREATER = Bytes.ascii("&gt;");
  private static final byte[] CARRIAGE_RETURN = Bytes.ascii("&#13;");
  private static final byte[] UNDERSCORE = Bytes.ascii("_x005F_");
  private static final byte[] CONTROL = Bytes.ascii("_x00");
  private static final byte[] HEX = Bytes.ascii("0123456789ABCDEF");

  private XlsxText() {}

  static void put(Bytes out, byte[] bytes, int offset, int length) {
    int end = offset + length;
    int from = offset;
    for (int at = offset; at < end; at++) {
      byte each = bytes[at];
      boolean isSpecial =
          switch (each) {
            case '&', '<', '>' -> true;
            case '_' -> looksLikeEscape(bytes, at, end);
            case (byte) 0xEF -> isNoCharacter(bytes, at, end);
            case '\t', '\n' -> false;
            default -> each >= 0 && each < ' ';
          };
      if (isSpecial) {
        out.put(bytes, from, at - from);
        from = at + escape(out, bytes, at);
        at = from - 1;
      }
    }
    out.put(bytes, from, end - from);
  }

  /** Returns how many bytes were replaced. */
  private static int escape(Bytes out, byte[] bytes, int at) {
    byte each = bytes[at];
    switch (each) {
      case '&' -> out.put(AMPERSAND);
      case '<' -> out.put(LESS);
      case '>' -> out.put(GREATER);
      case '\r' -> out.put(CARRIAGE_RETURN);
      case '_' -> out.put(UNDERSCORE);
      case (byte) 0xEF -> {
        out.put(Bytes.ascii(bytes[at + 2] == (byte) 0xBE ? "_xFFFE_" : "_xFFFF_"));
        return 3;
      }
      default -> out.put(CONTROL).put(HEX[each >> 4]).put(HEX[each & 15]).put('_');
    }
    return 1;
  }

  /** U+FFFE and U+FFFF, which XML does not allow. */
  private static boolean isNoCharacter(byte[] bytes, int at, int end) {
    return at + 2 < end
        && bytes[at + 1] == (byte) 0xBF
        && (bytes[at + 2] == (byte) 0xBE || bytes[at + 2] == (byte) 0xBF);
  }

  private static boolean looksLikeEscape(byte[] bytes, int at, int end) {
    return at + 6 < end
        && bytes[at + 1] == 'x'
        && bytes[at + 6] == '_'
        && isHex(bytes[at + 2])
        && isHex(bytes[at + 3])
        && isHex(bytes[at + 4])
        && isHex(bytes[at + 5]);
  }

  private static boolean isHex(byte each) {
    return Character.digit(each, 16) >= 0;
  }
}
