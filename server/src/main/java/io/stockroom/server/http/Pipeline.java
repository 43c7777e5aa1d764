package io.stockroom.server.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.server.access.Admission;
import io.stockroom.server.access.Caller;
import io.stockroom.server.access.Claim;
import io.stockroom.server.access.Gate;
import io.stockroom.server.access.Nonces;
import io.stockroom.server.database.Database;
import io.stockroom.server.load.Load;
import io.stockroom.server.load.Places;
import io.stockroom.server.traffic.Exchange;
import io.stockroom.server.traffic.Traffic;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Nonces nonces;
  private final Load load;
  private final BodyMemory memory = new BodyMemory(Runtime.getRuntime().maxMemory() / 4);
  private final Addresses addresses;
  private final Languages languages;
  private final Traffic traffic;
  private final MeterRegistry meters;
  private final Map<Outcome, Timer> timers = new ConcurrentHashMap<>();

  public Pipeline(
      Routes routes,
      Gate gate,
      Nonces nonces,
      Load load,
      Addresses addresses,
      Languages languages,
      Traffic traffic,
      MeterRegistry meters) {
    this.routes = routes;
    this.gate = gate;
    this.nonces = nonces;
    this.load = load;
    this.addresses = addresses;
    this.languages = languages;
    this.traffic = traffic;
    this.meters = meters;
  }

  /** What is known of a request as it passes the stages. */
  private static final class Progress {
    private final HttpServletRequest request;
    private final Body body;
    private int merchantId;
    private int applicationId;

    private Progress(HttpServletRequest request, BodyMemory memory) {
      this.request = request;
      this.body = new Body(request, memory);
    }

    private void isOf(int merchant, int application) {
      merchantId = merchant;
      applicationId = application;
    }
  }

  /** A request of a caller who is known. */
  private record Admitted<Q>(Route<Q> route, Claim claim, Call call, Progress progress) {}

  void serve(String path, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long start = System.nanoTime();
    Language language = languages.of(request);
    Route<?> route = routes.find(path);
    Progress progress = new Progress(request, memory);
    // what the body takes of the memory is given back when all is sent and noted
    try (Body _ = progress.body) {
      Answer answer = route == null ? notFound(path) : answer(route, progress, language);
      Responses.Outgoing outgoing = Responses.compressed(request, answer, language);
      Door.isAnswered();
      try {
        outgoing.send(response);
      } finally {
        String endpoint = route == null ? Exchange.OTHER : route.path();
        note(endpoint, progress, answer, outgoing, System.nanoTime() - start);
      }
    }
  }

  private void note(
      String endpoint, Progress progress, Answer answer, Responses.Outgoing outgoing, long nanos) {
    Outcome outcome = new Outcome(endpoint, answer.status());
    timers.computeIfAbsent(outcome, this::timer).record(Duration.ofNanos(nanos));
    Exchange exchange =
        new Exchange(
            outgoing.requestId(),
            progress.merchantId,
            progress.applicationId,
            endpoint,
            answer.status(),
            code(answer, outgoing),
            nanos);
    traffic.note(exchange, () -> content(progress, outgoing));
  }

  /** Takes note of a call that was refused before anything was done for it. */
  public void noteRefused(String endpoint, String requestId) {
    int status = ErrorCode.OVERLOADED.status();
    timers.computeIfAbsent(new Outcome(endpoint, status), this::timer).record(Duration.ZERO);
    traffic.count(new Exchange(requestId, 0, 0, endpoint, status, ErrorCode.OVERLOADED.name(), 0));
  }

  private static String code(Answer answer, Responses.Outgoing outgoing) {
    return answer instanceof Refused refused
        ? refused.problems().getFirst().code().name()
        : outgoing.headers().getOrDefault(Responses.ERROR_CODE, "");
  }

  /** Only for a call that is kept: the request's own objects are used again for the next one. */
  private Exchange.Content content(Progress progress, Responses.Outgoing outgoing) {
    HttpServletRequest request = progress.request;
    List<Exchange.Header> headers = new ArrayList<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      Collections.list(request.getHeaders(name))
          .forEach(value -> headers.add(new Exchange.Header(name, value)));
    }
    String query = request.getQueryString();
    return new Exchange.Content(
        request.getMethod(),
        request.getRequestURI() + (query == null ? "" : "?" + query),
        addresses.of(request),
        headers,
        progress.body.known(),
        outgoing.body());
  }

  private Answer answer(Route<?> route, Progress progress, Language language) {
    String method = progress.request.getMethod();
    if (!method.equals("POST")) {
      return Refused.of("", ErrorCode.METHOD_NOT_ALLOWED, method, "POST").with("Allow", "POST");
    }
    Places places = load.of(route.endpoint().kind());
    if (!Door.hasTicket() && places.isFull()) {
      return Responses.overloaded();
    }
    try {
      return authenticated(route, places, progress, language);
    } catch (InvalidRequest invalid) {
      return rejected(invalid);
    } catch (SQLException | RuntimeException failure) {
      return Database.isUnavailable(failure)
          ? Responses.unavailable(log, route.path(), failure)
          : Responses.internal(log, route.path(), failure);
    }
  }

  private <Q> Answer authenticated(
      Route<Q> route, Places places, Progress progress, Language language)
      throws SQLException, InvalidRequest {
    HttpServletRequest request = progress.request;
    Claim claim = ClaimReader.read(request, progress.body, addresses.of(request));
    return switch (gate.admit(claim, route.scope())) {
      case Admission.Refused(Problem problem, int retrySeconds, int merchant, int application) -> {
        progress.isOf(merchant, application);
        Refused refused = new Refused(List.of(problem), 1);
        yield retrySeconds == 0
            ? refused
            : refused.with("Retry-After", Integer.toString(retrySeconds));
      }
      case Caller caller -> {
        progress.isOf(caller.merchantId(), caller.applicationId());
        Call call = new Call(caller, Long.parseLong(claim.timestamp()), language);
        // the place is taken when all is there: nobody holds one by sending slowly
        RequestContent content =
            RequestContent.of(
                request.getContentType(), request.getQueryString(), progress.body.content());
        yield placed(new Admitted<>(route, claim, call, progress), places, content);
      }
    };
  }

  private <Q> Answer placed(Admitted<Q> admitted, Places places, RequestContent content)
      throws SQLException, InvalidRequest {
    boolean isCounted = Door.hasTicket();
    String token = admitted.claim.accesstoken();
    if (!isCounted && !places.arrive(token)) {
      return Responses.overloaded();
    }
    // the door knows tokens only: here all tokens of a merchant count together
    String owner = Integer.toString(admitted.call.caller().merchantId());
    try {
      if (!places.takeTurn(owner)) {
        return Responses.overloaded();
      }
      long since = System.nanoTime();
      try {
        return parsed(admitted, content);
      } finally {
        places.endTurn(owner, since);
      }
    } finally {
      if (!isCounted) {
        places.gone(token);
      }
    }
  }

  private <Q> Answer parsed(Admitted<Q> admitted, RequestContent content)
      throws SQLException, InvalidRequest {
    Call call = admitted.call;
    Endpoint<Q> endpoint = admitted.route.endpoint();
    if (admitted.claim.signed() instanceof Claim.Hmac(String text, String _, String nonce)
        && !nonce.isEmpty()) {
      Nonces.Use use = nonces.use(call.caller(), nonce, text);
      boolean mayComeAgain = use == Nonces.Use.SAME_REQUEST && endpoint.isReplayable();
      if (use != Nonces.Use.FIRST && !mayComeAgain) {
        // whoever recorded a request can send it again: this says nothing of the merchant
        admitted.progress.isOf(0, call.caller().applicationId());
        return Refused.of("headers.sign-nonce", ErrorCode.NONCE_REUSED, nonce);
      }
    }
    return endpoint.answer(call, endpoint.read(call, content));
  }

  /** Too little memory for the body is not the caller's problem: it learns when to try again. */
  private static Answer rejected(InvalidRequest invalid) {
    Refused refused = Refused.of(invalid);
    return refused.status() == ErrorCode.OVERLOADED.status() ? Responses.overloaded() : refused;
  }

  private Answer notFound(String path) {
    return routes
        .nearest(path)
        .map(near -> Refused.of("", ErrorCode.NOT_FOUND, path, near))
        .orElseGet(() -> Refused.of("", ErrorCode.NOT_FOUND, path));
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
