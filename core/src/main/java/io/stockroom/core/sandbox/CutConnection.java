package io.stockroom.core.sandbox;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Ends a call with half a response. An error, because the stages answer every exception. */
final class CutConnection extends Error {
  private static final long serialVersionUID = 1;
  private static final int PROMISED_BYTES = 1000;

  CutConnection() {
    super("The sandbox cuts this connection.", null, false, false);
  }

  /** Sends the half response: the web server closes the connection when it learns of a failure. */
  static final class Filter extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      try {
        chain.doFilter(request, response);
      } catch (ServletException failure) {
        if (!(failure.getRootCause() instanceof CutConnection cut)) {
          throw failure;
        }
        response.setContentType("application/json");
        response.setContentLength(PROMISED_BYTES);
        response.getOutputStream().write("{\"success\":".getBytes(StandardCharsets.UTF_8));
        response.flushBuffer();
        throw new IOException(cut.getMessage());
      }
    }
  }
}
