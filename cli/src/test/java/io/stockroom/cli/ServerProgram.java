package io.stockroom.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A command that runs a server, in a separate process. */
record ServerProgram(Process process) {
  static ServerProgram start(String command, Path data) throws IOException {
    return new ServerProgram(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                command,
                "--port",
                "0",
                "--data",
                data.toString(),
                "--json")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Its first line, which it prints when it is ready. */
  JsonNode ready() throws IOException {
    String line = String.valueOf(process.inputReader(UTF_8).readLine());
    return Json.parse(line.getBytes(UTF_8)).orElseThrow();
  }

  void stop() throws InterruptedException {
    process.destroy();
    boolean ended = process.waitFor(30, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as("ended when it was told to").isTrue();
  }

  static HttpResponse<String> get(String url) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(url)));
  }

  static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }
}
