package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one delivery does with receivers that are slow, broken or hostile. */
class WebhookSenderTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger lookups = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    end.countDown();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void sendsHeadersAndBodyToTheAddressThatWasLookedUp() {
    RawReceiver receiver = opened(RawReceiver.saying(OK));

    WebhookSender.Outcome outcome =
        sender(LONG, true)
            .send(
                URI.create("http://hooks.example:%d/in?key=1".formatted(receiver.port())),
                Map.of("webhook-id", "msg_1"),
                "{\"größe\":1}".getBytes(StandardCharsets.UTF_8));

    assertThat(outcome.error()).isNull();
    assertThat(outcome.status()).isEqualTo(200);
    assertThat(outcome.body()).isEqualTo("ok");
    assertThat(receiver.requests()).hasSize(1);
    assertThat(receiver.requests().getFirst())
        .startsWith("POST /in?key=1 HTTP/1.1\r\n")
        .contains("Host: hooks.example:" + receiver.port() + "\r\n")
        .contains("webhook-id: msg_1\r\n")
        .contains("Content-Type: application/json")
        .contains("User-Agent: Stockroom-Webhooks/1\r\n")
        .doesNotContain("Upgrade")
        .doesNotContain("Expect")
        .endsWith("\r\n\r\n{\"größe\":1}");
  }

  /** Resolves once: DNS could answer the check and the connection differently. */
  @Test
  void looksUpTheHostOnceForEachDelivery() {
    RawReceiver receiver = opened(RawReceiver.saying(OK));
    WebhookSender sender = sender(LONG, true);

    assertThat(send(sender, receiver).error()).isNull();
    assertThat(lookups).hasValue(1);
    assertThat(send(sender, receiver).error()).isNull();
    assertThat(lookups).hasValue(2);
  }

  /** A reset would be an error in the log of every receiver. */
  @ParameterizedTest
  @ValueSource(strings = {OK, "HTTP/1.1 204 No Content\r\n\r\n"})
  void closesTheConnectionInAnOrderlyWay(String response) throws Exception {
    CompletableFuture<Integer> afterwards = new CompletableFuture<>();
    RawReceiver receiver =
        opened(
            new RawReceiver(
                (socket, out) -> {
                  out.write(response.getBytes(StandardCharsets.US_ASCII));
                  try {
                    afterwards.complete(socket.getInputStream().read());
                  } catch (IOException reset) {
                    afterwards.completeExceptionally(reset);
                  }
                }));

    assertThat(send(sender(LONG, true), receiver).error()).isNull();
    assertThat(afterwards.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
    assertThat(receiver.requests().getFirst()).contains("Connection: close\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "127.1"})
  void neverConnectsToALoopbackAddress(String host) {
    RawReceiver receiver = opened(RawReceiver.saying(OK));
    WebhookSender sender =
        opened(
            new WebhookSender(new ReceiverHosts(InetAddress::getAllByName, false), trust(), LONG));

    WebhookSender.Outcome outcome =
        sender.send(
            URI.create("http://%s:%d/".formatted(host, receiver.port())), Map.of(), new byte[0]);

    assertThat(outcome.error()).isEqualTo(DeliveryError.HOST);
    assertThat(outcome.status()).isNull();
    assertThat(receiver.requests()).isEmpty();
  }

  @Test
  void rejectsAHostThatHasMovedToAPrivateAddress() {
    RawReceiver receiver = opened(RawReceiver.saying(OK));

    WebhookSender.Outcome outcome = send(sender(LONG, false), receiver);

    assertThat(outcome.error()).isEqualTo(DeliveryError.HOST);
    assertThat(outcome.detail()).isEqualTo("the host has no public address");
    assertThat(receiver.requests()).isEmpty();
  }

  @Test
  void rejectsAHostIfOneOfItsAddressesIsPrivate() throws Exception {
    InetAddress[] both = {InetAddress.ofLiteral("1.1.1.1"), InetAddress.ofLiteral("10.0.0.1")};
    try (ReceiverHosts hosts = new ReceiverHosts(_ -> both, false)) {
      assertThatThrownBy(() -> hosts.resolve("a.example"))
          .isInstanceOf(UnknownHostException.class)
          .hasMessage("a.example");
    }
  }

  @Test
  void followsNoRedirect() {
    RawReceiver inside = opened(RawReceiver.saying(OK));
    RawReceiver receiver =
        opened(
            RawReceiver.saying(
                "HTTP/1.1 307 Away\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n"
                    .formatted(inside.port())));

    WebhookSender.Outcome outcome = send(sender(LONG, true), receiver);

    assertThat(outcome.error()).isEqualTo(DeliveryError.STATUS);
    assertThat(outcome.status()).isEqualTo(307);
    assertThat(inside.requests()).isEmpty();
    assertThat(lookups).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 304, 400, 401, 407, 410, 429, 500, 503})
  void takesEveryOtherStatusForAFailure(int status) {
    RawReceiver receiver =
        opened(
            RawReceiver.saying(
                "HTTP/1.1 %d No\r\nContent-Length: 0\r\nWWW-Authenticate: Basic\r\n\r\n"
                    .formatted(status)));

    WebhookSender.Outcome outcome = send(sender(LONG, true), receiver);

    assertThat(outcome.status()).isEqualTo(status);
    assertThat(outcome.error()).isEqualTo(DeliveryError.STATUS);
    assertThat(outcome.detail()).endsWith(" " + status);
    assertThat(outcome.isGone()).isEqualTo(status == 410);
    assertThat(receiver.requests()).hasSize(1);
  }

  @Test
  void givesUpOnAReceiverThatHangs() {
    assertTimeout(opened(new RawReceiver((_, _) -> end.await())));
  }

  @Test
  void givesUpOnAResponseThatDrips() {
    assertTimeout(
        opened(
            new RawReceiver(
                (_, out) -> {
                  out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                  while (!end.await(50, TimeUnit.MILLISECONDS)) {
                    out.write('x');
                    out.flush();
                  }
                })));
  }

  @Test
  void givesUpOnEndlessInterimResponses() {
    assertTimeout(
        opened(
            new RawReceiver(
                (_, out) -> {
                  while (end.getCount() > 0) {
                    out.write("HTTP/1.1 102 Wait\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                  }
                })));
  }

  @Test
  void givesUpOnATlsHandshakeThatHangs() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
      WebhookSender.Outcome outcome =
          sender(SHORT, true)
              .send(
                  URI.create("https://hooks.example:" + silent.getLocalPort()),
                  Map.of(),
                  new byte[0]);

      assertThat(outcome.error()).isEqualTo(DeliveryError.TIMEOUT);
    }
  }

  @Test
  void readsOnlyTheBeginningOfAnEndlessBody() {
    RawReceiver receiver =
        opened(
            new RawReceiver(
                (_, out) -> {
                  out.write(
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          .getBytes(StandardCharsets.US_ASCII));
                  byte[] chunk =
                      ("1000\r\n" + "x".repeat(4096) + "\r\n").getBytes(StandardCharsets.US_ASCII);
                  while (end.getCount() > 0) {
                    out.write(chunk);
                  }
                }));

    WebhookSender.Outcome outcome = send(sender(LONG, true), receiver);

    assertThat(outcome.error()).isNull();
    assertThat(outcome.body()).hasSize(WebhookSender.MAX_KEPT_BYTES);
  }

  @Test
  void rejectsHeadersThatAreTooLongOrTooMany() {
    String long8 = "HTTP/1.1 200 OK\r\nX: " + "x".repeat(9000) + "\r\n\r\n";
    String many = "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(101) + "\r\n";

    for (String response : List.of(long8, many, "no HTTP at all\r\n\r\n".repeat(100))) {
      WebhookSender.Outcome outcome =
          send(sender(LONG, true), opened(RawReceiver.saying(response)));

      assertThat(outcome.error()).as(outcome.detail()).isEqualTo(DeliveryError.RESPONSE);
    }
  }

  @Test
  void noticesAReceiverThatResetsOrLeaves() {
    RawReceiver resets = opened(new RawReceiver((socket, _) -> socket.setSoLinger(true, 0)));
    RawReceiver leaves = opened(new RawReceiver((_, _) -> {}));
    RawReceiver stops =
        opened(RawReceiver.saying("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));

    for (RawReceiver receiver : List.of(resets, leaves, stops)) {
      assertThat(send(sender(LONG, true), receiver).error()).isEqualTo(DeliveryError.CLOSED);
      assertThat(receiver.requests()).hasSize(1);
    }
  }

  @Test
  void noticesThatNobodyListens() throws IOException {
    // bound but not listening: no other process can take the port
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));

      WebhookSender.Outcome outcome = send(sender(LONG, true), bound.getLocalPort());

      assertThat(outcome.error()).isEqualTo(DeliveryError.CONNECT);
      assertThat(outcome.detail()).isEqualTo("no connection could be made");
    }
  }

  @Test
  void noticesAHostThatDoesNotExist() {
    WebhookSender sender =
        opened(
            new WebhookSender(
                new ReceiverHosts(
                    host -> {
                      throw new UnknownHostException(host);
                    },
                    true),
                trust(),
                LONG));

    WebhookSender.Outcome outcome =
        sender.send(URI.create("http://nowhere.example/"), Map.of(), new byte[0]);

    assertThat(outcome.error()).isEqualTo(DeliveryError.HOST);
    assertThat(outcome.detail()).isEqualTo("the host has no public address");
  }

  @Test
  void ignoresTheProxyOfTheEnvironment() {
    RawReceiver receiver = opened(RawReceiver.saying(OK));
    System.setProperty("http.proxyHost", "127.0.0.1");
    System.setProperty("http.proxyPort", "9");
    try {
      assertThat(send(sender(LONG, true), receiver).error()).isNull();
    } finally {
      System.clearProperty("http.proxyHost");
      System.clearProperty("http.proxyPort");
    }
  }

  @Test
  void keepsNoCookieAndNoSecretOfTheResponse() {
    RawReceiver receiver =
        opened(
            RawReceiver.saying(
                "HTTP/1.1 200 OK\r\nSet-Cookie: session=0123456789\r\nContent-Length: 36\r\n\r\n"
                    + "{\"token\":\"srt_0123456789abcdefghij\"}\0"));
    WebhookSender sender = sender(LONG, true);

    WebhookSender.Outcome outcome = send(sender, receiver);
    send(sender, receiver);

    assertThat(outcome.headers()).contains("Set-Cookie: sess…").doesNotContain("456789");
    assertThat(outcome.body()).doesNotContain("abcdefghij", "\0");
    assertThat(receiver.requests().get(1)).doesNotContain("Cookie");
  }

  private void assertTimeout(RawReceiver receiver) {
    WebhookSender.Outcome outcome = send(sender(SHORT, true), receiver);

    assertThat(outcome.error()).isEqualTo(DeliveryError.TIMEOUT);
    assertThat(outcome.took()).isLessThan(LONG);
  }

  private static WebhookSender.Outcome send(WebhookSender sender, RawReceiver receiver) {
    return send(sender, receiver.port());
  }

  private static WebhookSender.Outcome send(WebhookSender sender, int port) {
    URI url = URI.create("http://hooks.example:%d/".formatted(port));
    return sender.send(url, Map.of(), "{}".getBytes(StandardCharsets.UTF_8));
  }

  private WebhookSender sender(Duration max, boolean allowPrivate) {
    ReceiverHosts.Lookup lookup =
        _ -> {
          lookups.incrementAndGet();
          return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
        };
    return opened(new WebhookSender(new ReceiverHosts(lookup, allowPrivate), trust(), max));
  }

  private static SSLContext trust() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T extends AutoCloseable> T opened(T closeable) {
    open.add(closeable);
    return closeable;
  }
}
