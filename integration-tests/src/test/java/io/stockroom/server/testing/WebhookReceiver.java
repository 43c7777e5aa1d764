package io.stockroom.server.testing;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of webhooks on this machine, which records what it gets. */
public final class WebhookReceiver implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A message as it arrived. */
  public record Received(Map<String, List<String>> headers, String body) {
    public JsonNode json() {
      return JSON.readTree(body);
    }

    public String header(String name) {
      return headers.getOrDefault(name, List.of("")).getFirst();
    }

    public String id() {
      return header("webhook-id");
    }

    public String type() {
      return json().get("type").asString();
    }

    /** The numbers of its changes. */
    public List<Long> numbers() {
      return json()
          .at("/data/changes")
          .valueStream()
          .map(each -> each.get("number").asLong())
          .toList();
    }

    /** Whether the published library of Standard Webhooks accepts it. */
    public boolean isSignedWith(String secret) {
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch (WebhookVerificationException rejected) {
        return false;
      }
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private volatile int status = 204;
  private volatile CountDownLatch open = new CountDownLatch(0);

  public WebhookReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, List<String>> headers = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(exchange.getRequestHeaders());
    received.add(new Received(headers, body));
    try {
      open.await();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Answers with this status from now on. */
  public void answer(int code) {
    status = code;
  }

  /** Holds responses back until {@link #resume}. */
  public void hold() {
    open = new CountDownLatch(1);
  }

  public void resume() {
    open.countDown();
  }

  /** All messages so far. */
  public List<Received> all() {
    return received;
  }

  /** The numbers of all changes so far, in the order in which they arrived. */
  public List<Long> numbers() {
    return received.stream().flatMap(each -> each.numbers().stream()).toList();
  }

  /** Waits for so many messages and returns the last of them. */
  public Received await(int count) {
    if (!Eventually.within(PATIENCE, () -> received.size() >= count)) {
      throw new IllegalStateException(received.size() + " of " + count + " messages arrived");
    }
    return received.get(count - 1);
  }

  @Override
  public void close() {
    open.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
