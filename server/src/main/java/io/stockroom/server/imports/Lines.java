package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The lines of an import, each bounded; blank lines and a byte order mark are passed over. */
final class Lines {
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  /**
   * @param fault what is wrong with the line before it is even read
   */
  record Line(int number, String text, @Nullable Problem fault) {}

  private final InputStream input;
  private int number;

  Lines(InputStream input) {
    this.input = new BufferedInputStream(input, 1 << 16);
  }

  /** The next line that is not blank, or null at the end. */
  @Nullable Line next() {
    try {
      for (Line line = read(); line != null; line = read()) {
        if (line.fault != null || !line.text.isBlank()) {
          return line;
        }
      }
      return null;
    } catch (IOException cut) {
      throw new UncheckedIOException(cut);
    }
  }

  private @Nullable Line read() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    boolean tooLong = false;
    int b = input.read();
    if (b < 0) {
      return null;
    }
    number++;
    for (; b >= 0 && b != '\n'; b = input.read()) {
      tooLong |= bytes.size() >= MOST_BYTES;
      if (!tooLong) {
        bytes.write(b);
      }
    }
    if (tooLong) {
      return new Line(number, "", Problem.of("", ErrorCode.BODY_TOO_LARGE, MOST_BYTES));
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString();
      return new Line(number, number == 1 ? withoutMark(text) : text, null);
    } catch (CharacterCodingException notUtf8) {
      return new Line(
          number, "", Problem.of("", ErrorCode.TEXT_FORMAT, "…", "the line is not UTF-8"));
    }
  }

  private static String withoutMark(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }
}
