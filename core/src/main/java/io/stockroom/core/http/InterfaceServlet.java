package io.stockroom.core.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.stockroom.core.access.Authenticator;
import io.stockroom.core.access.Authenticator.SignedHeaders;
import io.stockroom.core.access.Nonces;
import io.stockroom.core.admission.AdmissionEndpoint;
import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.admission.Deferral;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.WaitingAnswer;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.traffic.Traffic;
import io.stockroom.core.traffic.Traffic.Exchange;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers every request that no other servlet answers, in stages whose order is the order in which
 * problems are reported: address, method, headers, caller, body, parameters, business.
 */
public final class InterfaceServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final Logger log = LoggerFactory.getLogger(InterfaceServlet.class);

  private record Outcome(String path, int status) {}

  private final transient Routes routes;
  private final transient Authenticator authenticator;
  private final transient Nonces nonces;
  private final transient IntFunction<String> cellOf;
  private final transient Body.Memory memory =
      new Body.Memory(Runtime.getRuntime().maxMemory() / 4);
  private final transient Addresses addresses;
  private final transient Languages languages;
  private final transient Traffic traffic;
  private final transient MeterRegistry meters;
  private final transient Map<Outcome, Timer> timers = new ConcurrentHashMap<>();
  private final String home;

  /**
   * Makes the servlet.
   *
   * @param cellOf names the cell of a merchant; empty if there is only one
   * @param home where a browser that opens {@code /} is redirected
   */
  public InterfaceServlet(
      Routes routes,
      Authenticator authenticator,
      Nonces nonces,
      IntFunction<String> cellOf,
      Addresses addresses,
      Languages languages,
      Traffic traffic,
      MeterRegistry meters,
      String home) {
    this.routes = routes;
    this.authenticator = authenticator;
    this.nonces = nonces;
    this.cellOf = cellOf;
    this.addresses = addresses;
    this.languages = languages;
    this.traffic = traffic;
    this.meters = meters;
    this.home = home;
  }

  /** What is known of a request so far. */
  private static final class Progress {
    private final HttpServletRequest request;
    private final Language language;
    private final Body body;
    private int merchantId;
    private int applicationId;
    private long waitedNanos;

    private Progress(HttpServletRequest request, Language language, Body body) {
      this.request = request;
      this.language = language;
      this.body = body;
    }

    private void isOf(int merchant, int application) {
      merchantId = merchant;
      applicationId = application;
    }
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long start = System.nanoTime();
    String inside = request.getPathInfo();
    String path = inside == null ? request.getServletPath() : request.getServletPath() + inside;
    if (path.equals("/") && isBrowser(request)) {
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Location", home);
      response.setHeader("Vary", "Accept");
      return;
    }
    Routes.Route<?> route = routes.find(path);
    // releases the memory of the body after the response is sent and recorded
    try (Body body = new Body(request, memory)) {
      Progress progress = new Progress(request, languages.of(request), body);
      Responses.Outgoing outgoing =
          route == null
              ? Responses.compressed(request, notFound(path), progress.language)
              : admitted(route, progress);
      if (outgoing == null) {
        // answered later
        return;
      }
      try {
        outgoing.send(response);
      } finally {
        String endpoint = route == null ? Exchange.OTHER : route.path();
        // how long a client chose to wait says nothing about the server
        long nanos = System.nanoTime() - start - progress.waitedNanos;
        record(
            exchange(endpoint, progress.merchantId, progress.applicationId, outgoing, nanos),
            () -> content(progress, outgoing.body()));
      }
    }
  }

  private static boolean isBrowser(HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null
        && accept.toLowerCase(Locale.ROOT).contains("text/html")
        && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"));
  }

  /**
   * Closes the permit when the response is ready: a slow client does not hold it. Null if the call
   * is answered later.
   */
  private Responses.@Nullable Outgoing admitted(Routes.Route<?> route, Progress progress) {
    HttpServletRequest request = progress.request;
    Answer answer;
    try (Permit permit =
        request.getAttribute(Permit.ATTRIBUTE) instanceof Permit early
            ? early
            : route.limit().permit()) {
      answer = answer(route, permit, progress);
      if (!(answer instanceof WaitingAnswer)) {
        return Responses.compressed(request, answer, progress.language);
      }
    }
    return waited(route, (WaitingAnswer) answer, progress);
  }

  private Responses.@Nullable Outgoing waited(
      Routes.Route<?> route, WaitingAnswer waiting, Progress progress) {
    HttpServletRequest request = progress.request;
    WaitingCall call =
        new WaitingCall(
            route,
            waiting,
            progress.language,
            progress.merchantId,
            progress.applicationId,
            Responses.acceptsGzip(request));
    if (request.getAttribute(Deferral.Factory.ATTRIBUTE) instanceof Deferral.Factory deferral) {
      defer(deferral.create(), call, request.isSecure(), content(progress, new byte[0]));
      return null;
    }
    long start = System.nanoTime();
    boolean isChanged = waiting.ended().join();
    progress.waitedNanos = System.nanoTime() - start;
    return call.answer(isChanged);
  }

  /** Answers on a new thread when the wait is over: until then, the call needs none. */
  private void defer(
      Deferral deferral, WaitingCall call, boolean isSecure, Exchange.Content content) {
    CompletableFuture<Boolean> ended = call.waiting().ended();
    deferral.begin(() -> ended.complete(false));
    var _ =
        ended.thenAccept(
            isChanged ->
                AdmissionEndpoint.CALLS
                    .newThread(() -> answerLater(deferral, call, isChanged, isSecure, content))
                    .start());
  }

  private void answerLater(
      Deferral deferral,
      WaitingCall call,
      boolean isChanged,
      boolean isSecure,
      Exchange.Content content) {
    long start = System.nanoTime();
    Responses.Outgoing outgoing = call.answer(isChanged);
    deferral.complete(outgoing.bytes(isSecure));
    long nanos = System.nanoTime() - start;
    record(
        exchange(call.route().path(), call.merchantId(), call.applicationId(), outgoing, nanos),
        () -> content.with(outgoing.body()));
  }

  private Answer answer(Routes.Route<?> route, Permit permit, Progress progress) {
    String method = progress.request.getMethod();
    if (!method.equals("POST")) {
      return Rejection.of("", ErrorCode.METHOD_NOT_ALLOWED, method, "POST").with("Allow", "POST");
    }
    if (!permit.isWelcome()) {
      return Responses.overloaded();
    }
    try {
      return authenticated(route, permit, progress);
    } catch (InvalidRequest invalid) {
      return rejected(invalid);
    } catch (SQLException | RuntimeException failure) {
      return Responses.failed(log, route.path(), failure);
    }
  }

  /** A body that exceeds the memory limit is an overload: the caller learns when to try again. */
  private static Answer rejected(InvalidRequest invalid) {
    Rejection rejection = Rejection.of(invalid);
    return rejection.status() == ErrorCode.OVERLOADED.status() ? Responses.overloaded() : rejection;
  }

  private Answer authenticated(Routes.Route<?> route, Permit permit, Progress progress)
      throws SQLException, InvalidRequest {
    HttpServletRequest request = progress.request;
    String address = addresses.of(request);
    Function<String, List<String>> values = name -> Collections.list(request.getHeaders(name));
    AuthenticationHeaders sent = AuthenticationHeaders.read(values);
    SignedHeaders headers =
        new SignedHeaders(
            sent.appid(),
            sent.timestamp(),
            sent.accesstoken(),
            sent.hmac()
                ? RequestSignature.of(request, sent, progress.body, route.isUpload())
                : new SignedHeaders.Md5(sent.timestamp(), sent.sign()),
            address);
    boolean isSent = request.getHeader(IdempotencyKey.HEADER) != null;
    boolean isKeyed = isSent && route.endpoint().takesIdempotencyKey();
    if (isSent && !isKeyed && route.endpoint().isCommand()) {
      throw IdempotencyKey.unsupported(route.path());
    }
    String key = isKeyed ? IdempotencyKey.read(values) : "";
    return switch (authenticator.authenticate(
        headers, route.scope(), route.endpoint().signatureRule())) {
      case Authenticator.Result.Rejected(
              Problem problem,
              int retrySeconds,
              int merchant,
              int application) -> {
        progress.isOf(merchant, application);
        Rejection rejection = new Rejection(List.of(problem), 1);
        yield retrySeconds == 0
            ? rejection
            : rejection.with("Retry-After", Integer.toString(retrySeconds));
      }
      case Authenticator.Result.Authenticated(Caller caller) -> {
        progress.isOf(caller.merchantId(), caller.applicationId());
        Call call = new Call(caller, Long.parseLong(headers.timestamp()), progress.language, key);
        yield started(route, permit, headers, call, progress);
      }
    };
  }

  /**
   * Takes a slot only when the whole body has arrived: a slow client does not hold one. Uploads
   * have slots of their own, which they hold while they arrive.
   */
  private Answer started(
      Routes.Route<?> route, Permit permit, SignedHeaders headers, Call call, Progress progress)
      throws SQLException, InvalidRequest {
    HttpServletRequest request = progress.request;
    byte[] body = route.isUpload() ? new byte[0] : progress.body.content();
    RequestContent content =
        RequestContent.of(request.getContentType(), request.getQueryString(), body);
    if (!permit.enter(headers.accesstoken())
        || !permit.start(
            Integer.toString(call.caller().merchantId()),
            cellOf.apply(call.caller().merchantId()))) {
      return Responses.overloaded();
    }
    Rejection replayed = replayed(route, headers, call);
    if (replayed != null) {
      // anybody may replay a recorded request, so the merchant does not see this in its log
      progress.isOf(0, call.caller().applicationId());
      return replayed;
    }
    return route.answer(call, content, progress.body);
  }

  private @Nullable Rejection replayed(Routes.Route<?> route, SignedHeaders headers, Call call)
      throws SQLException {
    if (!(headers.signed() instanceof SignedHeaders.Hmac(String text, String _, String nonce))
        || nonce.isEmpty()) {
      return null;
    }
    Nonces.Use use =
        nonces.use(call.caller(), nonce, text, repeatable(route.endpoint(), call.idempotencyKey()));
    return use == Nonces.Use.USED
        ? Rejection.of("headers.sign-nonce", ErrorCode.NONCE_REUSED, nonce)
        : null;
  }

  /** How long the reply of a call is kept for the same request. */
  private static Duration repeatable(Endpoint<?> endpoint, String key) {
    if (!key.isEmpty()) {
      return IdempotentReplies.KEY_LIFE;
    }
    return endpoint.isReplayable() ? IdempotentReplies.REPEAT_LIFE : Duration.ZERO;
  }

  private Answer notFound(String path) {
    return routes
        .nearest(path)
        .map(near -> Rejection.of("", ErrorCode.NOT_FOUND, path, near))
        .orElseGet(() -> Rejection.of("", ErrorCode.NOT_FOUND, path));
  }

  private static Exchange exchange(
      String endpoint, int merchantId, int applicationId, Responses.Outgoing outgoing, long nanos) {
    return new Exchange(
        outgoing.requestId(),
        merchantId,
        applicationId,
        endpoint,
        outgoing.status(),
        outgoing.code(),
        nanos);
  }

  private void record(Exchange exchange, Supplier<Exchange.Content> content) {
    time(exchange.endpoint(), exchange.status(), exchange.nanos());
    traffic.note(exchange, content);
  }

  /** Records a call that was rejected before it was parsed. */
  public void recordRejected(String endpoint, String requestId, ErrorCode code) {
    time(endpoint, code.status(), 0);
    traffic.count(new Exchange(requestId, 0, 0, endpoint, code.status(), code.name(), 0));
  }

  /** Copies what the request log keeps: Tomcat reuses the request's objects. */
  private Exchange.Content content(Progress progress, byte[] answer) {
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
        answer);
  }

  private void time(String endpoint, int status, long nanos) {
    timers
        .computeIfAbsent(new Outcome(endpoint, status), this::timer)
        .record(Duration.ofNanos(nanos));
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
