package io.stockroom.core.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Content that stays the same while the server runs: a browser that has it is told so. */
public final class StaticContent {
  private StaticContent() {}

  /** Sends {@code content}, or 304 to a browser that has just this, under a content policy. */
  public static void send(
      HttpServletRequest request,
      HttpServletResponse response,
      String policy,
      String type,
      byte[] content)
      throws IOException {
    String tag = tag(content);
    response.setHeader("ETag", tag);
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Content-Security-Policy", policy);
    boolean found = response.getStatus() == HttpServletResponse.SC_OK;
    if (found && names(request.getHeader("If-None-Match"), tag)) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    response.setHeader("Content-Type", type);
    response.setContentLength(content.length);
    if (request.getMethod().equals("GET")) {
      response.getOutputStream().write(content);
    }
  }

  private static boolean names(@Nullable String ifNoneMatch, String tag) {
    return ifNoneMatch != null && (ifNoneMatch.equals("*") || ifNoneMatch.contains(tag));
  }

  private static String tag(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return "\"%08x-%x\"".formatted(checksum.getValue(), content.length);
  }
}
