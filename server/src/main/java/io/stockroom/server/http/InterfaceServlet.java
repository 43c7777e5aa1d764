package io.stockroom.server.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;

/**
 * Hands every request that no other servlet answers to the pipeline. A browser that opens the bare
 * address is sent to the pages for people.
 */
public final class InterfaceServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient Pipeline pipeline;
  private final String home;

  /**
   * Makes the servlet.
   *
   * @param home where people begin
   */
  public InterfaceServlet(Pipeline pipeline, String home) {
    this.pipeline = pipeline;
    this.home = home;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String inside = request.getPathInfo();
    String path = request.getServletPath() + (inside == null ? "" : inside);
    if (path.equals("/") && isBrowser(request)) {
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader("Location", home);
      response.setHeader("Vary", "Accept");
      return;
    }
    pipeline.serve(path, request, response);
  }

  private static boolean isBrowser(HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null
        && accept.toLowerCase(Locale.ROOT).contains("text/html")
        && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"));
  }
}
