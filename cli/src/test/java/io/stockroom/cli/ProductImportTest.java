package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProductImportTest {
  private static final String PATH = "/admin/merchants/7/products";
  private static final String LINES = "{\"artNo\":\"鞋1\"}\n{\"artNo\":\"2\"}\n";

  @TempDir Path folder;
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[{\"merchantId\":7}]}");
    server.on(
        "POST",
        PATH,
        200,
        "{\"created\":2,\"changed\":1,\"unchanged\":3,\"failed\":0,\"applied\":true,\"errors\":[]}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void sendsTheFileAsItIsAndPrintsTheCounts() throws IOException {
    Program.Run run = importing(file("products.jsonl", LINES));

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("2 created, 1 changed, 3 unchanged, 0 failed\n");
    assertThat(server.last().path()).isEqualTo(PATH + "?skipBad=false");
    assertThat(server.last().header("Content-Type")).isEqualTo("application/x-ndjson");
    assertThat(server.last().header("Content-Length"))
        .isEqualTo(Integer.toString(LINES.length() + 2));
    assertThat(server.last().header("Authorization")).isEqualTo("Bearer the-key");
    assertThat(server.last().body()).isEqualTo(LINES);
  }

  @Test
  void sendsAFileThatIsLongerThanAnyBuffer() throws IOException {
    String lines = LINES.repeat(100_000);

    importing(file("products.jsonl", lines));

    assertThat(server.last().body()).isEqualTo(lines);
  }

  @Test
  void readsStandardInput() {
    Program.Run run =
        Program.operating(server)
            .reading(LINES)
            .run("product", "import", "--merchant=7", "-", "--skip-bad");

    assertThat(run.exitCode()).isZero();
    assertThat(server.last().path()).isEqualTo(PATH + "?skipBad=true");
    assertThat(server.last().header("Transfer-Encoding")).isEqualTo("chunked");
    assertThat(server.last().body()).isEqualTo(LINES);
  }

  @Test
  void drawsItsProgressOnATerminalAndWipesItAway() throws IOException {
    Program.Run run =
        Program.operating(server)
            .onTerminal()
            .run("product", "import", "--merchant=7", file("products.jsonl", LINES).toString());

    assertThat(run.err()).contains("Sent 0.0 MB; the server checks it").endsWith("\r\u001b[K");
    assertThat(run.out()).isEqualTo("2 created, 1 changed, 3 unchanged, 0 failed\n");
  }

  @Test
  void namesTheBadLinesAndFailsWhenNothingWasImported() throws IOException {
    server.on(
        "POST",
        PATH,
        200,
        """
        {"created":0,"changed":0,"unchanged":0,"failed":3,"applied":false,"errors":[
        {"line":12,"at":"price","value":"abc","msg":"is not a price"},
        {"line":13,"at":"","value":null,"msg":"is not JSON"}]}
        """);

    Program.Run run = importing(file("products.jsonl", LINES));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .isEqualTo(
            """
            0 created, 0 changed, 0 unchanged, 3 failed
            line 12, price: is not a price ('abc')
            line 13: is not JSON
            and 1 more bad lines
            """);
    assertThat(run.err())
        .isEqualTo(
            "3 lines are bad, so nothing was imported."
                + " Correct them, or pass --skip-bad to import the others.\n");
  }

  @Test
  void failsWhenBadLinesWereSkipped() throws IOException {
    String answer =
        "{\"created\":1,\"changed\":0,\"unchanged\":0,\"failed\":1,\"applied\":true,"
            + "\"errors\":[{\"line\":2,\"at\":\"price\",\"value\":\"-1\",\"msg\":\"below 0\"}]}";
    server.on("POST", PATH, 200, answer);

    Program.Run run =
        Program.operating(server)
            .run(
                "product",
                "import",
                "--merchant=7",
                file("products.jsonl", LINES).toString(),
                "--skip-bad",
                "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEqualTo(answer + "\n");
    assertThat(run.err()).contains("1 line is bad; the others were imported.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"products.csv", "Products.XLSX", "products.jsonl.gz"})
  void saysThatItTakesJsonLines(String name) throws IOException {
    Program.Run run = importing(file(name, LINES));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(name + "' is not JSON Lines").hasLineCount(1);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void refusesWhatCannotBeReadBeforeAnyCall() throws IOException {
    assertThat(importing(folder.resolve("gone.jsonl")).err()).contains("There is no file '");
    assertThat(importing(folder).err()).contains("is a folder");
    assertThat(importing(file("empty.jsonl", "")).err()).contains("is empty");
    assertThat(importing(Path.of("-")).err()).contains("Standard input is empty");
    assertThat(importing(file("array.json", "[{}]")).err()).contains("holds one JSON array");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void asksForTheMerchantBeforeItSendsTheFile() throws IOException {
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[{\"merchantId\":8}]}");

    Program.Run run = importing(file("products.jsonl", LINES));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("There is no merchant 7; see: stockroom merchant list\n");
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void saysThatTheConnectionBrokeOff() throws IOException {
    server.cut("POST", PATH);

    Program.Run run = importing(file("products.jsonl", LINES));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("broke off");
  }

  private Program.Run importing(Path file) {
    return Program.operating(server).run("product", "import", "--merchant", "7", file.toString());
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
