package io.stockroom.console.visit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.TestServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleStartTest {
  @Test
  void theConsoleHasStartedWhenTheServerHas() {
    TestServer server = TestServer.with(Map.of("page-size", "9"));

    assertThat(server.console().getWebApplicationContext())
        .as("nobody has opened a page yet")
        .isNotNull();
  }
}
