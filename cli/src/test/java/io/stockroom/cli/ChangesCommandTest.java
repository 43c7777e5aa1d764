package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangesCommandTest {
  private static final String PATH = "/Changes";

  private static final String STOCK =
      """
      {"number":17,"at":"2026-01-02T03:04:05.123Z","kind":"stock","pid":1,"artNo":"A100",\
      "source":"interface","batch":"b_9","entries":[\
      {"guid":"0","barCode":null,"color":"red","size":36,"before":null,"after":20},\
      {"guid":"1","barCode":null,"color":"red","size":37,"before":5,"after":4}]}""";

  private static final String PRODUCT =
      """
      {"number":18,"at":"2026-01-02T03:04:06.123Z","kind":"product","pid":2,"artNo":"A101",\
      "source":"import","batch":"b_10","created":false,"fields":["title","price"]}""";

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
  void printsAllPagesAndWhereToContinue() {
    server
        .on("POST", PATH, 200, page("c_1", true, STOCK))
        .then("POST", PATH, 200, page("c_2", false, PRODUCT));

    Program.Run run = Program.calling(server).run("changes");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            2026-01-02 03:04:05Z      17  stock    A100              interface  red 36: new → 20, red 37: 5 → 4
            2026-01-02 03:04:06Z      18  product  A101              import     title, price
            """);
    assertThat(run.err()).isEqualTo("Continue with: stockroom changes --after c_2\n");
    assertThat(server.received()).hasSize(2);
    assertThat(server.received().getFirst().body()).isEqualTo("limit=200");
    assertThat(server.last().body().split("&"))
        .containsExactlyInAnyOrder("limit=200", "after=c_1", "wait=0");
  }

  @Test
  void signsTheCall() {
    server.on("POST", PATH, 200, page("c_1", false));

    Program.calling(server).run("changes", "--after", "latest");

    AnsweringServer.Received request = server.last();
    assertThat(request.body()).contains("after=latest");
    assertThat(request.header("accesstoken")).isEqualTo("token-1");
    assertThat(Signature.matches("secret-1", request.header("timestamp"), request.header("sign")))
        .isTrue();
  }

  @Test
  void jsonPrintsOneChangePerLine() {
    server.on("POST", PATH, 200, page("c_1", false, STOCK, PRODUCT));

    Program.Run run = Program.calling(server).run("changes", "--json");

    assertThat(run.out()).isEqualTo(STOCK + "\n" + PRODUCT + "\n");
  }

  @Test
  void followsUntilTheCallIsRejectedAndKeepsTheCursorWhileTheServerIsAway() {
    server
        .on("POST", PATH, 200, page("c_1", false, STOCK))
        .then("POST", PATH, 503, "{}")
        .then("POST", PATH, 200, page("c_2", false, PRODUCT))
        .then("POST", PATH, 400, "{\"success\":false,\"msg\":\"the token is revoked\"}");

    Program.Run run = Program.calling(server).run("changes", "--follow");

    assertThat(run.out().lines()).hasSize(2);
    assertThat(server.received().stream().map(AnsweringServer.Received::body))
        .satisfiesExactly(
            first -> assertThat(first).doesNotContain("after"),
            second -> assertThat(second).contains("after=c_1", "wait=25"),
            third -> assertThat(third).contains("after=c_1", "wait=25"),
            fourth -> assertThat(fourth).contains("after=c_2"));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("Continue with: stockroom changes --after c_2\nthe token is revoked\n");
  }

  @Test
  void explainsARejectionAndAnAnswerOfAnotherProgram() {
    server
        .on("POST", PATH, 200, "{\"success\":false,\"msg\":\"take a snapshot\"}")
        .then("POST", PATH, 200, "[]");

    Program.Run run = Program.calling(server).run("changes", "--after=c_0", "--json");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("take a snapshot\n");
    assertThat(run.json().path("msg").asString()).isEqualTo("take a snapshot");

    assertThat(Program.calling(server).run("changes").err())
        .contains("which is not a response of Stockroom");
  }

  @Test
  void cutsLongChangesAndRemovesControlCharacters() {
    String entries =
        "{\"color\":\"\\u001bred\",\"size\":36,\"before\":1,\"after\":2},"
            .repeat(9)
            .replaceFirst(",$", "");
    server.on("POST", PATH, 200, page("c_1", false, "{\"entries\":[" + entries + "]}"));

    Program.Run run = Program.calling(server).run("changes");

    assertThat(run.out().getBytes(StandardCharsets.UTF_8)).doesNotContain((byte) 0x1b);
    assertThat(run.out()).endsWith("?red 36: 1 → 2 and 1 more\n");
  }

  private static String page(String cursor, boolean more, String... changes) {
    return "{\"success\":true,\"msg\":\"\",\"cursor\":\"%s\",\"more\":%s,\"changes\":[%s]}"
        .formatted(cursor, more, String.join(",", changes));
  }
}
