package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code product import} does with rejected rows. */
class ImportRejectedRowsTest {
  private static final String UPLOAD = "/admin/merchants/7/imports";
  private static final String JOB = UPLOAD + "/7";
  private static final String CONTENT = "货号,title\n1,a\n";

  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[{\"merchantId\":7}]}");
    server.on("POST", UPLOAD, 202, Imports.in("waiting", ""));
    Imports.withRejectedRows(server, JOB);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void savesTheRejectedRowsNextToTheFileAndPrintsWhatToDo() throws IOException {
    server.on("GET", JOB, 200, Imports.in("refused", Imports.TWO_BAD));
    Path file = file("products.csv", CONTENT);

    Program.Run run = importing(file);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .isEqualTo(
            """
            products: 1 new, 0 changed, 0 unchanged, 2 bad
            row 3, price: is not a price ('abc')
            row 4: "b" is there twice
            """);
    Path rejected = folder.resolve("products.rejected.csv");
    assertThat(rejected).hasContent("bad rows");
    assertThat(run.err())
        .isEqualTo(
            "2 products have errors, so nothing was imported. Correct them in %s and import it again; or import the others with --skip-bad, then correct %s and import that.\n"
                .formatted(file, rejected));
    assertThat(folder.resolve("products.rejected.csv.part")).doesNotExist();
  }

  @Test
  void neverOverwritesEarlierRejectedRows() throws IOException {
    server.on("GET", JOB, 200, Imports.in("applied", Imports.TWO_BAD));
    Path first = file("products.rejected.csv", "mine");

    Program.Run run = importing(first, "--skip-bad");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(first).hasContent("mine");
    Path second = folder.resolve("products.rejected-2.csv");
    assertThat(second).hasContent("bad rows");
    assertThat(run.err())
        .isEqualTo(
            "2 products have errors; the others were imported. Correct their rows in %1$s and import that: stockroom product import --merchant 7 %1$s\n"
                .formatted(second));
  }

  @Test
  void showsTheResultEvenIfTheRejectedRowsCannotBeSaved() throws IOException {
    server.on("GET", JOB, 200, Imports.in("applied", Imports.TWO_BAD));
    server.on("GET", JOB + "/rejected", 404, "{\"success\":false,\"msg\":\"Gone.\"}");

    Program.Run run = importing(file("products.csv", CONTENT), "--skip-bad");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("1 created");
    assertThat(run.err())
        .startsWith("Gone. Get the rejected rows with: stockroom import show 7 --rejected FILE\n")
        .endsWith("the others were imported. Correct them and import them again.\n");
  }

  private Program.Run importing(Path file) {
    return Program.operating(server).run("product", "import", "--merchant", "7", file.toString());
  }

  private Program.Run importing(Path file, String option) {
    return Program.operating(server)
        .run("product", "import", "--merchant", "7", file.toString(), option);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
