package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.stockroom.client.Credentials;
import io.stockroom.lab.HttpCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;
import tools.jackson.databind.json.JsonMapper;

/**
 * A receiver of webhooks that verifies messages with the published library and keeps a copy of the
 * stock. It ignores messages that it has accepted before.
 */
final class WebhookReceiver implements AutoCloseable {
  static final int ACCEPTED = 204;

  /** A message as it arrived. */
  record Message(String id, String body, long nanoTime) {}

  private final HttpServer server;
  private final boolean isBroken;
  private final IntUnaryOperator answer;
  private final StockCopy copy = new StockCopy();
  private final List<Message> messages = new ArrayList<>();
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Map<String, String> bodies = new HashMap<>();
  private final Set<String> accepted = new HashSet<>();
  private volatile CountDownLatch hold = new CountDownLatch(0);
  private volatile String secret = "";

  private WebhookReceiver(boolean isBroken, IntUnaryOperator answer) {
    this.isBroken = isBroken;
    this.answer = answer;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var _ = server.createContext("/", this::serve);
    server.start();
  }

  /** Answers with the status that {@code answer} gives for the first, second … attempt. */
  static WebhookReceiver start(IntUnaryOperator answer) {
    return new WebhookReceiver(false, answer);
  }

  /** A control: counts the messages that it rejects, and does not remember them. */
  static WebhookReceiver startBroken() {
    return new WebhookReceiver(true, attempt -> attempt == 1 ? 500 : ACCEPTED);
  }

  /** Creates a webhook for this receiver. */
  WebhookReceiver subscribe(String url, Credentials credentials) {
    String body = "{\"url\":\"http://127.0.0.1:%d/\"}".formatted(server.getAddress().getPort());
    var made = HttpCalls.call(credentials, url + "/Webhook/Create", body);
    secret = made.isDone() ? made.json().get("secret").asString() : "";
    if (secret.isEmpty()) {
      throw new IllegalStateException("no webhook: " + made.text());
    }
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

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      int status = receive(exchange.getRequestHeaders(), body);
      hold.await();
      exchange.sendResponseHeaders(status, -1);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private int receive(Map<String, List<String>> headers, String body) {
    String id = headers.getOrDefault("Webhook-id", List.of("")).getFirst();
    try {
      new Webhook(secret).verify(body, headers);
    } catch (WebhookVerificationException rejected) {
      copy.problem("the library rejects message %s: %s".formatted(id, rejected.getMessage()));
    }
    synchronized (messages) {
      int status = answer.applyAsInt(attempts.merge(id, 1, Integer::sum));
      if (!body.equals(bodies.computeIfAbsent(id, _ -> body))) {
        copy.problem("message %s came with another body".formatted(id));
      }
      messages.add(new Message(id, body, System.nanoTime()));
      if (isBroken || (status == ACCEPTED && accepted.add(id))) {
        JsonMapper.shared().readTree(body).at("/data/changes").forEach(copy::apply);
      }
      return status;
    }
  }

  @Override
  public void close() {
    release();
    server.stop(0);
  }
}
