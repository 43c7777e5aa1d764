package io.stockroom.server.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.server.access.Admission;
import io.stockroom.server.access.Caller;
import io.stockroom.server.access.Claim;
import io.stockroom.server.access.Gate;
import io.stockroom.server.database.Database;
import io.stockroom.server.load.Load;
import io.stockroom.server.load.Places;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of a request, in the order in which its faults are answered: address, method, headers,
 * caller, body, parameters, business.
 */
public final class Pipeline {
  private static final Logger log = LoggerFactory.getLogger(Pipeline.class);

  private record Outcome(String path, int status) {}

  private final Routes routes;
  private final Gate gate;
  private final Load load;
  private final BodyMemory memory = new BodyMemory(Runtime.getRuntime().maxMemory() / 4);
  private final Addresses addresses;
  private final Languages languages;
  private final MeterRegistry meters;
  private final Map<Outcome, Timer> timers = new ConcurrentHashMap<>();

  public Pipeline(
      Routes routes,
      Gate gate,
      Load load,
      Addresses addresses,
      Languages languages,
      MeterRegistry meters) {
    this.routes = routes;
    this.gate = gate;
    this.load = load;
    this.addresses = addresses;
    this.languages = languages;
    this.meters = meters;
  }

  void serve(String path, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long start = System.nanoTime();
    Language language = languages.of(request);
    Route<?> route = routes.find(path);
    Answer answer = route == null ? notFound(path) : answer(route, request, language);
    Responses.send(response, answer, language);
    Outcome outcome = new Outcome(route == null ? "other" : route.path(), answer.status());
    timers
        .computeIfAbsent(outcome, this::timer)
        .record(Duration.ofNanos(System.nanoTime() - start));
  }

  private Answer answer(Route<?> route, HttpServletRequest request, Language language) {
    if (!request.getMethod().equals("POST")) {
      return Refused.of("", ErrorCode.METHOD_NOT_ALLOWED, request.getMethod(), "POST")
          .with("Allow", "POST");
    }
    Places places = load.of(route.endpoint().kind());
    if (places.isFull()) {
      return Responses.overloaded();
    }
    try (Body body = new Body(request, memory)) {
      return authenticated(route, places, request, body, language);
    } catch (SQLException | RuntimeException failure) {
      return Database.isUnavailable(failure)
          ? Responses.unavailable(log, route.path(), failure)
          : Responses.internal(log, route.path(), failure);
    }
  }

  private <Q> Answer authenticated(
      Route<Q> route, Places places, HttpServletRequest request, Body body, Language language)
      throws SQLException {
    Problems problems = new Problems();
    Claim claim = AuthenticationHeaders.read(request, body, addresses.of(request), problems);
    if (claim == null) {
      return refused(problems);
    }
    return switch (gate.admit(claim, route.scope())) {
      case Admission.Refused(Problem problem, int retrySeconds) -> {
        Refused refused = new Refused(List.of(problem), 1);
        yield retrySeconds == 0
            ? refused
            : refused.with("Retry-After", Integer.toString(retrySeconds));
      }
      case Caller caller -> {
        Call call = new Call(caller, Long.parseLong(claim.timestamp()), language);
        // the place is taken when all is there: nobody holds one by sending slowly
        yield placed(route, places, call, Input.read(request, body, problems), problems);
      }
    };
  }

  private static <Q> Answer placed(
      Route<Q> route, Places places, Call call, @Nullable Input input, Problems problems)
      throws SQLException {
    if (input == null) {
      return refused(problems);
    }
    if (!places.enter()) {
      return Responses.overloaded();
    }
    long since = System.nanoTime();
    try {
      return parsed(route, call, input, problems);
    } finally {
      places.leave(since);
    }
  }

  private static <Q> Answer parsed(Route<Q> route, Call call, Input input, Problems problems)
      throws SQLException {
    Q parsed = route.endpoint().read(call, input, problems);
    if (parsed == null || problems.any()) {
      return problems.refused();
    }
    return route.endpoint().answer(call, parsed);
  }

  /** No memory for the body is no fault of its sender, who is told when to come again. */
  private static Answer refused(Problems problems) {
    Refused refused = problems.refused();
    return refused.status() == ErrorCode.OVERLOADED.status() ? Responses.overloaded() : refused;
  }

  private static Answer notFound(String path) {
    return Refused.of("", ErrorCode.NOT_FOUND, path);
  }

  private Timer timer(Outcome outcome) {
    return Timer.builder("stockroom.requests")
        .description("Requests of the interface by address and status")
        .tag("path", outcome.path())
        .tag("status", Integer.toString(outcome.status()))
        .publishPercentileHistogram()
        .register(meters);
  }
}
