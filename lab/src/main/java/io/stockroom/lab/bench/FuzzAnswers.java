package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the responses to malformed requests. */
final class FuzzAnswers {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final String NONE = "no answer";

  /** HTTP 0.9 has no status. */
  private static final String WITHOUT_STATUS = "refused";

  /** The header never ends, so no response is possible. */
  private static final String CUT_OFF = "cut off";

  private final Map<String, Long> statuses = new TreeMap<>();
  private long[] nanos = new long[1024];
  private int count;

  /** Sends the bytes, then reads until the server closes the connection. */
  void ask(int port, byte[] request) throws IOException {
    long start = System.nanoTime();
    String answer = "";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.setTcpNoDelay(true);
      socket.getOutputStream().write(request);
      socket.shutdownOutput();
      answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } catch (java.net.SocketException reset) {
      // the server may close before reading everything; what counts is its response
    }
    note(status(request, answer), System.nanoTime() - start);
  }

  private static String status(byte[] request, String answer) {
    if (answer.startsWith("HTTP/1.1 ") && answer.length() >= 12) {
      return answer.substring(9, 12);
    }
    if (answer.startsWith("{\"success\":false")) {
      return WITHOUT_STATUS;
    }
    String text = new String(request, ISO_8859_1);
    return text.contains("\r\n\r\n") || text.contains("\n\n") ? NONE : CUT_OFF;
  }

  private void note(String status, long time) {
    statuses.merge(status, 1L, Long::sum);
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, count * 2);
    }
    nanos[count++] = time;
  }

  void add(FuzzAnswers other) {
    other.statuses.forEach((status, times) -> statuses.merge(status, times, Long::sum));
    long[] all = Arrays.copyOf(nanos, count + other.count);
    System.arraycopy(other.nanos, 0, all, count, other.count);
    nanos = all;
    count = all.length;
  }

  int count() {
    return count;
  }

  Map<String, Long> statuses() {
    return statuses;
  }

  double millis(double percentile) {
    return Latencies.of(List.of(Arrays.copyOf(nanos, count))).millis(percentile);
  }

  long slowerThan(int millis) {
    return Arrays.stream(nanos, 0, count).filter(time -> time > millis * 1_000_000L).count();
  }

  /** 501 and 505 mean that the client speaks another HTTP; every other 5xx is a bug. */
  boolean isBad() {
    return statuses.keySet().stream()
        .anyMatch(
            status ->
                status.equals(NONE)
                    || (status.startsWith("5") && !status.equals("501") && !status.equals("505")));
  }
}
