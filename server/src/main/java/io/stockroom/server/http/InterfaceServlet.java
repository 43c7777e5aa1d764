package io.stockroom.server.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Hands every request that no other servlet answers to the pipeline. */
public final class InterfaceServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient Pipeline pipeline;

  public InterfaceServlet(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String inside = request.getPathInfo();
    String path = request.getServletPath() + (inside == null ? "" : inside);
    pipeline.serve(path, request, response);
  }
}
