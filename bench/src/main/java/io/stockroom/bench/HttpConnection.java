package io.stockroom.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

/** One HTTP connection that stays open: sends requests that are bytes already, reads answers. */
final class HttpConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;

  record Answer(int status, byte[] body) {
    /** The interface says so in the first field, whatever the call. */
    boolean isSuccess() {
      return status == 200 && text().startsWith("{\"success\":true");
    }

    String text() {
      return new String(body, UTF_8);
    }
  }

  private final Socket socket;
  private final InputStream in;

  HttpConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 15);
  }

  Answer send(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    int status = Integer.parseInt(line().substring(9, 12));
    int length = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.endsWith("chunked");
      }
    }
    return new Answer(status, chunked ? chunks() : exactly(length));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line().strip(), 16);
      body.writeBytes(exactly(length));
      line();
      if (length == 0) {
        return body.toByteArray();
      }
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the server has closed the connection within an answer");
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (each != '\r') {
        line.append((char) each);
      }
    }
    return line.toString();
  }
}
