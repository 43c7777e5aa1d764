package io.stockroom.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands that run a server, each in a separate process. */
class ServerCommandsTest {
  @TempDir Path folder;

  @Test
  void serveIsReadyWhenItSaysSoAndStopsItsDatabaseAtShutdown() throws Exception {
    Path data = folder.resolve("data");
    Process process = start("serve", "--port", "0", "--data", data.toString(), "--json");
    try {
      JsonNode ready = firstLine(process);

      assertThat(get(ready.get("health").asString()).body()).contains("\"status\":\"UP\"");
      String admin = ready.get("admin").asString();
      assertThat(get(admin + "/admin/merchants").statusCode()).isEqualTo(401);
      assertThat(get(ready.get("url").asString() + "/admin/merchants").statusCode()).isEqualTo(404);
      Program.Run run =
          Program.plain().run("merchant", "list", "--admin-server", admin, "--data", "" + data);
      assertThat(run.exitCode()).as(run.err()).isZero();
    } finally {
      stop(process);
    }
    assertThat(data.resolve("postgres/postmaster.pid")).doesNotExist();
    assertThat(data.resolve("operator.key")).exists();
  }

  @Test
  void demoPrintsCallsThatWork() throws Exception {
    Process process = start("demo", "--port", "0", "--data", folder.toString(), "--json");
    try {
      JsonNode demo = firstLine(process);
      int pid = demo.get("stockedProduct").asInt();

      assertThat(post(demo, "/Stock/Product", "page=1")).startsWith("{\"success\":true");
      assertThat(post(demo, "/Stock/List", "productid=" + pid)).startsWith("{\"success\":true");
      assertThat(post(demo, "/Product/Detail", "pid=" + pid)).startsWith("{\"success\":true");
      assertThat(demo.get("calls").size()).isEqualTo(4);
      assertThat(Files.getPosixFilePermissions(folder.resolve("demo.json")))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      Program.Run print = Program.plain().run("demo", "--print", "--data", folder.toString());
      assertThat(print.exitCode()).isZero();
      assertThat(print.out())
          .contains("curl -sw '\\n' " + demo.get("url").asString() + "/Stock/List");
      JsonNode printed =
          Program.plain().run("demo", "--print", "--data", folder.toString(), "--json").json();
      assertThat(print.out()).contains("as the first merchant  " + demo.get("url").asString());
      for (String who : List.of("merchant", "operator")) {
        String link = printed.at("/console/" + who).asString();
        assertThat(link).isNotEqualTo(demo.at("/console/" + who).asString());
        assertThat(get(link).statusCode()).as("the new link for the " + who).isEqualTo(200);
        assertThat(get(demo.at("/console/" + who).asString()).statusCode())
            .as("the old link for the " + who)
            .isEqualTo(410);
      }
      assertThat(mistakes(demo)).as("its application has made one").isPositive();
    } finally {
      stop(process);
    }
    assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
    Program.Run stopped = Program.plain().run("demo", "--print", "--data", folder.toString());
    assertThat(stopped.exitCode()).isZero();
    assertThat(stopped.err()).contains("is not running. Start it with: stockroom demo");
    assertThat(stopped.out()).contains("/Stock/List").doesNotContain("/console/link/");
  }

  @Test
  void demoPrintExplainsHowToStartTheDemo() {
    Program.Run run = Program.plain().run("demo", "--print", "--data", folder.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("stockroom demo");
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static JsonNode firstLine(Process process) throws IOException {
    String line = String.valueOf(process.inputReader(UTF_8).readLine());
    return Json.parse(line.getBytes(UTF_8)).orElseThrow();
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    boolean ended = process.waitFor(30, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as("ended when it was told to").isTrue();
  }

  private static HttpResponse<String> get(String url) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(url)));
  }

  /** The failed calls in the request log. */
  private long mistakes(JsonNode demo) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    long seen = 0;
    while (seen == 0 && System.nanoTime() < deadline) {
      Program.Run logs =
          Program.plain()
              .run(
                  "logs",
                  "tail",
                  "--outcome=rejected",
                  "--admin-server",
                  demo.get("admin").asString(),
                  "--data",
                  folder.toString());
      seen = logs.out().lines().filter(line -> line.contains("/Stock/List")).count();
    }
    return seen;
  }

  private static String post(JsonNode demo, String path, String form) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(demo.get("url").asString() + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form));
    new Credentials(
            demo.get("appid").asString(),
            demo.get("secret").asString(),
            demo.get("accesstoken").asString())
        .headers(Instant.now())
        .forEach(request::header);
    return send(request).body();
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }
}
