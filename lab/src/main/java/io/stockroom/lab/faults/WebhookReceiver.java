package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A receiver of webhooks that verifies messages with the published library and keeps a copy of the
 * stock. It ignores messages that it has accepted before. It speaks HTTP on plain sockets, so that
 * it can misbehave.
 */
final class WebhookReceiver implements AutoCloseable {
  static final int ACCEPTED = 204;
  static final int REDIRECT = 307;

  /** Instead of a status: resets the connection. */
  static final int RESET = -1;

  /** Instead of a status: never answers. */
  static final int HANG = -2;

  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final JsonMapper JSON = new JsonMapper();

  /** A message as it arrived, and the status of the response. */
  record Message(String id, String body, int status, long nanoTime) {
    private JsonNode changes() {
      return JSON.readTree(body).at("/data/changes");
    }
  }

  /** Decides how to answer. */
  interface Behavior {
    /**
     * A status, {@link #RESET} or {@link #HANG}.
     *
     * @param attempt 1 for the first time that this message arrives
     */
    int answer(int attempt);
  }

  private final ServerSocket server;
  private final boolean isBroken;
  private final StockCopy copy = new StockCopy();
  private final List<Message> messages = new ArrayList<>();
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Map<String, String> bodies = new HashMap<>();
  private final Set<String> accepted = new HashSet<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile CountDownLatch hold = new CountDownLatch(0);
  private volatile Behavior behavior = _ -> ACCEPTED;
  private volatile String secret = "";
  private volatile @Nullable Clock clock;

  /** When the newest message was signed; with a stepped clock only. */
  private Instant earliest = Instant.MIN;

  private WebhookReceiver(boolean isBroken) {
    this.isBroken = isBroken;
    try {
      server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var _ = Thread.ofVirtual().start(this::accept);
  }

  static WebhookReceiver start() {
    return new WebhookReceiver(false);
  }

  /** Creates a webhook for this receiver. */
  void subscribe(String url, Map<String, String> headers) {
    Answer answer =
        HttpCalls.post(
            url + "/Webhook/Create", headers, HttpCalls.JSON, "{\"url\":\"%s\"}".formatted(url()));
    secret = JSON.readTree(answer.text()).path("secret").asString("");
    if (secret.isEmpty()) {
      throw new IllegalStateException("no webhook: " + answer.text());
    }
  }

  /** A control: counts the messages that it rejects, and does not remember them. */
  static WebhookReceiver startBroken() {
    return new WebhookReceiver(true).behave(attempt -> attempt == 1 ? 500 : ACCEPTED);
  }

  WebhookReceiver behave(Behavior next) {
    behavior = next;
    return this;
  }

  String url() {
    return "http://127.0.0.1:%d/changes".formatted(server.getLocalPort());
  }

  /** Expects messages that are signed at the time of this clock. */
  WebhookReceiver clock(Clock stepped) {
    clock = stepped;
    earliest = stepped.instant().minus(TOLERANCE);
    return this;
  }

  StockCopy copy() {
    return copy;
  }

  /** Everything that arrived, repeated messages too. */
  List<Message> messages() {
    synchronized (messages) {
      return List.copyOf(messages);
    }
  }

  /** Holds responses back until {@link #release}. */
  void hold() {
    hold = new CountDownLatch(1);
  }

  void release() {
    hold.countDown();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        var _ = Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      String first = line(in);
      Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        int colon = line.indexOf(':');
        headers.put(line.substring(0, colon), List.of(line.substring(colon + 1).strip()));
      }
      int length = Integer.parseInt(header(headers, "content-length"));
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        // the node was killed while it sent
        return;
      }
      int status = receive(first, headers, new String(body, UTF_8));
      hold.await();
      if (status == HANG) {
        closing.await();
      } else if (status == RESET) {
        socket.setSoLinger(true, 0);
      } else {
        String location = status == REDIRECT ? "Location: " + url() + "/elsewhere\r\n" : "";
        String head = "HTTP/1.1 %d .\r\n%sContent-Length: 0\r\n\r\n".formatted(status, location);
        socket.getOutputStream().write(head.getBytes(UTF_8));
      }
    } catch (IOException broken) {
      // the node was killed, or has given up
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static String header(Map<String, List<String>> headers, String name) {
    return headers.getOrDefault(name, List.of("")).getFirst();
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the request is incomplete");
      }
      line.append(next == '\r' ? "" : (char) next);
    }
    return line.toString();
  }

  private int receive(String first, Map<String, List<String>> headers, String body) {
    String id = header(headers, "webhook-id");
    if (!first.startsWith("POST /changes ")) {
      copy.problem("a redirect was followed: " + first);
    }
    verify(id, headers, body);
    synchronized (messages) {
      int status = behavior.answer(attempts.merge(id, 1, Integer::sum));
      Message message = new Message(id, body, status, System.nanoTime());
      if (!body.equals(bodies.computeIfAbsent(id, _ -> body))) {
        copy.problem("message %s came with another body".formatted(id));
      }
      messages.add(message);
      if (isBroken || (status == ACCEPTED && accepted.add(id))) {
        message.changes().forEach(copy::apply);
      }
      return status;
    }
  }

  /** The library compares the timestamp with the real time, so a stepped clock needs its parts. */
  private void verify(String id, Map<String, List<String>> headers, String body) {
    Clock stepped = clock;
    try {
      if (stepped == null) {
        new Webhook(secret).verify(body, headers);
        return;
      }
      long timestamp = Long.parseLong(header(headers, "webhook-timestamp"));
      String signature = new Webhook(secret).sign(id, timestamp, body);
      if (!isInTime(Instant.ofEpochSecond(timestamp), stepped.instant())
          || !signature.equals(header(headers, "webhook-signature"))) {
        copy.problem("message %s is not signed for this time".formatted(id));
      }
    } catch (WebhookVerificationException | WebhookSigningException rejected) {
      copy.problem("the library rejects message %s: %s".formatted(id, rejected.getMessage()));
    }
  }

  /** The clock may have been stepped since the message was signed, but not since the one before. */
  private boolean isInTime(Instant signed, Instant now) {
    synchronized (messages) {
      boolean isInTime = !signed.isBefore(earliest) && !signed.isAfter(now.plus(TOLERANCE));
      earliest = isInTime ? signed : earliest;
      return isInTime;
    }
  }

  @Override
  public void close() {
    closing.countDown();
    release();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
