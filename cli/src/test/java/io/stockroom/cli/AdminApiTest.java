package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of failed admin API call. */
class AdminApiTest {
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
  void reportsThatNoServerRespondsAndHowToStartOne() throws IOException {
    // bound so that no other program gets the port, but not listening
    try (Socket taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String url = "http://127.0.0.1:" + taken.getLocalPort();

      Program.Run run =
          Program.operating(server).run("merchant", "list", "--admin-server", url, "--json");

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .startsWith(
              "No Stockroom server responds at " + url + ". Start a server with: stockroom serve;")
          .endsWith("--admin-server or STOCKROOM_ADMIN_SERVER.\n");
      assertThat(run.json().path("success").asBoolean()).isFalse();
      assertThat(run.json().path("msg").asString()).isEqualTo(run.err().strip());
    }
  }

  @Test
  void reportsARejectedKeyAndItsSource() {
    server.on("GET", "/admin/merchants", 401, "{\"success\":false,\"msg\":\"no\",\"errors\":[]}");

    Program.Run run = Program.operating(server).run("merchant", "list", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(server.url() + " rejected the operator key from STOCKROOM_OPERATOR_KEY")
        .doesNotContain("the-key");
    assertThat(run.out()).isEqualTo("{\"success\":false,\"msg\":\"no\",\"errors\":[]}\n");
  }

  @Test
  void reportsARejectedKeyForAnyBody() {
    server.on("GET", "/admin/merchants", 401, "");

    assertThat(Program.operating(server).run("merchant", "list").err())
        .contains("rejected the operator key");
  }

  @Test
  void rejectsAProxyPage() {
    server.on(
        "GET",
        "/admin/merchants",
        502,
        "<html>Bad gateway</html>",
        Map.of("Content-Type", "text/html; charset=utf-8"));

    Program.Run run = Program.operating(server).run("merchant", "list", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            server.url() + " responded 502 Bad Gateway with text/html, which is not a response");
    assertThat(run.json().path("msg").asString()).contains("502 Bad Gateway");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "\"text\"", "{} {}", "{\"merchants\":", ""})
  void rejectsAnythingButOneJsonObject(String body) {
    server.on("GET", "/admin/merchants", 200, body);

    Program.Run run = Program.operating(server).run("merchant", "list");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("responded 200 OK with something other than a JSON object");
  }

  @Test
  void reportsTheTargetOfARedirect() {
    server.on("GET", "/admin/merchants", 301, "", Map.of("Location", "https://shop.example/admin"));

    assertThat(Program.operating(server).run("merchant", "list").err())
        .contains("redirects to https://shop.example/admin");
  }

  @Test
  void reportsAnInterruptedConnection() {
    server.cut("GET", "/admin/merchants");

    Program.Run run = Program.operating(server).run("merchant", "list");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("connection to " + server.url() + " was lost").hasLineCount(1);
  }

  @Test
  void printsTheServersRejectionWithEveryProblem() {
    String refusal =
        "{\"success\":false,\"msg\":\"Two faults\",\"errors\":["
            + "{\"at\":\"name\",\"code\":\"BLANK\",\"msg\":\"is blank\"},"
            + "{\"at\":\"storeUrl\",\"code\":\"FORMAT\",\"msg\":\"storeUrl has spaces\"}]}";
    server.on("GET", "/admin/merchants", 400, refusal);

    Program.Run run = Program.operating(server).run("merchant", "list", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("Two faults\n  name: is blank\n  storeUrl has spaces\n");
    assertThat(run.out()).isEqualTo(refusal + "\n");
  }

  @Test
  void printsAProblemOnceIfItIsTheWholeMessage() {
    server.on(
        "GET",
        "/admin/merchants",
        409,
        "{\"success\":false,\"msg\":\"name:"
            + " taken\",\"errors\":[{\"at\":\"name\",\"msg\":\"taken\"}]}");

    assertThat(Program.operating(server).run("merchant", "list").err()).isEqualTo("name: taken\n");
  }

  @Test
  void asksToRetryWhenTheServerIsNotReady() {
    server.on("GET", "/admin/merchants", 503, "{\"success\":false,\"msg\":\"Database is away\"}");

    assertThat(Program.operating(server).run("merchant", "list").err())
        .contains("Database is away (" + server.url() + " is not ready; try again shortly)");
  }

  @Test
  void reportsARejectionWithoutAReason() {
    server.on("GET", "/admin/merchants", 404, "{\"status\":404}");

    assertThat(Program.operating(server).run("merchant", "list").err())
        .contains("responded 404 Not Found without a reason");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:8080", "ftp://x", "http://", "http://a b", "http://h/?q=1"})
  void rejectsInvalidServerAddresses(String address) {
    Program.Run run = Program.operating(server).run("merchant", "list", "--server", address);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--server is '" + address + "'").hasLineCount(1);
  }

  @Test
  void acceptsATrailingSlash() {
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[]}");

    Program.Run run =
        Program.operating(server).run("merchant", "list", "--admin-server", server.url() + "/");

    assertThat(run.exitCode()).isZero();
    assertThat(server.last().path()).isEqualTo("/admin/merchants");
  }

  @Test
  void stripsTerminalControlCharacters() {
    server.on("GET", "/admin/merchants", 400, "{\"success\":false,\"msg\":\"a\\u001b[2Jb\"}");

    assertThat(Program.operating(server).run("merchant", "list").err()).isEqualTo("a?[2Jb\n");
  }
}
