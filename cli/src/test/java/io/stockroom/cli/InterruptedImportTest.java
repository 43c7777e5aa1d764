package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends Ctrl-C to a separate process: an import, or the changes that it follows. */
class InterruptedImportTest {
  private static final String JOB = "/admin/merchants/7/imports/7";

  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[{\"merchantId\":7}]}");
    server.on("POST", "/admin/merchants/7/imports", 202, Imports.in("planning", ""));
    server.on("GET", JOB, 200, Imports.in("planning", ""));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void cancelsTheImportAndWaitsForItsEnd() throws IOException, InterruptedException {
    Process program = importing();
    try {
      awaitRequest("GET", JOB);
      server.on("POST", JOB + "/cancel", 200, Imports.in("planning", ""));
      server.then("GET", JOB, 200, Imports.in("cancelled", Imports.counts(0, 0, 0, 0)));
      interrupt(program);

      assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(130);
      assertThat(Files.readString(folder.resolve("err")))
          .isEqualTo(
              """
              Canceling import 7 …
              Import 7 is canceled; nothing was imported.
              """);
      assertThat(server.received().stream().map(AnsweringServer.Received::path))
          .containsOnlyOnce(JOB + "/cancel");
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void reportsAnAlreadyAppliedImport() throws IOException, InterruptedException {
    Process program = importing();
    try {
      awaitRequest("GET", JOB);
      server.on("POST", JOB + "/cancel", 409, "{\"success\":false,\"msg\":\"It has ended.\"}");
      server.on("GET", JOB, 200, Imports.in("planning", ""));
      interrupt(program);
      awaitRequest("POST", JOB + "/cancel");
      server.then("GET", JOB, 200, Imports.in("applied", Imports.counts(2, 0, 0, 0)));

      assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(folder.resolve("err")))
          .endsWith("Import 7 was already applied: 2 created, 0 changed, 0 unchanged, 0 failed.\n");
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void changesSayWhereToContinue() throws IOException, InterruptedException {
    server.on(
        "POST",
        "/Changes",
        200,
        "{\"success\":true,\"msg\":\"\",\"cursor\":\"c_1\",\"more\":false,\"changes\":[]}");
    Process program = program("changes", "--follow", "--appid=a", "--secret=s", "--token=t");
    try {
      // the second request carries the cursor of the first answer
      awaitBody("after=c_1");
      interrupt(program);

      assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(130);
      assertThat(Files.readString(folder.resolve("err")))
          .isEqualTo("Continue with: stockroom changes --after c_1\n");
    } finally {
      program.destroyForcibly();
    }
  }

  private Process importing() throws IOException {
    Path file = Files.writeString(folder.resolve("p.csv"), "artNo,title\n");
    return program("product", "import", "--merchant=7", file.toString());
  }

  private Process program(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (System.getProperty("os.name").equals("Linux")) {
      // a program in the background of a shell ignores SIGINT, and so do its children
      command.addAll(List.of("env", "--default-signal=INT"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "io.stockroom.cli.Main"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .putAll(
            Map.of(
                "STOCKROOM_SERVER",
                server.url(),
                "STOCKROOM_ADMIN_SERVER",
                server.url(),
                "STOCKROOM_OPERATOR_KEY",
                "k"));
    return builder
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private void awaitRequest(String method, String path) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (server.received().stream()
        .noneMatch(each -> each.method().equals(method) && each.path().equals(path))) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private void awaitBody(String part) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (server.received().stream().noneMatch(each -> each.body().contains(part))) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static void interrupt(Process program) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(program.pid())).start().waitFor();
  }
}
