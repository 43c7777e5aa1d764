package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandsTest {
  private static final String JOB = "/admin/merchants/7/imports/7";

  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on(
        "GET",
        "/admin/imports",
        200,
        "{\"imports\":[" + Imports.in("planned", Imports.counts(2, 1, 0, 4)) + "]}");
    server.on("GET", JOB, 200, Imports.in("planned", Imports.counts(2, 1, 0, 4)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void listsImports() {
    assertThat(run("import", "list").out())
        .isEqualTo(
            """
            ID  MERCHANT  FILE          STATE    NEW  CHANGED  UNCHANGED  BAD  BEGUN                 BY
             7         7  products.csv  planned    2        1          0    4  2026-01-02T03:04:05Z  operator
            """);
    assertThat(server.last().path()).isEqualTo("/admin/imports");
  }

  @Test
  void filtersImports() {
    server.on("GET", "/admin/imports", 200, "{\"imports\":[]}");

    assertThat(run("import", "list", "--merchant=8", "--state=failed").out())
        .isEqualTo("No import matches.\n");
    assertThat(server.last().path()).isEqualTo("/admin/imports?merchantId=8&state=failed");
    assertThat(run("import", "list").out()).contains("stockroom product import");
  }

  @Test
  void showsAnImportByItsNumberAlone() {
    server.on(
        "GET",
        JOB,
        200,
        Imports.in(
            "applying",
            Imports.counts(2, 1, 0, 4)
                + ",\"rejected\":true,"
                + Imports.progress("writing", 1500, 2000, "products")));

    assertThat(run("import", "show", "7").out())
        .isEqualTo(
            """
            import:        7
            merchant:      7
            state:         applying
            by:            operator
            begun:         2026-01-02T03:04:05Z
            ended:         -
            progress:      writing, 1,500 of 2,000 products
            2 created, 1 changed, 0 unchanged, 4 failed
            To get the rejected rows with the reasons: stockroom import show 7 --rejected FILE
            """);
    assertThat(server.received()).hasSize(2);
    assertThat(run("import", "show", "7", "--merchant=7").exitCode()).isZero();
    assertThat(server.received()).hasSize(3);
  }

  @Test
  void reportsAMissingImport() {
    Program.Run run = run("import", "show", "8");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("There is no import 8").contains("stockroom import list");
  }

  @Test
  void writesTheRejectedRowsIntoANewFile() throws IOException {
    server.on("GET", JOB + "/rejected", 200, "rows", Map.of("Content-Type", "text/csv"));
    Path file = folder.resolve("bad.csv");

    assertThat(run("import", "show", "7", "--rejected", file.toString()).exitCode()).isZero();
    assertThat(file).hasContent("rows");

    Files.writeString(file, "mine");
    assertThat(run("import", "show", "7", "--rejected", file.toString()).exitCode()).isEqualTo(1);
    assertThat(file).hasContent("mine");
  }

  @Test
  void watchesAnImportToItsEnd() {
    server.on("GET", JOB, 200, Imports.in("waiting", ""));
    server.then("GET", JOB, 200, Imports.in("applying", ""));
    server.then("GET", JOB, 503, "{\"success\":false,\"msg\":\"not ready\"}");
    server.then("GET", JOB, 200, Imports.in("applied", Imports.counts(2, 0, 0, 1)));

    Program.Run run = run("import", "watch", "7");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("2 created, 0 changed, 0 unchanged, 1 failed\n");
    assertThat(run.err()).isEqualTo("1 product has errors; the others were imported.\n");
  }

  @Test
  void printsHowToContinueWhenTheServerIsLost() throws IOException {
    String address = server.url();
    server.close();
    Shell shell = shell();
    Output output = new Output(shell, false);
    URI uri = URI.create(address);
    AdminApi api =
        new AdminApi(new AdminAddress(uri, uri, false), new OperatorKey("k", "here"), null);
    ImportWatch watch = new ImportWatch(api, shell, output, Duration.ofMillis(1));
    ImportJob running =
        new ImportJob(
            Json.parse(Imports.in("planning", "").getBytes(StandardCharsets.UTF_8)).orElseThrow());

    assertThatThrownBy(() -> watch.follow(running, new LiveLine(shell)))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("connection to the server is lost")
        .hasMessageContaining("stockroom import watch 7");
  }

  @Test
  void appliesAPlan() {
    server.on("POST", JOB + "/apply", 202, Imports.in("applying", ""));
    server.then("GET", JOB, 200, Imports.in("applied", Imports.counts(2, 1, 0, 0)));

    Program.Run run = run("import", "apply", "7", "--skip-bad");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("2 created, 1 changed, 0 unchanged, 0 failed\n");
    assertThat(server.received().get(2).body()).isEqualTo("{\"skipBad\":true}");
  }

  @Test
  void undoesAnImport() {
    server.on("POST", JOB + "/undo", 202, Imports.in("waiting", ""));
    server.then(
        "GET",
        JOB,
        200,
        Imports.in(
            "applied",
            Imports.counts(0, 1, 0, 1)
                + ",\"stock\":{\"created\":0,\"changed\":3,\"unchanged\":0},\"errors\":[{\"row\":0,"
                + "\"column\":\"stock red 36\",\"value\":\"9\",\"msg\":\"it stays at 9.\"}]"));

    Program.Run run = run("import", "undo", "7");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith(
            "3 stock entries and 1 product restored by job 7; 1 was changed since and left unchanged.\n")
        .contains("it stays at 9.");
  }

  @Test
  void cancelsAnImport() {
    server.on("POST", JOB + "/cancel", 200, Imports.in("cancelled", ""));

    assertThat(run("import", "cancel", "7").out())
        .isEqualTo("Import 7 is canceled; nothing was imported.\n");
  }

  @Test
  void reportsAnImportThatCanNoLongerBeCancelled() {
    server.on("POST", JOB + "/cancel", 409, "{\"success\":false,\"msg\":\"It has ended.\"}");

    Program.Run run = run("import", "cancel", "7");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("It has ended.\n");
  }

  private Program.Run run(String... arguments) {
    return Program.operating(server).run(arguments);
  }

  private static Shell shell() {
    PrintStream nowhere =
        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return new Shell(
        new ByteArrayInputStream(new byte[0]),
        nowhere,
        nowhere,
        Map.of(),
        Path.of("."),
        false,
        false);
  }
}
