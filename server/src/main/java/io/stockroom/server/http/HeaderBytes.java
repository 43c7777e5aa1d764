package io.stockroom.server.http;

/** The fields of a request's header as bytes, from the first name to the empty line. */
final class HeaderBytes {
  private static final byte[] CONTENT_LENGTH = {
    'c', 'o', 'n', 't', 'e', 'n', 't', '-', 'l', 'e', 'n', 'g', 't', 'h'
  };

  private HeaderBytes() {}

  /**
   * Whether two programs could read the header differently.
   *
   * @param start where the first field begins, after the request line
   * @param chunked whether the body has a transfer coding, so that it may have no length as well
   */
  static boolean isAmbiguous(byte[] bytes, int start, boolean chunked) {
    if (!endsInCrLf(bytes, start)) {
      return true;
    }
    int lengths = chunked ? 1 : 0;
    for (int line = start; line < bytes.length && bytes[line] != '\r'; ) {
      if (bytes[line] == ' ' || bytes[line] == '\t') {
        return true;
      }
      if (isContentLength(bytes, line) && ++lengths > 1) {
        return true;
      }
      line = indexAfterLine(bytes, line);
      if (!endsInCrLf(bytes, line)) {
        return true;
      }
    }
    return false;
  }

  private static boolean endsInCrLf(byte[] bytes, int end) {
    return end >= 2 && bytes[end - 1] == '\n' && bytes[end - 2] == '\r';
  }

  private static int indexAfterLine(byte[] bytes, int start) {
    int at = start;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, bytes.length);
  }

  private static boolean isContentLength(byte[] bytes, int start) {
    if (start + CONTENT_LENGTH.length >= bytes.length) {
      return false;
    }
    for (int i = 0; i < CONTENT_LENGTH.length; i++) {
      if ((bytes[start + i] | 0x20) != CONTENT_LENGTH[i]) {
        return false;
      }
    }
    return bytes[start + CONTENT_LENGTH.length] == ':';
  }
}
