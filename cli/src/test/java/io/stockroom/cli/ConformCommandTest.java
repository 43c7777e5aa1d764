package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.conformance.Rule;
import io.stockroom.conformance.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The command itself; the conformance module tests the rules. */
class ConformCommandTest {
  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("POST", "/Stock/Product", 400, "{\"success\":false,\"msg\":\"No.\"}");
    server.on("POST", "/Stock/List", 400, "{\"success\":false,\"msg\":\"No.\"}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void passesWhenEveryRuleHolds() {
    Program.Run run = judging().run("conform", "--only", "products.page-bad");

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out())
        .startsWith("Testing " + server.url() + " against 1 rule. No stock is written")
        .contains("holds    products.page-bad")
        .contains("1 rule holds, 0 are broken, 0 were skipped");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void showsRequestAndResponseOfABrokenRule() {
    Program.Run run =
        judging().run("conform", "--only", "signing.upper-case", "--pid", "7", "--pid", "8");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("Stock is written only to products 7 and 8.")
        .contains("BROKEN   signing.upper-case")
        .contains("expected status 200, got 400")
        .contains("> POST /Stock/Product", "> accesstoken: <accesstoken>", "> page=1")
        .contains("< 400", "< {\"success\":false,\"msg\":\"No.\"}")
        .doesNotContain("token-1");
  }

  @Test
  void failsWhenARuleWasSkipped() {
    Program.Run run = judging().run("conform", "--only", "create.writes");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("skipped  create.writes", "pass --pid");
    assertThat(run.err()).contains("--allow-skipped");
    assertThat(judging().run("conform", "--only", "create.writes", "--allow-skipped").exitCode())
        .isZero();
    assertThat(server.received()).isEmpty();
  }

  @Test
  void jsonPrintsEverythingInOneObject() {
    Program.Run run =
        judging().run("conform", "--only", "signing.upper-case", "--pid", "7", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.json().path("broken").asInt()).isEqualTo(1);
    assertThat(run.json().path("writesTo").path(0).asInt()).isEqualTo(7);
    JsonNode rule = run.json().path("rules").path(0);
    assertThat(rule.path("rule").asString()).isEqualTo("signing.upper-case");
    assertThat(rule.path("outcome").asString()).isEqualTo("broken");
    assertThat(rule.path("request").asString()).startsWith("POST /Stock/Product");
    assertThat(rule.path("answer").asString()).startsWith("400");
  }

  @Test
  void writesJUnitXml() throws IOException {
    Path file = folder.resolve("conform.xml");

    Program.Run run =
        judging().run("conform", "--only", "signing.upper-case", "--junit", file.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Files.readString(file)).contains("failures=\"1\"", "signing.upper-case");
    assertThat(
            judging()
                .run("conform", "--only", "signing.upper-case", "--junit", folder + "/no/x.xml")
                .err())
        .contains("could not be written to", "no/x.xml");
  }

  @Test
  void listsEveryRuleWithoutAServer() {
    Program.Run run = Program.plain().run("conform", "--list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines()).hasSize(Suite.rules().size() + 1);
    assertThat(Program.plain().run("conform", "--list", "--basis", "interface").out().lines())
        .hasSizeBetween(20, Suite.rules().size())
        .noneMatch(line -> line.contains(" settled "));
    assertThat(
            Program.plain().run("conform", "--list", "--json").json().path("rules").valueStream())
        .extracting(rule -> rule.path("rule").asString())
        .containsExactlyElementsOf(Suite.rules().stream().map(Rule::id).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --only signin         | There is no rule or group 'signin'; did you mean 'signing'?
          --basis law           | --basis is 'law'; pass interface or settled
          --pace 2s             | --pace is '2s'; pass a duration from PT0S to PT1M
          --pace PT2M           | --pace is 'PT2M'; pass a duration from PT0S to PT1M
          --pid 0               | '0' is not a product
          --base-url localhost  | --base-url is 'localhost', which is not a server address
          """)
  void rejectsContradictoryOptions(String arguments, String sentence) {
    Program.Run run = judging().run(("conform " + arguments).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(sentence);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void reportsThatNoServerResponds() {
    Program.Run run = judging().run("conform", "--base-url", "http://localhost:1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("No server responds at http://localhost:1. Check --base-url.\n");
  }

  private Program judging() {
    return Program.plain()
        .with("STOCKROOM_SERVER", server.url())
        .with("STOCKROOM_APPID", "app-1")
        .with("STOCKROOM_SECRET", "secret-1")
        .with("STOCKROOM_TOKEN", "token-1");
  }
}
