package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogCommandsTest {
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
  void printsTheNewestCallsLast() {
    server.on(
        "GET",
        "/admin/requests",
        200,
        answer(
            call(12, "\"SIGN_FORMAT\"", 400, "rejected", "null", "null"),
            call(11, "null", 200, "succeeded", "7", "\"app_1\"")));

    Program.Run run = Program.operating(server).run("logs", "tail");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            2026-01-02 03:04:11Z  200  /Stock/List           1.5 ms  merchant 7     app_1              00000000000000ab
            2026-01-02 03:04:12Z  400  /Stock/List           1.5 ms  merchant -     -                  00000000000000ab  SIGN_FORMAT
            """);
    assertThat(server.last().path()).isEqualTo("/admin/requests?limit=20");
  }

  @Test
  void sendsTheFilters() {
    server.on("GET", "/admin/requests", 200, answer());

    Program.Run run =
        Program.operating(server)
            .run(
                "logs",
                "tail",
                "--merchant",
                "7",
                "--endpoint",
                "/Stock/List",
                "--outcome",
                "rejected",
                "--lines",
                "3");

    assertThat(server.last().path())
        .isEqualTo("/admin/requests?merchant=7&endpoint=%2FStock%2FList&outcome=rejected&limit=3");
    assertThat(run.out()).startsWith("No call matches.");
  }

  @Test
  void jsonPrintsOneObjectPerLine() {
    server.on(
        "GET",
        "/admin/requests",
        200,
        answer(
            call(12, "null", 200, "succeeded", "7", "null"),
            call(11, "null", 200, "succeeded", "7", "null")));

    Program.Run run = Program.operating(server).run("logs", "tail", "--json");

    assertThat(run.out().lines())
        .extracting(
            line ->
                Json.parse(line.getBytes(StandardCharsets.UTF_8)).orElseThrow().path("id").asInt())
        .containsExactly(11, 12);
  }

  @Test
  void followsFromTheLastCallItShowed() {
    server
        .on("GET", "/admin/requests", 200, answer(call(11, "null", 200, "succeeded", "7", "null")))
        .then("GET", "/admin/requests", 503, "{}")
        .then(
            "GET",
            "/admin/requests",
            200,
            answer(
                call(12, "null", 200, "succeeded", "7", "null"),
                call(13, "null", 200, "succeeded", "7", "null")))
        .then("GET", "/admin/requests", 401, "{}");

    Program.Run run = Program.operating(server).run("logs", "tail", "--follow");

    assertThat(run.out().lines()).hasSize(3);
    assertThat(server.last().path()).isEqualTo("/admin/requests?after=13&limit=200");
    assertThat(run.exitCode()).as("the key is refused, which ends it").isEqualTo(1);
  }

  @Test
  void rejectsAnInvalidNumberOfLines() {
    assertThat(Program.operating(server).run("logs", "tail", "--lines", "501").exitCode())
        .isEqualTo(2);
    server.on("GET", "/admin/requests", 200, answer());
    assertThat(Program.operating(server).run("logs", "tail", "--lines", "500").exitCode()).isZero();
  }

  private static String answer(String... calls) {
    return "{\"requests\":[" + String.join(",", calls) + "]}";
  }

  private static String call(
      int id, String code, int status, String outcome, String merchant, String appid) {
    return """
    {"id":%1$d,"at":"2026-01-02T03:04:%1$dZ","requestId":"00000000000000ab","merchantId":%5$s,\
    "appid":%6$s,"endpoint":"/Stock/List","method":"POST","path":"/Stock/List","status":%3$d,\
    "outcome":"%4$s","code":%2$s,"micros":1500,"address":"127.0.0.1"}"""
        .formatted(id, code, status, outcome, merchant, appid);
  }
}
