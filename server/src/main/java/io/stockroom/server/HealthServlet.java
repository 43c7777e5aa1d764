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
  static final String[] PATHS = {"/health", "/health/live", "/health/ready", "/health/writable"};

  private static final long serialVersionUID = 1;
  private static final JsonFactory JSON = new JsonFactory();

  private final transient DatabaseHealth database;

  HealthServlet(DatabaseHealth database) {
    this.database = database;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Map<String, DatabaseHealth.State> components = new TreeMap<>();
    DatabaseHealth.State state =
        switch (request.getServletPath()) {
          case "/health/live" -> {
            var ping = new DatabaseHealth.State("UP", Map.of());
            components.put("ping", ping);
            yield ping;
          }
          case "/health/writable" -> {
            DatabaseHealth.State writes = database.writes();
            components.put("writes", writes);
            yield writes;
          }
          default -> {
            // only told: a node that can read is of more use than none
            components.put("writes", database.writes());
            DatabaseHealth.State ready = database.state();
            components.put("database", ready);
            yield ready;
          }
        };
    response.setStatus(state.isUp() ? 200 : 503);
    response.setContentType("application/json");
    try (JsonGenerator out =
        JSON.createGenerator(ObjectWriteContext.empty(), response.getOutputStream())) {
      Json.write(out, body(components, state.status()));
    }
  }

  private static Map<String, Object> body(
      Map<String, DatabaseHealth.State> components, String status) {
    Map<String, Object> all = new TreeMap<>();
    components.forEach((name, state) -> all.put(name, component(state)));
    return new TreeMap<>(Map.of("components", all, "status", status));
  }

  private static Map<String, Object> component(DatabaseHealth.State state) {
    Map<String, Object> component = new TreeMap<>(Map.of("status", state.status()));
    if (!state.details().isEmpty()) {
      component.put("details", state.details());
    }
    return component;
  }
}
