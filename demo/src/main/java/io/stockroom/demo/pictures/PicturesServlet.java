package io.stockroom.demo.pictures;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Serves {@code GET /pictures/…}; mapped to {@link ProductPicture#FOLDER}{@code /*}. */
public final class PicturesServlet extends HttpServlet {
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    Optional<ProductPicture> picture =
        Optional.<String>ofNullable(request.getPathInfo()).flatMap(ProductPicture::parse);
    if (picture.isEmpty()) {
      // Not sendError: an error page may repeat the path, which is untrusted.
      response.setStatus(HttpServletResponse.SC_NOT_FOUND);
      write(response, "text/plain", "no such picture\n".getBytes(StandardCharsets.UTF_8));
      return;
    }

    byte[] svg = picture.get().svg().getBytes(StandardCharsets.UTF_8);
    String tag = tag(svg);
    response.setHeader("ETag", tag);
    response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    response.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    if (names(request.getHeader("If-None-Match"), tag)) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    write(response, "image/svg+xml", svg);
  }

  private static boolean names(@Nullable String ifNoneMatch, String tag) {
    return ifNoneMatch != null && (ifNoneMatch.equals("*") || ifNoneMatch.contains(tag));
  }

  private static String tag(byte[] svg) {
    CRC32C checksum = new CRC32C();
    checksum.update(svg);
    return "\"%08x-%x\"".formatted(checksum.getValue(), svg.length);
  }

  private static void write(HttpServletResponse response, String type, byte[] body)
      throws IOException {
    response.setContentType(type);
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
