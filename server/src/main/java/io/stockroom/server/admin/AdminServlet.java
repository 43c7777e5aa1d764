package io.stockroom.server.admin;

import io.stockroom.core.access.Throttle;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.FileAnswer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.core.http.Addresses;
import io.stockroom.core.http.Languages;
import io.stockroom.core.http.Responses;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authenticates the operator key, dispatches to the route, and writes the response. */
public final class AdminServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final Logger log = LoggerFactory.getLogger(AdminServlet.class);
  private static final String BEARER = "Bearer ";

  /** Handles one route. */
  interface Handler {
    Answer answer(AdminRequest request) throws SQLException, IOException;
  }

  /**
   * A method and a path with variables in braces.
   *
   * @param kind the concurrency limit that applies
   */
  record Route(String method, String path, Handler handler, CallKind kind) {
    Route(String method, String path, Handler handler) {
      this(method, path, handler, CallKind.OPERATOR);
    }
  }

  private final transient List<Route> routes;
  private final transient byte[] operatorKey;
  private final transient ConcurrencyLimits limits;
  private final transient Throttle throttle;
  private final transient FailedAttempts failures;
  private final transient Addresses addresses;
  private final transient Languages languages;

  public AdminServlet(
      AdminRoutes routes,
      String operatorKey,
      ConcurrencyLimits limits,
      Throttle throttle,
      FailedAttempts failures,
      Addresses addresses,
      Languages languages) {
    this.limits = limits;
    this.throttle = throttle;
    this.failures = failures;
    this.addresses = addresses;
    this.routes = routes.all();
    this.operatorKey = operatorKey.getBytes(StandardCharsets.UTF_8);
    this.languages = languages;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Language language = languages.of(request);
    Answer answer = answer(request);
    if (answer instanceof FileAnswer file) {
      Responses.sendFile(request, response, file, language, log);
    } else {
      Responses.send(response, answer, language);
    }
  }

  private Answer answer(HttpServletRequest request) throws IOException {
    if (!isOperator(request)) {
      return refuseKey(request);
    }
    String inside = request.getPathInfo();
    String path = request.getServletPath() + (inside == null ? "" : inside);
    StringBuilder allowed = new StringBuilder();
    for (Route route : routes) {
      Map<String, String> parts = match(route.path, path);
      if (parts != null && route.method.equals(request.getMethod())) {
        return admitted(
            route,
            new AdminRequest(
                request, parts, Actor.operator(addresses.of(request)), languages.of(request)));
      }
      if (parts != null) {
        allowed.append(allowed.isEmpty() ? "" : ", ").append(route.method);
      }
    }
    return allowed.isEmpty()
        ? Rejection.of("", ErrorCode.NOT_FOUND, path)
        : Rejection.of("", ErrorCode.METHOD_NOT_ALLOWED, request.getMethod(), allowed)
            .with("Allow", allowed.toString());
  }

  /** Only failed attempts are counted and delayed: the right key always works. */
  private Answer refuseKey(HttpServletRequest request) {
    if (request.getHeader("Authorization") != null) {
      String address = addresses.of(request);
      failures.note(
          Audit.SERVER, address, FailedAttempts.OPERATOR_KEY, "operator key", "wrong key");
      int wait = throttle.failed(address);
      if (wait > 0) {
        return Rejection.of("headers.Authorization", ErrorCode.OPERATOR_KEY_THROTTLED, wait)
            .with("Retry-After", Integer.toString(wait));
      }
    }
    return Rejection.of("headers.Authorization", ErrorCode.OPERATOR_KEY_WRONG)
        .with("WWW-Authenticate", "Bearer");
  }

  private Answer admitted(Route route, AdminRequest request) throws IOException {
    try (Permit permit = limits.of(route.kind).acquire()) {
      return permit == null ? Responses.overloaded() : answer(route, request);
    }
  }

  private static Answer answer(Route route, AdminRequest request) throws IOException {
    try {
      Answer answer = route.handler.answer(request);
      return request.problems().any() ? request.rejection() : answer;
    } catch (SQLException | RuntimeException failure) {
      return SqlFailures.isUnavailable(failure)
          ? Responses.unavailable(log, route.path, failure)
          : Responses.internal(log, route.path, failure);
    }
  }

  private boolean isOperator(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    return header != null
        && header.startsWith(BEARER)
        && MessageDigest.isEqual(
            operatorKey,
            header.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8));
  }

  /** The path variables by name; null if the path does not match. */
  private static @Nullable Map<String, String> match(String pattern, String path) {
    String[] wanted = pattern.split("/");
    String[] given = path.split("/");
    if (wanted.length != given.length) {
      return null;
    }
    Map<String, String> parts = new HashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        parts.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
      } else if (!wanted[i].equals(given[i])) {
        return null;
      }
    }
    return parts;
  }
}
