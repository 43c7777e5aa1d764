package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandsTest {
  private static final String JOB = "/admin/merchants/7/imports/7";

  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on(
        "GET",
        "/admin/imports",
        200,
        "{\"imports\":[" + Imports.in("planned", Imports.counts(2, 1, 0, 4)) + "]}");
    server.on("GET", JOB, 200, Imports.in("planned", Imports.counts(2, 1, 0, 4)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void writesTheRejectedRowsIntoANewFile() throws IOException {
    server.on("GET", JOB + "/rejected", 200, "rows", Map.of("Content-Type", "text/csv"));
    Path file = folder.resolve("bad.csv");

    assertThat(run("import", "show", "7", "--rejected", file.toString()).exitCode()).isZero();
    assertThat(file).hasContent("rows");

    Files.writeString(file, "mine");
    assertThat(run("import", "show", "7", "--rejected", file.toString()).exitCode()).isEqualTo(1);
    assertThat(file).hasContent("mine");
  }

  @Test
  void saysHowToContinueWhenTheServerIsLost() {
    URI address = URI.create(server.url());
    server.close();
    AdminApi api =
        new AdminApi(new AdminAddress(address, address, false), new OperatorKey("k", "here"), null);
    List<String> said = new ArrayList<>();
    Watch watch =
        new Watch(api, JOB, Duration.ofMillis(1), () -> said.add("lost"), "It continues there.");

    assertThatThrownBy(() -> watch.follow(Json.object(), _ -> true, _ -> {}))
        .isInstanceOf(CommandException.class)
        .hasMessage("The connection to the server is lost. It continues there.");
    assertThat(said).containsExactly("lost");
  }

  private Program.Run run(String... arguments) {
    return Program.operating(server).run(arguments);
  }
}
