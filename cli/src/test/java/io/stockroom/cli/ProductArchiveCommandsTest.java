package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProductArchiveCommandsTest {
  private static final String PATH = "/admin/merchants/7/products/";

  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void archivesAndRestoresByItemNumber() {
    answer("archive", 200, "{\"pid\":5,\"artNo\":\"A 1\",\"archived\":true}");
    answer("restore", 200, "{\"pid\":5,\"artNo\":\"A 1\",\"archived\":false}");

    Program.Run archived = run("archive");
    assertThat(archived.exitCode()).isZero();
    assertThat(archived.out()).contains("A 1", "5", "true");
    assertThat(server.last().body()).isEqualTo("{\"artNo\":\"A 1\"}");
    assertThat(run("restore", "--json").json().path("archived").asBoolean(true)).isFalse();
  }

  @Test
  void saysWhyAProductCannotBeRestored() {
    answer(
        "restore",
        409,
        "{\"success\":false,\"msg\":\"The product A 1 cannot be restored.\",\"errors\":[]}");

    Program.Run run = run("restore");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("The product A 1 cannot be restored.");
  }

  private void answer(String what, int status, String body) {
    server.on("POST", PATH + what, status, body, Map.of("Content-Type", "application/json"));
  }

  private Program.Run run(String what, String... more) {
    return Program.operating(server)
        .run(
            Stream.concat(Stream.of("product", what, "--merchant=7", "A 1"), Stream.of(more))
                .toArray(String[]::new));
  }
}
