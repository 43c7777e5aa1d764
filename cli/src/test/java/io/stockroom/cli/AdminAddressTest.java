package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a command finds the admin port, and its error messages. */
class AdminAddressTest {
  private AnsweringServer admin;

  @BeforeEach
  void start() throws IOException {
    admin = new AnsweringServer();
    admin.on("GET", "/admin/merchants", 200, "{\"merchants\":[]}");
    admin.on(
        "POST",
        "/admin/people/li@example.com/reset",
        200,
        "{\"email\":\"li@example.com\",\"link\":\"/console/link/x\"}");
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @Test
  void usesThePortAfterTheServers() {
    String server = "http://localhost:" + (URI.create(admin.url()).getPort() - 1);

    assertThat(list(program(), "--server", server).exitCode()).isZero();
    assertThat(list(program().with("STOCKROOM_SERVER", server)).exitCode()).isZero();
    assertThat(list(program().with("STOCKROOM_SERVER", server + "/")).exitCode()).isZero();
    assertThat(admin.received()).hasSize(3);
  }

  @Test
  void commandLineWinsOverTheEnvironment() {
    Program elsewhere = program().with("STOCKROOM_ADMIN_SERVER", "http://localhost:1");
    String server = "http://localhost:" + (URI.create(admin.url()).getPort() - 1);

    assertThat(list(elsewhere).exitCode()).isEqualTo(1);
    assertThat(list(elsewhere, "--server", server).exitCode()).isZero();
    assertThat(list(elsewhere, "--admin-server", admin.url()).exitCode()).isZero();
    assertThat(
            list(
                    program().with("STOCKROOM_ADMIN_SERVER", admin.url()),
                    "--server",
                    "https://a.example")
                .exitCode())
        .isZero();
  }

  /** People open links at the server's public address, not at the admin port. */
  @Test
  void linksUseThePublicAddress() {
    Program.Run run =
        program()
            .run(
                "person",
                "reset",
                "li@example.com",
                "--server",
                "https://stock.example",
                "--admin-server",
                admin.url(),
                "--json");

    assertThat(run.json().get("link").asString()).isEqualTo("https://stock.example/console/link/x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://stock.example",
        "https://stock.example:8443",
        "http://stock.example",
        "http://stock.example:8080/below",
        "http://stock.example:65535"
      })
  void rejectsAProxyAddress(String server) {
    Program.Run run = list(program(), "--server", server);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains(server)
        .contains("ssh -L 8081:localhost:8081 stock.example")
        .contains("--admin-server http://localhost:8081")
        .hasLineCount(1);
  }

  @Test
  void reportsTheAddressAndWhatToDo() {
    assertThat(list(program(), "--server", "http://localhost:1").err())
        .contains("No Stockroom server responds at http://localhost:2.")
        .contains("stockroom serve", "--server", "--admin-server");
    assertThat(
            new AdminAddress(URI.create("http://10.0.0.7:8081"), URI.create("http://a"), true)
                .advice())
        .contains("ssh -L 8081:localhost:8081 10.0.0.7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:8081", "ftp://x", "http://", "http://h/?q=1"})
  void rejectsInvalidAddresses(String address) {
    assertThat(list(program(), "--admin-server", address).err())
        .contains("--admin-server is '" + address + "'");
    assertThat(list(program().with("STOCKROOM_ADMIN_SERVER", address)).err())
        .contains("STOCKROOM_ADMIN_SERVER is '" + address + "'");
  }

  private static Program program() {
    return Program.plain().with("STOCKROOM_OPERATOR_KEY", "the-key");
  }

  private static Program.Run list(Program program, String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "merchant";
    arguments[1] = "list";
    System.arraycopy(more, 0, arguments, 2, more.length);
    return program.run(arguments);
  }
}
