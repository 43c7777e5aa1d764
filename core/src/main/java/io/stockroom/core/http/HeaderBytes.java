package io.stockroom.core.http;

/** The head of a request as bytes: its request line and its header fields. */
final class HeaderBytes {
  private static final byte[] CONTENT_LENGTH = {
    'c', 'o', 'n', 't', 'e', 'n', 't', '-', 'l', 'e', 'n', 'g', 't', 'h'
  };

  private HeaderBytes() {}

  /**
   * Whether the request line is three words with one space between each, and nothing else. Tomcat
   * also takes tabs and several spaces, which another program may take for a part of the address.
   *
   * @param within the index of any byte of the request line
   */
  static boolean isPlainRequestLine(byte[] bytes, int within) {
    int start = within;
    while (start > 0 && bytes[start - 1] != '\n') {
      start--;
    }
    int spaces = 0;
    int end = start;
    for (; end < bytes.length && bytes[end] != '\r' && bytes[end] != '\n'; end++) {
      if (bytes[end] == '\t') {
        return false;
      }
      if (bytes[end] == ' ') {
        spaces++;
      }
    }
    return spaces == 2 && end > start && bytes[start] != ' ' && bytes[end - 1] != ' ';
  }

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
