package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductExportTest {
  private static final String PATH = "/admin/merchants/7/products/export";
  private static final String CONTENT = "artNo,title\r\n1,鞋\r\n";

  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("GET", PATH, 200, CONTENT, Map.of("Content-Type", "text/csv; charset=utf-8"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"p.csv, csv", "P.XLSX, xlsx", "p.jsonl, jsonl"})
  void selectsTheFormatByFileExtension(String name, String format) throws IOException {
    Path file = folder.resolve(name);

    Program.Run run = exporting(file.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("Exported to " + file + ": 0.0 MB in ");
    assertThat(server.last().path()).isEqualTo(PATH + "?format=" + format);
    assertThat(Files.readString(file)).isEqualTo(CONTENT);
    assertThat(files()).containsExactly(name);
  }

  @Test
  void jsonReportsTheWrittenFile() {
    Path file = folder.resolve("p");

    Program.Run run = exporting(file.toString(), "--format", "CSV", "--json");

    assertThat(run.json().path("file").asString()).isEqualTo(file.toString());
    assertThat(run.json().path("format").asString()).isEqualTo("csv");
    assertThat(run.json().path("bytes").asInt()).isEqualTo(CONTENT.length() + 2);
  }

  @Test
  void printsTheFileUnchanged() {
    Program.Run run = exporting("-", "--format=csv");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(CONTENT);
  }

  @Test
  void replacesAFileOnlyWithForce() throws IOException {
    Path file = Files.writeString(folder.resolve("p.csv"), "mine");

    Program.Run run = exporting(file.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "'%s' already exists. Choose another name, or replace it with --force.\n"
                .formatted(file));
    assertThat(file).hasContent("mine");
    assertThat(server.received()).isEmpty();

    assertThat(exporting(file.toString(), "--force").exitCode()).isZero();
    assertThat(Files.readString(file)).isEqualTo(CONTENT);
  }

  @Test
  void keepsTheExistingFileWhenTheExportIsInterrupted() throws IOException {
    Path file = Files.writeString(folder.resolve("p.csv"), "mine");
    server.cut("GET", PATH);

    Program.Run run = exporting(file.toString(), "--force");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("The export was interrupted (")
        .contains("'" + file + "' was not written")
        .hasLineCount(1);
    assertThat(file).hasContent("mine");
    assertThat(files()).containsExactly("p.csv");
  }

  @Test
  void failsWhenTheOutputIsIncomplete() {
    server.cut("GET", PATH);

    Program.Run run = exporting("-", "--format=csv");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("the output is incomplete");
  }

  @Test
  void printsTheServersReason() throws IOException {
    server.on("GET", PATH, 404, "{\"success\":false,\"msg\":\"There is no merchant 7.\"}");

    Program.Run run = exporting(folder.resolve("p.csv").toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("There is no merchant 7.\n");
    assertThat(files()).isEmpty();
  }

  @Test
  void rejectsUnwritablePaths() {
    assertThat(exporting(folder.toString(), "--format=csv").err()).contains("is a folder");
    assertThat(exporting(folder.resolve("no/p.csv").toString()).err())
        .contains("There is no folder '" + folder.resolve("no") + "'");
    assertThat(exporting("/proc/p.csv").err()).contains("'/proc/p.csv' cannot be written");
  }

  @ParameterizedTest
  @CsvSource({
    "f.ods, '', is not .csv",
    "-, '', 'add --format csv, xlsx or jsonl'",
    "f.csv, ods, 'is not an export format; use csv, xlsx or jsonl'"
  })
  void listsTheSupportedFormats(String file, String format, String sentence) {
    Program.Run run = format.isEmpty() ? exporting(file) : exporting(file, "--format", format);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(sentence).hasLineCount(1);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void rejectsJsonTogetherWithStandardOutput() {
    Program.Run run = exporting("-", "--format=csv", "--json");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("omit --json or -");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void reportsThatNoServerIsRunning() {
    Program.Run run =
        Program.plain()
            .with("STOCKROOM_OPERATOR_KEY", "k")
            .run(
                "product",
                "export",
                "--merchant=7",
                folder.resolve("p.csv").toString(),
                "--server=http://localhost:1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("No Stockroom server responds at http://localhost:2");
  }

  private Program.Run exporting(String... more) {
    String[] arguments =
        Stream.concat(Stream.of("product", "export", "--merchant=7"), Stream.of(more))
            .toArray(String[]::new);
    return Program.operating(server).run(arguments);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
