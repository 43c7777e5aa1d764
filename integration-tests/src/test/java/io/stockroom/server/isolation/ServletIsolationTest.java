package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The public paths of the server, and that there are no others. */
class ServletIsolationTest {
  private static final TestServer SERVER = TestServer.shared();

  /** A new servlet is public until a test says who may call it. */
  @Test
  void everyServletIsCoveredByATest() {
    Pages.on(SERVER).get("/console/sign-in");

    assertThat(
            Objects.requireNonNull(SERVER.console().getServletContext())
                .getServletRegistrations()
                .values()
                .stream()
                .flatMap(servlet -> servlet.getMappings().stream()))
        .containsExactlyInAnyOrder(
            // InterfaceIsolationTest, ConsoleIsolationTest
            "/",
            "/console/*",
            // below
            "/openapi.json",
            "/docs",
            "/docs/*",
            "/docs/api",
            "/docs/api/*",
            "/pictures/*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/openapi.json", "/docs", "/docs/api", "/pictures/1/1.svg"})
  void publicPathsAreReadOnlyAndContainNoSecret(String path) {
    HttpResponse<String> shown = send(SERVER.port(), "GET", path);
    assertThat(shown.body()).doesNotContain(SERVER.operatorKey());
    for (String method : new String[] {"POST", "PUT", "PATCH", "DELETE"}) {
      assertThat(send(SERVER.port(), method, path).statusCode()).as(method).isIn(404, 405);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health/live", "/health/ready", "/metrics"})
  void servesHealthAndMetricsOnTheAdminPort(String path) {
    assertThat(send(SERVER.adminPort(), "GET", path).statusCode()).isEqualTo(200);
    assertThat(send(SERVER.adminPort(), "POST", path).statusCode()).isIn(404, 405);
    assertThat(send(SERVER.port(), "GET", path).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/env",
        "/beans",
        "/configprops",
        "/heapdump",
        "/threaddump",
        "/loggers",
        "/mappings",
        "/shutdown",
        "/httpexchanges",
        "/actuator",
        "/actuator/env",
        "/jolokia",
        "/console",
        "/Stock/List"
      })
  void servesNothingElseThere(String path) {
    assertThat(send(SERVER.adminPort(), "GET", path).statusCode()).isEqualTo(404);
    assertThat(send(SERVER.adminPort(), "POST", path).statusCode()).isIn(404, 405);
  }

  /** Not compared with the OpenAPI document, which describes the other port. */
  private static HttpResponse<String> send(int port, String method, String path) {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString("")).build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
