package io.stockroom.server;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** Answers the probes: whether the process responds, and whether it is ready for calls. */
final class HealthServlet extends HttpServlet {
  static final String[] PATHS = {"/health", "/health/live", "/health/ready"};

  private static final long serialVersionUID = 1;
  private static final JsonMapper JSON = new JsonMapper();

  private final transient DatabaseHealth database;

  HealthServlet(DatabaseHealth database) {
    this.database = database;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean isLiveness = request.getServletPath().endsWith("/live");
    DatabaseHealth.State state =
        isLiveness ? new DatabaseHealth.State("UP", Map.of()) : database.state();
    Map<String, Object> component = new TreeMap<>(Map.of("status", state.status()));
    if (!state.details().isEmpty()) {
      component.put("details", new TreeMap<>(state.details()));
    }
    Map<String, Object> body =
        new TreeMap<>(
            Map.of(
                "components",
                Map.of(isLiveness ? "ping" : "database", component),
                "status",
                state.status()));
    response.setStatus(state.isUp() ? 200 : 503);
    response.setContentType("application/json");
    response.getOutputStream().write(JSON.writeValueAsBytes(body));
  }
}
