package io.stockroom.conformance;

import io.stockroom.protocol.Signature;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A server with one defect: the real server behind a proxy that changes requests or responses.
 *
 * @param rule the rule that it violates
 * @param also rules that this defect violates as well
 * @param bent wraps the real server
 */
record BrokenServer(String rule, Set<String> also, Function<Transport, Transport> bent) {
  static final String ANYTHING = "anything";

  BrokenServer {
    also = Set.copyOf(also);
  }

  BrokenServer with(String... further) {
    return new BrokenServer(rule, Set.of(further), bent);
  }

  @Override
  public String toString() {
    return rule;
  }

  /** Accepts what must be rejected. */
  static BrokenServer accepting(String rule, Predicate<Request> what) {
    return answering(rule, what, BrokenServer::accepted);
  }

  /** Rejects what must be accepted. */
  static BrokenServer rejecting(String rule, Predicate<Request> what) {
    return answering(rule, what, _ -> rejection("Refused."));
  }

  /** Responds to some requests itself. */
  static BrokenServer answering(
      String rule, Predicate<Request> what, Function<Request, Answer> answer) {
    return new BrokenServer(
        rule,
        Set.of(),
        real -> request -> what.test(request) ? answer.apply(request) : real.send(request));
  }

  /** Forwards some requests in a changed form. */
  static BrokenServer forwarding(
      String rule, Predicate<Request> what, UnaryOperator<Request> other) {
    return new BrokenServer(
        rule,
        Set.of(),
        real -> request -> real.send(what.test(request) ? other.apply(request) : request));
  }

  /** Changes the responses to some requests. */
  static BrokenServer changing(String rule, Predicate<Request> what, UnaryOperator<Answer> change) {
    return new BrokenServer(
        rule,
        Set.of(),
        real ->
            request -> what.test(request) ? change.apply(real.send(request)) : real.send(request));
  }

  /** Replaces text in the bodies of the responses to some requests. */
  static BrokenServer rewriting(
      String rule, Predicate<Request> what, String pattern, String replacement) {
    return changing(
        rule, what, answer -> body(answer, answer.body().replaceAll(pattern, replacement)));
  }

  static Predicate<Request> on(String path) {
    return request -> request.method().equals("POST") && request.path().equals(path);
  }

  static Predicate<Request> creating(Predicate<String> body) {
    return on(Probe.CREATE).and(request -> body.test(request.text()));
  }

  static Predicate<Request> createHas(String part) {
    return creating(body -> body.contains(part));
  }

  static Predicate<Request> formHas(String path, String part) {
    return on(path).and(request -> request.text().contains(part));
  }

  static int groups(String body) {
    return body.split("\"color\"", -1).length - 1;
  }

  static Answer accepted(Request request) {
    String body =
        switch (request.path()) {
          case Probe.CREATE -> "{\"success\":true,\"msg\":\"\"}";
          case Probe.PRODUCTS -> "{\"success\":true,\"totalPages\":0,\"data\":[]}";
          default -> "{\"success\":true,\"data\":[],\"msg\":\"\"}";
        };
    return answer(200, body);
  }

  static Answer rejection(String msg) {
    return answer(
        400,
        "{\"success\":false,\"msg\":\"%1$s\",\"errors\":[{\"at\":\"\",\"code\":\"X\",\"msg\":\"%1$s\"}]}"
            .formatted(msg));
  }

  static Answer failure(String msg) {
    return answer(200, "{\"success\":false,\"data\":\"\",\"msg\":\"" + msg + "\"}");
  }

  static Answer answer(int status, String body) {
    Map<String, List<String>> headers =
        Map.of("Content-Type", List.of("application/json; charset=utf-8"));
    return new Answer(status, HttpHeaders.of(headers, (_, _) -> true), body);
  }

  static Answer body(Answer answer, String body) {
    return new Answer(answer.status(), answer.headers(), body);
  }

  static Answer status(Answer answer, int status) {
    return new Answer(status, answer.headers(), answer.body());
  }

  /** Sets a header, or removes it if {@code value} is empty. */
  static Answer header(Answer answer, String name, String value) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(answer.headers().map());
    headers.remove(name);
    if (!value.isEmpty()) {
      headers.put(name, List.of(value));
    }
    return new Answer(answer.status(), HttpHeaders.of(headers, (_, _) -> true), answer.body());
  }

  static Request text(Request request, String body) {
    return new Request(
        request.method(),
        request.path(),
        request.query(),
        request.headers(),
        body.getBytes(StandardCharsets.UTF_8));
  }

  static Request with(Request request, String name, String value) {
    List<Request.Header> headers = new ArrayList<>(request.headers());
    headers.removeIf(header -> header.name().equalsIgnoreCase(name));
    if (!value.isEmpty()) {
      headers.add(new Request.Header(name, value));
    }
    return new Request(request.method(), request.path(), request.query(), headers, request.body());
  }

  static Request path(Request request, String path) {
    return new Request(request.method(), path, request.query(), request.headers(), request.body());
  }

  /** Signs the request for another second. */
  static Request at(Request request, Target target, long second) {
    String timestamp = Long.toString(second);
    Request moved = with(request, "timestamp", timestamp);
    return with(moved, "sign", Signature.sign(target.secret(), timestamp));
  }

  /** Reorders the elements of {@code data}. */
  static String reordered(String body) {
    int start = body.indexOf("\"data\":[{") + 9;
    int end = body.indexOf("}]", start);
    if (start < 9 || end < 0) {
      return body;
    }
    List<String> elements = new ArrayList<>(List.of(body.substring(start, end).split("\\},\\{")));
    return body.substring(0, start) + String.join("},{", elements.reversed()) + body.substring(end);
  }

  /** Remembers the body accepted for each timestamp. */
  static final class Memory {
    private final Map<String, String> bodies = new HashMap<>();

    /** The body accepted earlier for this timestamp, or empty. */
    String taken(Request request) {
      return bodies.getOrDefault(request.header("timestamp"), "");
    }

    /** Remembers an accepted create. */
    Answer noted(Request request, Answer answer) {
      if (request.path().equals(Probe.CREATE) && answer.status() == 200) {
        bodies.putIfAbsent(request.header("timestamp"), request.text());
      }
      return answer;
    }
  }
}
