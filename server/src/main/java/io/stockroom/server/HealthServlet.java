package io.stockroom.server;

import io.stockroom.core.call.Json;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Answers the probes: whether the process responds, and whether it is ready for calls. */
final class HealthServlet extends HttpServlet {
  static final String[] PATHS = {"/health", "/health/live", "/health/ready"};

  private static final long serialVersionUID = 1;
  private static final JsonFactory JSON = new JsonFactory();

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
    response.setStatus(state.isUp() ? 200 : 503);
    response.setContentType("application/json");
    try (JsonGenerator out =
        JSON.createGenerator(ObjectWriteContext.empty(), response.getOutputStream())) {
      Json.write(out, body(isLiveness ? "ping" : "database", state));
    }
  }

  private static Map<String, Object> body(String name, DatabaseHealth.State state) {
    Map<String, Object> component = new TreeMap<>(Map.of("status", state.status()));
    if (!state.details().isEmpty()) {
      component.put("details", state.details());
    }
    return new TreeMap<>(Map.of("components", Map.of(name, component), "status", state.status()));
  }
}
