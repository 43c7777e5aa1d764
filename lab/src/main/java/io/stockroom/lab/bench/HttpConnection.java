package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;

/**
 * A keep-alive HTTP connection that sends prepared bytes and reads responses. It works on bytes and
 * allocates no objects, because it shares the CPU with the server it measures.
 */
public final class HttpConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(UTF_8);
  private static final byte[] LINE_END = "\r\n".getBytes(UTF_8);
  private static final byte[] OK = "HTTP/1.1 200".getBytes(UTF_8);
  private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(UTF_8);

  /** The first field of every response. */
  private static final byte[] SUCCESS = "{\"success\":true".getBytes(UTF_8);

  private final Socket socket;
  private final InputStream in;
  private byte[] answer = new byte[1 << 15];
  private int end;

  public HttpConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = socket.getInputStream();
  }

  /** Sends a request, reads the whole response, and returns whether it was a success. */
  public boolean send(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    end = 0;
    int body = until(HEAD_END, 0);
    int length = find(LENGTH, 0, body);
    if (length >= 0) {
      int whole = body + number(length + LENGTH.length, 10);
      while (end < whole) {
        fill();
      }
      return isAt(OK, 0) && isAt(SUCCESS, body);
    }
    int first = until(LINE_END, body);
    int chunk = first;
    for (int size = number(body, 16); size > 0; ) {
      int next = chunk + size + LINE_END.length;
      while (end < next) {
        fill();
      }
      chunk = until(LINE_END, next);
      size = number(next, 16);
    }
    until(LINE_END, chunk);
    return isAt(OK, 0) && isAt(SUCCESS, first);
  }

  /** The last response as text. */
  public String answer() {
    return new String(answer, 0, end, UTF_8);
  }

  /** The status of the last response. */
  String status() {
    return new String(answer, OK.length - 3, 3, UTF_8);
  }

  /** The body of the last response, without the sizes of its chunks. */
  String body() {
    int start = find(HEAD_END, 0, end) + HEAD_END.length;
    if (find(LENGTH, 0, start) >= 0) {
      return new String(answer, start, end - start, UTF_8);
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int line = start;
    for (int size = number(line, 16); size > 0; size = number(line, 16)) {
      int chunk = find(LINE_END, line, end) + LINE_END.length;
      body.write(answer, chunk, size);
      line = chunk + size + LINE_END.length;
    }
    return body.toString(UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Reads until {@code mark} and returns the position after it. */
  private int until(byte[] mark, int from) throws IOException {
    int place = find(mark, from, end);
    while (place < 0) {
      int seen = Math.max(from, end - mark.length);
      fill();
      place = find(mark, seen, end);
    }
    return place + mark.length;
  }

  private void fill() throws IOException {
    if (end == answer.length) {
      answer = Arrays.copyOf(answer, end * 2);
    }
    int read = in.read(answer, end, answer.length - end);
    if (read < 0) {
      throw new EOFException("the server closed the connection");
    }
    end += read;
  }

  private int find(byte[] mark, int from, int to) {
    for (int i = from; i <= to - mark.length; i++) {
      if (isAt(mark, i)) {
        return i;
      }
    }
    return -1;
  }

  /** Compares case-insensitively. */
  private boolean isAt(byte[] mark, int place) {
    if (place + mark.length > end) {
      return false;
    }
    for (int i = 0; i < mark.length; i++) {
      if (Character.toLowerCase(answer[place + i]) != Character.toLowerCase(mark[i])) {
        return false;
      }
    }
    return true;
  }

  private int number(int place, int radix) {
    int at = place;
    while (answer[at] == ' ') {
      at++;
    }
    int number = 0;
    for (int digit = Character.digit(answer[at], radix);
        digit >= 0;
        digit = Character.digit(answer[++at], radix)) {
      number = number * radix + digit;
    }
    return number;
  }
}
