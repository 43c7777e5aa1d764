package io.stockroom.console.visit;

import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import io.stockroom.console.people.Sessions;
import io.stockroom.core.admission.ConcurrencyLimit;
import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.settings.SecondFactorRule;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Authenticates and authorizes every page: finds the session, rejects cross-site requests, and
 * redirects people who are not signed in.
 */
public final class ConsoleAuthInterceptor implements HandlerInterceptor {
  public static final String FORM_TOKEN = "form-token";

  /** Tells a script that its session has ended or changed, so it can show the sign-in dialog. */
  static final String SESSION_HEADER = "Stockroom-Session";

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");

  private final Sessions sessions;
  private final ConcurrencyLimit lookups;
  private final Cookies cookies;
  private final String baseUrl;
  private final SecondFactorRule secondFactors;

  public ConsoleAuthInterceptor(
      Sessions sessions,
      ConcurrencyLimit lookups,
      Cookies cookies,
      String baseUrl,
      SecondFactorRule secondFactors) {
    this.sessions = sessions;
    this.lookups = lookups;
    this.cookies = cookies;
    this.baseUrl = baseUrl;
    this.secondFactors = secondFactors;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws SQLException, IOException {
    if (!(handler instanceof HandlerMethod method) || method.getBean() instanceof AssetFiles) {
      return true;
    }
    readForm(request);
    if (hasNul(request)) {
      throw new PageException(400, "characters");
    }
    boolean changes = !SAFE_METHODS.contains(request.getMethod());
    Anyone open = find(method, Anyone.class);
    if (changes && (open == null || !open.otherSites()) && !isOwnOrigin(request)) {
      throw new PageException(403, "foreign");
    }
    ConsoleRequest visit = identify(request, response);
    boolean anyone = open != null;
    if (!anyone && !visit.isSignedIn()) {
      sendToSignIn(request, response, visit);
      return false;
    }
    if (!anyone && !isAllowed(visit.person(), method)) {
      throw isForOperators(visit.person(), method)
          ? new PageException(403, "viewing", visit.person().merchantName())
          : PageException.missing();
    }
    if (!anyone && changes && visit.person().isReadOnly()) {
      rejectChange(visit.person(), method);
    }
    boolean needsToken = changes && visit.isSignedIn() && (open == null || open.formToken());
    if (needsToken && !hasFormToken(request, visit)) {
      response.setHeader(SESSION_HEADER, "changed");
      throw new PageException(403, "form");
    }
    if (!anyone && mustSetUpSecondFactor(visit.person(), method)) {
      sendToSecondFactor(response, visit);
      return false;
    }
    return true;
  }

  /** Reads the form first, so a slow client does not hold a permit. */
  private static void readForm(HttpServletRequest request) {
    try {
      var _ = request.getParameterMap();
    } catch (IllegalStateException broken) {
      throw new PageException(400, "form");
    }
  }

  private static void rejectChange(Person person, HandlerMethod method) {
    WhileReadOnly allowed = find(method, WhileReadOnly.class);
    if (allowed == null || (person.viewing() && !allowed.viewing())) {
      String key = person.viewing() ? "read-only" : person.status().word();
      throw new PageException(403, key, person.merchantName());
    }
  }

  /** Whether the person could open the page after ending the view of a merchant. */
  private static boolean isForOperators(Person person, HandlerMethod method) {
    Allow allow = find(method, Allow.class);
    return person.viewing()
        && allow != null
        && Arrays.asList(allow.value()).contains(Role.OPERATOR);
  }

  /** PostgreSQL rejects NUL, and no page needs it. */
  private static boolean hasNul(HttpServletRequest request) {
    return request.getParameterMap().entrySet().stream()
        .anyMatch(
            each ->
                each.getKey().indexOf('\0') >= 0
                    || Arrays.stream(each.getValue()).anyMatch(value -> value.indexOf('\0') >= 0));
  }

  private boolean mustSetUpSecondFactor(Person person, HandlerMethod method) {
    Allow allow = find(method, Allow.class);
    return secondFactors.concerns(person.is(Role.OPERATOR) || person.viewing())
        && !person.hasSecondFactor()
        && (allow == null || !allow.beforeSecondFactor());
  }

  private static void sendToSecondFactor(HttpServletResponse response, ConsoleRequest visit)
      throws IOException {
    if (visit.isPiece()) {
      throw new PageException(403, "second-factor");
    }
    response.sendRedirect("/console/account/second-factor");
  }

  private ConsoleRequest identify(HttpServletRequest request, HttpServletResponse response)
      throws SQLException {
    ConsoleRequest visit = ConsoleRequest.of(request);
    String id = cookies.session(request);
    if (id == null) {
      return visit;
    }
    Person person;
    try (Permit permit = lookups.acquire(visit.limitOwner(), "")) {
      if (permit == null) {
        throw PageLimitInterceptor.overloaded(response);
      }
      person = sessions.find(id);
    }
    if (person != null) {
      visit = visit.of(person, id);
      request.setAttribute(ConsoleRequest.ATTRIBUTE, visit);
    }
    return visit;
  }

  /** The annotation of the method, or else of its class. */
  private static <A extends Annotation> @Nullable A find(HandlerMethod method, Class<A> type) {
    A own = AnnotatedElementUtils.findMergedAnnotation(method.getMethod(), type);
    return own != null
        ? own
        : AnnotatedElementUtils.findMergedAnnotation(method.getBeanType(), type);
  }

  private static boolean isAllowed(Person person, HandlerMethod method) {
    Allow allow = find(method, Allow.class);
    if (allow == null) {
      return false;
    }
    Role[] roles = allow.value();
    return roles.length == 0 || Arrays.stream(roles).anyMatch(person::is);
  }

  /** Answers scripts with 401 and redirects pages to the sign-in page. */
  private static void sendToSignIn(
      HttpServletRequest request, HttpServletResponse response, ConsoleRequest visit)
      throws IOException {
    if (visit.isPiece()) {
      response.setHeader(SESSION_HEADER, "ended");
      throw new PageException(401, "ended");
    }
    boolean page = request.getMethod().equals("GET");
    String next = page ? visit.here() : path(request.getHeader("Referer"));
    response.sendRedirect(
        "/console/sign-in?next=%s%s"
            .formatted(URLEncoder.encode(next, StandardCharsets.UTF_8), page ? "" : "&ended"));
  }

  private static boolean hasFormToken(HttpServletRequest request, ConsoleRequest visit) {
    String header = request.getHeader("Form-Token");
    String given = header == null ? request.getParameter(FORM_TOKEN) : header;
    return given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8),
            visit.formToken().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Checks the Origin header, which other sites cannot forge. It must match the requested host or
   * the configured base URL.
   */
  private boolean isOwnOrigin(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    String host = request.getHeader("Host");
    if (origin == null || host == null) {
      return false;
    }
    return origin.equalsIgnoreCase("http://" + host)
        || origin.equalsIgnoreCase("https://" + host)
        || (!baseUrl.isEmpty() && origin.equalsIgnoreCase(origin(baseUrl)));
  }

  private static String origin(String url) {
    URI uri = URI.create(url);
    return uri.getScheme() + "://" + uri.getAuthority();
  }

  private static String path(@Nullable String referer) {
    try {
      return referer == null ? "" : String.valueOf(URI.create(referer).getRawPath());
    } catch (IllegalArgumentException unreadable) {
      return "";
    }
  }
}
