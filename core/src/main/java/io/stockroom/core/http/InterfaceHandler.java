package io.stockroom.core.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.access.Authenticator;
import io.stockroom.core.access.Authenticator.SignedHeaders;
import io.stockroom.core.access.Nonces;
import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.CutAnswer;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.WaitingAnswer;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.traffic.Traffic;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.function.IntFunction;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The interface: answers every request whose path no servlet has, in stages whose order is the
 * order in which problems are reported: address, method, headers, caller, body, parameters,
 * business.
 *
 * <p>Until a call is admitted it costs no thread: Jetty's own threads route it and collect its
 * body. Then a virtual thread answers it.
 */
public final class InterfaceHandler extends Handler.Abstract.NonBlocking {
  private static final Logger log = LoggerFactory.getLogger(InterfaceHandler.class);
  private static final ThreadFactory CALLS = Thread.ofVirtual().name("call").factory();

  private final Routes routes;
  private final Authenticator authenticator;
  private final Nonces nonces;
  private final IntFunction<String> cellOf;
  private final Body.Memory memory = new Body.Memory(Runtime.getRuntime().maxMemory() / 4);
  private final Addresses addresses;
  private final Languages languages;
  private final CallRecorder recorder;
  private final String home;

  /**
   * Makes the handler.
   *
   * @param cellOf names the cell of a merchant; empty if there is only one
   * @param home where a browser that opens {@code /} is redirected
   */
  public InterfaceHandler(
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
    this.recorder = new CallRecorder(traffic, meters);
    this.home = home;
  }

