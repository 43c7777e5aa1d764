package io.stockroom.console.visit;

import io.stockroom.console.people.CodeRequired;
import io.stockroom.console.people.SignedIn;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;

/**
 * The cookies of the console. Over https their names start with {@code __Host-}, so no other host
 * in the same domain can set them.
 */
public final class Cookies {
  private static final String SESSION = "stockroom-session";
  private static final String MARK = "stockroom-browser";
  private static final String TICKET = "stockroom-sign-in";
  public static final String LANGUAGE = "stockroom-language";
  public static final String THEME = "stockroom-theme";
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Duration TICKET_LIFE = Duration.ofMinutes(10);

  private final boolean secure;

  /**
   * @param baseUrl the public URL of the server; with https, cookies are Secure
   */
  public Cookies(String baseUrl) {
    this.secure = baseUrl.startsWith("https:");
  }

  public @Nullable String session(HttpServletRequest request) {
    return read(request, name(request, SESSION));
  }

  public @Nullable String mark(HttpServletRequest request) {
    return read(request, name(request, MARK));
  }

  /** The ticket of a sign-in that waits for a code. */
  public @Nullable String ticket(HttpServletRequest request) {
    return read(request, name(request, TICKET));
  }

  public void signedIn(
      HttpServletRequest request, HttpServletResponse response, SignedIn signedIn) {
    set(request, response, name(request, SESSION), signedIn.session(), null);
    set(request, response, name(request, MARK), signedIn.mark(), YEAR);
    if (ticket(request) != null) {
      set(request, response, name(request, TICKET), "", Duration.ZERO);
    }
  }

  public void codeNeeded(
      HttpServletRequest request, HttpServletResponse response, CodeRequired needed) {
    set(request, response, name(request, TICKET), needed.ticket(), TICKET_LIFE);
  }

  public void signedOut(HttpServletRequest request, HttpServletResponse response) {
    set(request, response, name(request, SESSION), "", Duration.ZERO);
  }

  public void prefer(
      HttpServletRequest request, HttpServletResponse response, String name, String value) {
    set(request, response, name, value, YEAR);
  }

  static @Nullable String read(HttpServletRequest request, String name) {
    Cookie[] cookies = request.getCookies();
    for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
      if (cookie.getName().equals(name) && !cookie.getValue().isEmpty()) {
        return cookie.getValue();
      }
    }
    return null;
  }

  private String name(HttpServletRequest request, String name) {
    return isSecure(request) ? "__Host-" + name : name;
  }

  private boolean isSecure(HttpServletRequest request) {
    return secure || request.isSecure();
  }

  /** A cookie without a max age ends with the browser session. */
  private void set(
      HttpServletRequest request,
      HttpServletResponse response,
      String name,
      String value,
      @Nullable Duration age) {
    ResponseCookie.ResponseCookieBuilder cookie =
        ResponseCookie.from(name, value)
            .httpOnly(true)
            .secure(isSecure(request))
            .sameSite("Lax")
            .path("/");
    if (age != null) {
      cookie.maxAge(age);
    }
    response.addHeader("Set-Cookie", cookie.build().toString());
  }
}
