package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AppAccessTest {
  private static final String APPLICATION =
      """
      {"appid":"app_1","name":"Sync","createdAt":"2026-01-02T03:04:05Z","requireHmac":true,\
      "addresses":["10.0.0.0/8"],"previousSecretUntil":"2026-01-09T03:04:05Z"}\
      """;

  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("GET", "/admin/applications/app_1", 200, APPLICATION);
    server.on("PATCH", "/admin/applications/app_1", 200, APPLICATION);
    server.on(
        "POST",
        "/admin/applications/app_1/rotate",
        200,
        "{\"appid\":\"app_1\",\"secret\":\"n3w\",\"previousSecretUntil\":\"2026-01-09T03:04:05Z\"}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void showsAnApplication() {
    Program.Run run = Program.operating(server).run("app", "show", "app_1");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            appid:         app_1
            name:          Sync
            state:         active
            signatures:    hmac-sha256
            addresses:     10.0.0.0/8
            old secret:    until 2026-01-09T03:04:05Z
            created:       2026-01-02T03:04:05Z
            """);
  }

  @Test
  void showsAnUnrestrictedApplication() {
    server.on(
        "GET",
        "/admin/applications/app_1",
        200,
        "{\"requireHmac\":false,\"addresses\":[],\"previousSecretUntil\":null}");

    assertThat(Program.operating(server).run("app", "show", "app_1").out())
        .containsPattern("(?m)^signatures: +md5, hmac-sha256$")
        .containsPattern("(?m)^addresses: +any$")
        .containsPattern("(?m)^old secret: +-$");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "requireHmac":true,"requireNonce":true  | hmac-sha256 with nonce
          "restrictMd5":true,"requireNonce":false | md5 \\(not for webhooks and imports\\), hmac-sha256
          "requireHmac":true,"restrictMd5":true   | hmac-sha256
          """)
  void showsHowAnApplicationMustSign(String rules, String shown) {
    server.on("GET", "/admin/applications/app_1", 200, "{%s,\"addresses\":[]}".formatted(rules));

    assertThat(Program.operating(server).run("app", "show", "app_1").out())
        .containsPattern("(?m)^signatures: +" + shown + "$");
  }

  @Test
  void encodesTheAppidInThePath() {
    Program.operating(server).run("app", "show", "../x y?z");

    assertThat(server.last().path()).isEqualTo("/admin/applications/..%2Fx%20y%3Fz");
  }

  @Test
  void rotatesASecretAndPrintsWhenTheOldOneExpires() {
    Program.Run run = Program.operating(server).run("app", "rotate", "app_1");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            appid:         app_1
            secret:        n3w
            This is the only time the secret is shown. Save it now.
            The old secret works until 2026-01-09T03:04:05Z.
            """);
    assertThat(server.last().body()).isEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource({"P7D,P7D", "p1m,P1M", "pt1s,PT1S", "PT0S,PT0S", "P0D,PT0S"})
  void sendsTheGracePeriod(String grace, String sent) {
    Program.Run run = Program.operating(server).run("app", "rotate", "app_1", "--grace", grace);

    assertThat(server.last().body()).isEqualTo("{\"grace\":\"" + sent + "\"}");
    assertThat(run.out().contains("no longer works")).isEqualTo(sent.equals("PT0S"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "P", "P-1D", "PT-1S", "0", "P0H", ""})
  void rejectsInvalidGracePeriods(String grace) {
    Program.Run run = Program.operating(server).run("app", "rotate", "app_1", "--grace=" + grace);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("write P7D for 7 days");
    assertThat(server.received()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --require-hmac                      | {"requireHmac":true}
          --no-require-hmac                   | {"requireHmac":false}
          --allow 10.0.0.0/8 --allow ::1/128  | {"addresses":["10.0.0.0/8","::1/128"]}
          --allow-any                         | {"addresses":[]}
          --no-require-hmac --allow 10.1.2.3  | {"requireHmac":false,"addresses":["10.1.2.3"]}
          --require-nonce --no-restrict-md5   | {"requireNonce":true,"restrictMd5":false}
          """)
  void sendsOnlyGivenSettings(String arguments, String body) {
    Program.Run run = Program.operating(server).run(("app set app_1 " + arguments).split(" "));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).containsPattern("(?m)^appid: +app_1$");
    assertThat(server.last().method()).isEqualTo("PATCH");
    assertThat(server.last().body()).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({
    "--json, Nothing to set",
    "--allow=::1 --allow-any, Use either --allow or --allow-any"
  })
  void rejectsContradictorySettings(String arguments, String sentence) {
    Program.Run run = Program.operating(server).run(("app set app_1 " + arguments).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(sentence);
    assertThat(server.received()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"disable, true", "enable, false", "stop, true", "resume, false"})
  void disablesAnApplicationAndEnablesIt(String command, boolean stopped) {
    String since = stopped ? "\"2026-01-03T03:04:05Z\"" : "null";
    server.on("PATCH", "/admin/applications/app_1", 200, "{\"stoppedAt\":" + since + "}");

    Program.Run run = Program.operating(server).run("app", command, "app_1");

    assertThat(run.exitCode()).isZero();
    assertThat(server.last().body()).isEqualTo("{\"stopped\":" + stopped + "}");
    assertThat(run.out())
        .containsPattern(
            stopped ? "(?m)^state: +disabled since 2026-01-03T03:04:05Z$" : "(?m)^state: +active$");
  }

  @Test
  void jsonPrintsTheResponsesUnchanged() {
    assertThat(Program.operating(server).run("app", "show", "app_1", "--json").out())
        .isEqualTo(APPLICATION + "\n");
    assertThat(Program.operating(server).run("app", "set", "app_1", "--allow-any", "--json").out())
        .isEqualTo(APPLICATION + "\n");
    assertThat(
            Program.operating(server)
                .run("app", "rotate", "app_1", "--json")
                .json()
                .path("secret")
                .asString())
        .isEqualTo("n3w");
  }
}