  /** Finds the route, and collects the body unless the route reads it as it arrives. */
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String path = Request.getPathInContext(request);
    if (path.equals("/") && isBrowser(request)) {
      response.setStatus(HttpStatus.FOUND_302);
      response.getHeaders().put(HttpHeader.LOCATION, home);
      response.getHeaders().put(HttpHeader.VARY, "Accept");
      callback.succeeded();
      return true;
    }
    Routes.Route<?> route = routes.find(path);
    InterfaceCall call =
        new InterfaceCall(
            request,
            response,
            callback,
            route,
            languages.of(request.getHeaders().get(HttpHeader.ACCEPT_LANGUAGE)),
            addresses.of(request),
            new Body(request, memory),
            recorder);
    String method = request.getMethod();
    if (route == null) {
      reply(call, notFound(path));
    } else if (!method.equals("POST")) {
      reply(
          call,
          Rejection.of("", ErrorCode.METHOD_NOT_ALLOWED, method, "POST").with("Allow", "POST"));
    } else if (route.isUpload()) {
      admit(route, call);
    } else {
      call.body.collect(() -> admit(route, call));
    }
    return true;
  }

  private static boolean isBrowser(Request request) {
    String accept = request.getHeaders().get(HttpHeader.ACCEPT);
    return accept != null
        && accept.toLowerCase(Locale.ROOT).contains("text/html")
        && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"));
  }

  private Answer notFound(String path) {
    return routes
        .nearest(path)
        .map(near -> Rejection.of("", ErrorCode.NOT_FOUND, path, near))
        .orElseGet(() -> Rejection.of("", ErrorCode.NOT_FOUND, path));
  }

  /** Rejects the call if there is no room for it, or starts its thread. */
  private void admit(Routes.Route<?> route, InterfaceCall call) {
    call.starts();
    Permit permit = route.limit().enter();
    if (permit == null) {
      reply(call, Responses.overloaded());
      return;
    }
    try {
      CALLS.newThread(() -> serve(route, call, permit)).start();
    } catch (RuntimeException | Error noThread) {
      permit.close();
      throw noThread;
    }
  }

  /** Closes the permit when the response is ready: a slow client does not hold it. */
  private void serve(Routes.Route<?> route, InterfaceCall call, Permit permit) {
    try {
      Answer answer;
      Responses.Outgoing outgoing;
      try (permit) {
        answer = answer(route, call, permit);
        if (answer instanceof CutAnswer) {
          call.cut();
          return;
        }
        outgoing = Responses.compressed(call.request, answer, call.language);
      }
      if (answer instanceof WaitingAnswer waiting) {
        answerLater(route, call, waiting);
      } else {
        call.reply(outgoing);
      }
    } catch (RuntimeException | Error failure) {
      call.fail(failure);
      throw failure;
    }
  }

  private Answer answer(Routes.Route<?> route, InterfaceCall call, Permit permit) {
    try {
      return authenticated(route, call, permit);
    } catch (InvalidRequest invalid) {
      Rejection rejection = Rejection.of(invalid);
      // a body that exceeds the memory limit is an overload: the caller learns when to try again
      return rejection.status() == ErrorCode.OVERLOADED.status()
          ? Responses.overloaded()
          : rejection;
    } catch (SQLException | RuntimeException failure) {
      return Responses.failed(log, route.path(), failure);
    }
  }

  private Answer authenticated(Routes.Route<?> route, InterfaceCall call, Permit permit)
      throws SQLException, InvalidRequest {
    AuthenticationHeaders sent = AuthenticationHeaders.read(call.values());
    SignedHeaders headers =
        new SignedHeaders(
            sent.appid(),
            sent.timestamp(),
            sent.accesstoken(),
            sent.hmac()
                ? RequestSignature.of(call.request, sent, call.body, route.isUpload())
                : new SignedHeaders.Md5(sent.timestamp(), sent.sign()),
            call.address);
    String key = idempotencyKey(route, call);
    return switch (authenticator.authenticate(
        headers, route.scope(), route.endpoint().signatureRule())) {
      case Authenticator.Result.Rejected(
              Problem problem,
              int retrySeconds,
              int merchant,
              int application) -> {
        call.isOf(merchant, application);
        Rejection rejection = new Rejection(List.of(problem), 1);
        yield retrySeconds == 0
            ? rejection
            : rejection.with("Retry-After", Integer.toString(retrySeconds));
      }
      case Authenticator.Result.Authenticated(Caller caller) -> {
        call.isOf(caller.merchantId(), caller.applicationId());
        Call known = new Call(caller, Long.parseLong(headers.timestamp()), call.language, key);
        yield permitted(route, call, permit, headers, known);
      }
    };
  }

  private static String idempotencyKey(Routes.Route<?> route, InterfaceCall call)
      throws InvalidRequest {
    if (call.request.getHeaders().contains(IdempotencyKey.HEADER)) {
      if (route.endpoint().takesIdempotencyKey()) {
        return IdempotencyKey.read(call.values());
      }
      if (route.endpoint().isCommand()) {
        throw IdempotencyKey.unsupported(route.path());
      }
    }
    return "";
  }

  /** Waits for a slot, in the shares of the merchant and of its cell. */
  private Answer permitted(
      Routes.Route<?> route, InterfaceCall call, Permit permit, SignedHeaders headers, Call known)
      throws SQLException, InvalidRequest {
    byte[] body = route.isUpload() ? new byte[0] : call.body.content();
    RequestContent content =
        RequestContent.of(
            call.request.getHeaders().get(HttpHeader.CONTENT_TYPE),
            call.request.getHttpURI().getQuery(),
            body);
    int merchantId = known.caller().merchantId();
    if (!permit.acquire(Integer.toString(merchantId), cellOf.apply(merchantId))) {
      return Responses.overloaded();
    }
    Rejection replayed = replayed(route, headers, known);
    if (replayed != null) {
      // anybody may replay a recorded request, so the merchant does not see this in its log
      call.isOf(0, known.caller().applicationId());
      return replayed;
    }
    return route.answer(known, content, call.body);
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

  /** Answers on a new thread when the wait is over: until then, the call needs none. */
  private static void answerLater(
      Routes.Route<?> route, InterfaceCall call, WaitingAnswer waiting) {
    var _ =
        waiting
            .ended()
            .thenAccept(
                isChanged ->
                    CALLS.newThread(() -> answerNow(route, call, waiting, isChanged)).start());
  }

  /**
   * Takes a new permit, outside the share of its merchant: clients of one merchant wake together,
   * and share a read. If the server has no room, the answer stays as it is.
   */
  private static void answerNow(
      Routes.Route<?> route, InterfaceCall call, WaitingAnswer waiting, boolean isChanged) {
    call.starts();
    try (Permit permit = isChanged ? route.limit().acquire() : null) {
      reply(call, permit == null ? waiting : again(route, waiting));
    } catch (RuntimeException | Error failure) {
      call.fail(failure);
      throw failure;
    }
  }

  private static Answer again(Routes.Route<?> route, WaitingAnswer waiting) {
    try {
      return waiting.again();
    } catch (SQLException | RuntimeException failure) {
      return Responses.failed(log, route.path(), failure);
    }
  }

  private static void reply(InterfaceCall call, Answer answer) {
    call.reply(Responses.compressed(call.request, answer, call.language));
  }
}
