package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallCommandTest {
  private static final String SUCCESS =
      "{\"success\":true,\"data\":{\"price\":59.00},\"msg\":\"\"}";

  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("POST", "/Stock/List", 200, SUCCESS);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void signsAFormAndPrintsStatusAndBody() {
    long before = Instant.now().getEpochSecond();

    Program.Run run = calling().run("call", "/Stock/List", "productid=17", "note=a=b&鞋");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("200 OK\n" + SUCCESS + "\n");
    AnsweringServer.Received request = server.last();
    assertThat(request.path()).isEqualTo("/Stock/List");
    assertThat(request.body()).isEqualTo("productid=17&note=a%3Db%26%E9%9E%8B");
    assertThat(request.header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
    assertThat(request.header("appid")).isEqualTo("app-1");
    assertThat(request.header("accesstoken")).isEqualTo("token-1");
    String timestamp = request.header("timestamp");
    assertThat(Long.parseLong(timestamp)).isBetween(before, Instant.now().getEpochSecond());
    assertThat(Signature.matches("secret-1", timestamp, request.header("sign"))).isTrue();
    assertThat(request.headers().values().toString()).doesNotContain("secret-1");
  }

  @Test
  void sendsAnEmptyFormWithoutFields() {
    Program.Run run = calling().run("call", "Stock/List?page=1");

    assertThat(run.exitCode()).isZero();
    assertThat(server.last().path()).isEqualTo("/Stock/List?page=1");
    assertThat(server.last().header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
    assertThat(server.last().body()).isEmpty();
  }

  @Test
  void sendsAFileAsJson() throws IOException {
    Path file = Files.writeString(folder.resolve("stock.json"), "[{\"color\":\"红\"}]");

    calling().run("call", "/Stock/List", "--body", file.toString());

    assertThat(server.last().header("Content-Type")).isEqualTo("application/json");
    assertThat(server.last().body()).isEqualTo("[{\"color\":\"红\"}]");
  }

  @Test
  void sendsStandardInputAsJson() {
    calling().reading("[]").run("call", "/Stock/List", "--body", "-");

    assertThat(server.last().header("Content-Type")).isEqualTo("application/json");
    assertThat(server.last().body()).isEqualTo("[]");
  }

  @Test
  void signsTheWholeRequestWhenAsked() {
    String body = "[{\"color\":\"红\"}]";

    Program.Run run =
        calling()
            .reading(body)
            .run("call", "Stock/List?page=1", "--body=-", "--sign-method=hmac-sha256");

    assertThat(run.exitCode()).isZero();
    AnsweringServer.Received request = server.last();
    assertThat(request.header("sign-method")).isEqualTo("hmac-sha256");
    assertThat(isSigned(request, "/Stock/List?page=1", body)).isTrue();
    assertThat(isSigned(request, "/Stock/List", body)).isFalse();
    assertThat(request.headers().values().toString()).doesNotContain("secret-1");
  }

  @Test
  void signsAFormAsItIsSent() {
    calling().run("call", "/Stock/List", "note=鞋 1", "--sign-method=hmac-sha256");

    assertThat(isSigned(server.last(), "/Stock/List", "note=%E9%9E%8B+1")).isTrue();
  }

  @Test
  void doesNotSignAProxyPrefix() {
    server.on("POST", "/below/Stock/List", 200, SUCCESS);

    Program.Run run =
        calling()
            .with("STOCKROOM_SERVER", server.url() + "/below/")
            .run("call", "/Stock/List", "--sign-method=hmac-sha256");

    assertThat(run.exitCode()).isZero();
    assertThat(isSigned(server.last(), "/Stock/List", "")).isTrue();
  }

  @Test
  void sendsNoSignMethodByDefault() {
    calling().run("call", "/Stock/List");

    assertThat(server.last().headers()).doesNotContainKey("Sign-method");
  }

  @Test
  void commandLineCredentialsWin() {
    calling().run("call", "/Stock/List", "--appid=a2", "--secret=s2", "--token=t2");

    assertThat(server.last().header("appid")).isEqualTo("a2");
    assertThat(server.last().header("accesstoken")).isEqualTo("t2");
    assertThat(
            Signature.matches(
                "s2", server.last().header("timestamp"), server.last().header("sign")))
        .isTrue();
  }

  @Test
  void indentsTheBodyOnATerminalAndKeepsEveryDigit() {
    Program.Run run = calling().onTerminal().run("call", "/Stock/List");

    assertThat(run.out()).startsWith("200 OK\n{\n").contains("\"price\" : 59.00\n");
  }

  @Test
  void jsonPrintsStatusHeadersAndBody() {
    Program.Run run = calling().run("call", "/Stock/List", "--json");

    assertThat(run.exitCode()).isZero();
    assertThat(run.json().path("status").asInt()).isEqualTo(200);
    assertThat(run.json().path("headers").path("content-type").asString())
        .isEqualTo("application/json");
    assertThat(run.out()).contains("\"body\":" + SUCCESS);
  }

  @Test
  void failsWhenSuccessIsFalse() {
    server.on("POST", "/Stock/List", 200, "{\"success\":false,\"data\":\"\",\"msg\":\"no stock\"}");

    Program.Run run = calling().run("call", "/Stock/List", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.json().path("body").path("msg").asString()).isEqualTo("no stock");
    assertThat(run.err()).isEqualTo("The call failed (200 OK): no stock\n");
  }

  @Test
  void failsWhenTheStatusIsNot200AndShowsTheLimits() {
    server.on(
        "POST",
        "/Stock/List",
        429,
        "{\"success\":true,\"msg\":\"slower\"}",
        Map.of("Retry-After", "2", "RateLimit", "\"create\";r=0;t=2"));

    Program.Run run = calling().run("call", "/Stock/List");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out().lines().findFirst())
        .contains("429 Too Many Requests  Retry-After: 2  RateLimit: \"create\";r=0;t=2");
    assertThat(run.err()).isEqualTo("The call failed (429 Too Many Requests): slower\n");
  }

  @Test
  void printsNonJsonBodiesUnchanged() {
    server.on("POST", "/Stock/List", 502, "<html>", Map.of("Content-Type", "text/html"));

    assertThat(calling().run("call", "/Stock/List", "--json").json().path("body").asString())
        .isEqualTo("<html>");
    Program.Run run = calling().run("call", "/Stock/List");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("502 Bad Gateway\n<html>\n");
    assertThat(run.err())
        .isEqualTo("The call failed (502 Bad Gateway): the response is not JSON\n");
  }

  @Test
  void namesEveryMissingCredential() {
    Program.Run run =
        calling().without("STOCKROOM_APPID").without("STOCKROOM_TOKEN").run("call", "/Stock/List");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("--appid (or STOCKROOM_APPID), --token (or STOCKROOM_TOKEN)")
        .doesNotContain("--secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"page", "=1"})
  void rejectsFieldsThatAreNotKeyAndValue(String field) {
    Program.Run run = calling().run("call", "/Stock/List", field);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'" + field + "' is not key=value");
  }

  @Test
  void rejectsContradictoryOptions() {
    assertThat(calling().run("call", "/Stock/List", "a=1", "--body", "x.json").err())
        .contains("Use either --body or 'a=1'");
    assertThat(calling().run("call", "http://other/Stock/List").err())
        .contains("pass only the path");
    assertThat(calling().run("call", "/Stock List").err()).contains("The request is invalid");
    assertThat(calling().run("call", "/Stock/List", "--token", "a\nb").err())
        .contains("The request is invalid");
    assertThat(calling().run("call", "/Stock/List", "--body", "gone.json").err())
        .contains("There is no file 'gone.json'");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void reportsAnInterruptedConnection() {
    server.cut("POST", "/Stock/List");

    Program.Run run = calling().run("call", "/Stock/List", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.json().path("success").asBoolean()).isFalse();
    assertThat(run.err()).contains("was lost");
  }

  private static boolean isSigned(AnsweringServer.Received request, String path, String body) {
    String text =
        Signature.signedText(
            "POST",
            path,
            request.header("timestamp"),
            "token-1",
            body.getBytes(StandardCharsets.UTF_8),
            request.header("sign-nonce"));
    return Signature.hmacMatches("secret-1", text, request.header("sign"));
  }

  private Program calling() {
    return Program.calling(server);
  }
}
