package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demo in a separate process; {@code serve} runs in {@link QuickStartTest}. */
class DemoCommandTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  @TempDir Path folder;

  @Test
  void demoPrintsCallsThatWork() throws Exception {
    ServerProgram program = ServerProgram.start("demo", folder);
    try {
      JsonNode demo = program.ready();
      int pid = demo.get("stockedProduct").asInt();

      assertThat(post(demo, "/Stock/Product", "page=1")).startsWith("{\"success\":true");
      assertThat(post(demo, "/Stock/List", "productid=" + pid)).startsWith("{\"success\":true");
      assertThat(post(demo, "/Product/Detail", "pid=" + pid)).startsWith("{\"success\":true");
      assertThat(post(demo, "/Stock/Import", "artNo,color,36\nX,red,1\n"))
          .startsWith("{\"success\":true");
      assertThat(post(demo, "/Webhook/Create", "{\"url\":\"http://localhost:9000/\"}"))
          .startsWith("{\"success\":true");
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
        assertThat(ServerProgram.get(link).statusCode())
            .as("the new link for the " + who)
            .isEqualTo(200);
        assertThat(ServerProgram.get(demo.at("/console/" + who).asString()).statusCode())
            .as("the old link for the " + who)
            .isEqualTo(410);
      }
      assertThat(mistakes(demo)).as("its application has made one").isPositive();
    } finally {
      program.stop();
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

  private static String post(JsonNode demo, String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(demo.get("url").asString() + path))
            .header("Content-Type", body.startsWith("{") ? "application/json" : FORM)
            .POST(BodyPublishers.ofString(body));
    new Credentials(
            demo.get("appid").asString(),
            demo.get("secret").asString(),
            demo.get("accesstoken").asString())
        .headers(Instant.now())
        .forEach(request::header);
    return ServerProgram.send(request).body();
  }
}
