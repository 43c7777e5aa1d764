package io.stockroom.files.imports.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.HexFormat;
import java.util.StringJoiner;

/**
 * Decodes a file and fails at the first invalid bytes, after returning everything before them, so
 * that the caller knows their row.
 */
final class StrictReader extends Reader {
  /** The bytes that cannot be decoded. */
  static final class Undecodable extends IOException {
    private static final long serialVersionUID = 1;

    Undecodable(String bytes) {
      super(bytes);
    }
  }

  private static final int BUFFER = 1 << 16;

  private final InputStream input;
  private final CharsetDecoder decoder;
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).flip();
  private boolean ended;
  private boolean first = true;

  StrictReader(InputStream input, Charset charset) {
    this.input = input;
    this.decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  @Override
  public int read(char[] into, int offset, int length) throws IOException {
    CharBuffer characters = CharBuffer.wrap(into, offset, length);
    while (true) {
      CoderResult result = decoder.decode(bytes, characters, ended);
      int read = characters.position();
      if (read > 0) {
        if (first) {
          first = false;
          if (into[offset] == '\uFEFF') {
            System.arraycopy(into, offset + 1, into, offset, read - 1);
            characters.position(read - 1);
            continue;
          }
        }
        return read;
      }
      if (result.isError()) {
        throw new Undecodable(shown(result.length()));
      }
      if (ended) {
        return -1;
      }
      fill();
    }
  }

  private void fill() throws IOException {
    bytes.compact();
    int read = input.read(bytes.array(), bytes.position(), bytes.remaining());
    ended = read < 0;
    bytes.position(bytes.position() + Math.max(read, 0));
    bytes.flip();
  }

  private String shown(int length) {
    StringJoiner shown = new StringJoiner(" ");
    for (int i = 0; i < Math.min(length, bytes.remaining()); i++) {
      shown.add(HexFormat.of().withUpperCase().toHexDigits(bytes.get(bytes.position() + i)));
    }
    return shown.toString();
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
