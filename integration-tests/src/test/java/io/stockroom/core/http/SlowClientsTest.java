package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that sends a byte now and then does not keep the server busy for long. */
class SlowClientsTest {
  private static final Duration LONGEST = Duration.ofSeconds(9);
  private static final long EVERY_MILLIS = 200;

  /** Beyond one buffer of a connection. */
  private static final int LONG = 9_000;

  /** The beginning of a form of the console. */
  private static final String SIGN_IN =
      """
      POST /console/sign-in HTTP/1.1\r
      Host: localhost\r
      Origin: http://localhost\r
      Content-Type: application/x-www-form-urlencoded\r
      Content-Length: 2000\r
      \r
      email=""";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Api api = merchant.api();

  private record Ended(String answer, Duration after) {}

  @Test
  void areDisconnectedWithinSecondsWhileOthersAreServed() throws Exception {
    String header = "POST /Stock/Product HTTP/1.1\r\nHost: localhost\r\nx: ";
    String body = api.call("/Stock/Product").form("").head("Content-Length: 2000000");
    String shortBody = api.call("/Stock/Product").form("").head("Content-Length: 2000");
    String refused = "POST /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n";
    try (ScheduledExecutorService trickle = Executors.newScheduledThreadPool(1);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Ended>> slow =
          List.of(
              () -> drip(trickle, ""),
              () -> drip(trickle, header),
              () -> drip(trickle, body),
              () -> drip(trickle, shortBody),
              () -> drip(trickle, body + "a".repeat(LONG)),
              () -> fallSilent(shortBody + "page"),
              () -> fallSilent(body + "page"),
              () -> drip(trickle, refused),
              () -> drip(trickle, upload()),
              () -> fallSilent(upload()),
              () -> drip(trickle, SIGN_IN),
              () -> drip(adminPort(), trickle, operatorCall("/admin/merchants/%d/imports")),
              () -> drip(adminPort(), trickle, operatorCall("/admin/merchants")));
      List<Future<Ended>> running = new ArrayList<>();
      slow.forEach(each -> running.add(clients.submit(each)));

      assertThat(api.products("page=1").status()).isEqualTo(200);
      for (Future<Ended> each : running) {
        assertThat(each.get().after()).as("client %d", running.indexOf(each)).isLessThan(LONGEST);
      }
      assertThat(running.get(0).get().answer()).isEmpty();
      assertThat(running.get(1).get().answer()).isEmpty();
      for (Future<Ended> each : running.subList(2, 7)) {
        assertThat(each.get().answer())
            .startsWith("HTTP/1.1 408")
            .contains("\"code\":\"BODY_TIMEOUT\"");
      }
      assertThat(running.get(7).get().answer()).startsWith("HTTP/1.1 404");
      for (Future<Ended> each : running.subList(8, 10)) {
        assertThat(each.get().answer())
            .startsWith("HTTP/1.1 408")
            .contains("The connection was lost during the upload");
      }
      assertThat(running.get(10).get().answer()).startsWith("HTTP/1.1 4");
      for (Future<Ended> each : running.subList(11, 13)) {
        assertThat(each.get().answer()).startsWith("HTTP/1.1 408").contains("BODY_TIMEOUT");
      }
      trickle.shutdownNow();
    }
    assertThat(api.products("page=1").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 7_000, 9_000})
  void areAnsweredWhenTheRequestArrivesInPieces(int padding) throws IOException {
    String body = "page=1";
    String whole =
        api.call("/Stock/Product")
                .form(body)
                .head("Content-Length: " + body.length(), "x: " + "a".repeat(padding))
            + body;
    assertThat(statusOfPieces(whole, padding)).isEqualTo("HTTP/1.1 200 OK");
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 9_000})
  void areAnsweredWhenALongBodyArrivesInPieces(int size) throws IOException {
    String body = "page=1&ignored=" + "a".repeat(20_000);
    String whole = api.call("/Stock/Product").form(body).head("Content-Length: " + body.length());

    assertThat(statusOfPieces(whole + body, size)).isEqualTo("HTTP/1.1 200 OK");
  }

  /** The beginning of an upload in the console. */
  private String upload() {
    return """
    POST /console/imports?name=a.csv HTTP/1.1\r
    Host: localhost\r
    Origin: http://localhost\r
    Cookie: stockroom-session=%s\r
    Form-Token: %s\r
    Stockroom-Request: fetch\r
    Content-Type: application/octet-stream\r
    Content-Length: 2000000\r
    \r
    """
        .formatted(person.session(), person.formToken());
  }

  private String operatorCall(String path) {
    return """
    POST %s HTTP/1.1\r
    Host: localhost\r
    Authorization: Bearer %s\r
    Content-Length: 2000000\r
    \r
    """
        .formatted(path.formatted(merchant.id()), merchant.server().operatorKey());
  }

  private int adminPort() {
    return api.server().adminPort();
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) LONGEST.toMillis() * 2);
    // sends each piece at once
    socket.setTcpNoDelay(true);
    return socket;
  }

  private String statusOfPieces(String request, int size) throws IOException {
    try (Socket socket = connect(api.server().port())) {
      for (int i = 0; i < request.length(); i += size) {
        String piece = request.substring(i, Math.min(request.length(), i + size));
        socket.getOutputStream().write(piece.getBytes(ISO_8859_1));
      }
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))
          .readLine();
    }
  }

  /** Sends {@code beginning} and then single bytes until the server closes the connection. */
  private Ended drip(ScheduledExecutorService trickle, String beginning) throws IOException {
    return drip(api.server().port(), trickle, beginning);
  }

  private Ended drip(int port, ScheduledExecutorService trickle, String beginning)
      throws IOException {
    long start = System.nanoTime();
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(beginning.getBytes(ISO_8859_1));
      ScheduledFuture<?> drops =
          trickle.scheduleAtFixedRate(
              () -> drop(socket), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
      try {
        return new Ended(answer(socket), Duration.ofNanos(System.nanoTime() - start));
      } finally {
        drops.cancel(true);
      }
    }
  }

  /** Sends {@code beginning}, and nothing more. */
  private Ended fallSilent(String beginning) throws IOException {
    long start = System.nanoTime();
    try (Socket socket = connect(api.server().port())) {
      socket.getOutputStream().write(beginning.getBytes(ISO_8859_1));
      return new Ended(answer(socket), Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private static String answer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    try {
      int next = socket.getInputStream().read();
      for (; next >= 0; next = socket.getInputStream().read()) {
        answer.append((char) next);
      }
    } catch (java.net.SocketException reset) {
      // the server need not accept the rest
    }
    return answer.toString();
  }

  private static void drop(Socket socket) {
    try {
      socket.getOutputStream().write('a');
    } catch (IOException closed) {
      throw new IllegalStateException(closed);
    }
  }
}
