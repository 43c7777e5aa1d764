package io.stockroom.server.apidocs;

import io.stockroom.core.call.Rejection;
import io.stockroom.core.http.Languages;
import io.stockroom.core.http.Responses;
import io.stockroom.core.http.StaticContent;
import io.stockroom.protocol.ErrorCode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Serves the documents of {@link ApiDocument}, and their viewer at {@code /docs/api}. */
public final class ApiDocsServlet extends HttpServlet {
  /** The URL patterns of this servlet. */
  public static final List<String> PATHS = List.of("/openapi.json", "/docs/api", "/docs/api/*");

  private static final long serialVersionUID = 1;

  /** No external content, no inline scripts, no framing. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String JSON = "application/json; charset=utf-8";

  private static final Map<String, String> TYPES =
      Map.of(
          ApiDocument.INTERFACE.path(),
          JSON,
          ApiDocument.OPERATOR.path(),
          JSON,
          "/docs/api",
          "text/html; charset=utf-8",
          "/docs/api/viewer.css",
          "text/css; charset=utf-8",
          "/docs/api/viewer.js",
          "text/javascript; charset=utf-8");

  private final transient Languages languages;
  private final transient Map<String, byte[]> files = new ConcurrentHashMap<>();

  public ApiDocsServlet(Languages languages) {
    this.languages = languages;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String inside = request.getPathInfo();
    String path = request.getServletPath() + (inside == null ? "" : inside);
    String type = TYPES.get(path);
    if (type == null) {
      refuse(request, response, Rejection.of("", ErrorCode.NOT_FOUND, path));
      return;
    }
    String method = request.getMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      Rejection refused = Rejection.of("", ErrorCode.METHOD_NOT_ALLOWED, method, "GET, HEAD");
      refuse(request, response, refused.with("Allow", "GET, HEAD"));
      return;
    }
    byte[] content = files.computeIfAbsent(path, ApiDocsServlet::read);
    StaticContent.send(request, response, POLICY, type, content);
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, Rejection refused)
      throws IOException {
    Responses.send(response, refused, languages.of(request));
  }

  /** Loaded on first use, because most servers never serve it. */
  private static byte[] read(String path) {
    for (ApiDocument document : ApiDocument.values()) {
      if (document.path().equals(path)) {
        return document.json();
      }
    }
    String name =
        path.equals("/docs/api") ? "index.html" : path.substring(path.lastIndexOf('/') + 1);
    try (InputStream stream =
        Objects.requireNonNull(
            ApiDocsServlet.class.getResourceAsStream("/apidocs/" + name), name)) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
