package io.stockroom.cli;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real HTTP server on loopback that gives configured responses and records the requests. */
final class AnsweringServer implements AutoCloseable {
  private static final int CUT = -1;

  /** What a client sent. */
  record Received(String method, String path, Headers headers, String body) {
    String header(String name) {
      return String.valueOf(headers.getFirst(name));
    }
  }

  private record Answer(int status, Map<String, String> headers, String body) {}

  private final HttpServer server;
  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Received> received = new CopyOnWriteArrayList<>();

  AnsweringServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  AnsweringServer on(String method, String path, int status, String json) {
    return on(method, path, status, json, Map.of("Content-Type", "application/json"));
  }

  AnsweringServer on(
      String method, String path, int status, String body, Map<String, String> headers) {
    return put(method, path, new Answer(status, new HashMap<>(headers), body));
  }

  /** Announces a longer body than it sends, then closes the connection. */
  AnsweringServer cut(String method, String path) {
    return put(method, path, new Answer(CUT, Map.of(), "{\"half"));
  }

  /** Adds a response for the path, used after the earlier ones have been used once each. */
  AnsweringServer then(String method, String path, int status, String json) {
    answers
        .computeIfAbsent(method + " " + path, _ -> new ConcurrentLinkedDeque<>())
        .add(new Answer(status, Map.of("Content-Type", "application/json"), json));
    return this;
  }

  private AnsweringServer put(String method, String path, Answer answer) {
    answers.put(method + " " + path, new ConcurrentLinkedDeque<>(List.of(answer)));
    return this;
  }

  List<Received> received() {
    return received;
  }

  /** The last request. */
  Received last() {
    return received.getLast();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      received.add(
          new Received(
              method, exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body));
      Deque<Answer> set =
          answers.getOrDefault(
              method + " " + exchange.getRequestURI().getPath(),
              new ConcurrentLinkedDeque<>(
                  List.of(
                      new Answer(
                          404,
                          Map.of("Content-Type", "application/json"),
                          "{\"success\":false,\"msg\":\"No such path\"}"))));
      Answer answer = set.size() > 1 ? set.pop() : set.getFirst();
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      if (answer.status() == CUT) {
        exchange.sendResponseHeaders(200, bytes.length + 100L);
      } else {
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      }
      exchange.getResponseBody().write(bytes);
      exchange.getResponseBody().flush();
    }
  }
}
