package io.stockroom.server.docs;

import io.stockroom.core.call.Rejection;
import io.stockroom.core.http.Languages;
import io.stockroom.core.http.Responses;
import io.stockroom.core.http.StaticContent;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Serves the docs at {@code /docs/…}; renders them on first use. */
public final class DocsServlet extends HttpServlet {
  /** The URL patterns of this servlet. */
  public static final List<String> PATHS = List.of("/docs", "/docs/*");

  private static final long serialVersionUID = 1;
  private static final String ROOT = "/docs/";

  /** The console's cookie for people who are not signed in. */
  private static final String LANGUAGE_COOKIE = "stockroom-language";

  /** No external content, no inline scripts, no framing. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String HTML = "text/html; charset=utf-8";
  private static final Map<String, String> TYPES =
      Map.of(
          "html", HTML,
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "png", "image/png",
          "svg", "image/svg+xml");

  private final transient Languages languages;
  private transient @Nullable Site site;

  public DocsServlet(Languages languages) {
    this.languages = languages;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String method = request.getMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      Rejection refused = Rejection.of("", ErrorCode.METHOD_NOT_ALLOWED, method, "GET, HEAD");
      Responses.send(response, refused.with("Allow", "GET, HEAD"), languages.of(request));
      return;
    }
    String inside = request.getPathInfo();
    if (inside == null) {
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Vary", "Accept-Language, Cookie");
      response.setHeader("Location", isChinese(request) ? ROOT + "zh/" : ROOT);
      return;
    }
    String path = inside.endsWith("/") ? inside.substring(1) + "index.html" : inside.substring(1);
    Optional<byte[]> content = site().file(path);
    if (content.isEmpty()) {
      response.setStatus(HttpServletResponse.SC_NOT_FOUND);
      StaticContent.send(request, response, POLICY, HTML, site().missing(ROOT));
      return;
    }
    String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
    StaticContent.send(
        request, response, POLICY, type == null ? "application/octet-stream" : type, content.get());
  }

  /** The language that was chosen in the console, or else the browser's. */
  private boolean isChinese(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
      if (cookie.getName().equals(LANGUAGE_COOKIE)) {
        return cookie.getValue().equals(Language.CHINESE.tag());
      }
    }
    return languages.of(request) == Language.CHINESE;
  }

  private synchronized Site site() {
    Site known = site;
    if (known == null) {
      known = new Site(Sources.packaged());
      site = known;
    }
    return known;
  }
}
