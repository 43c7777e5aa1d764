package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ProductImportTest {
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
    server.on("GET", JOB, 200, Imports.in("applied", Imports.counts(2, 1, 3, 0)));
    Imports.withRejectedRows(server, JOB);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void uploadsTheFileUnchangedAndPrintsTheCounts() throws IOException {
    Program.Run run = importing(file("products 1.csv", CONTENT));

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("2 created, 1 changed, 3 unchanged, 0 failed\n");
    AnsweringServer.Received upload = server.received().get(1);
    assertThat(upload.path()).isEqualTo(UPLOAD + "?name=products+1.csv&apply=true&skipBad=false");
    assertThat(upload.header("Content-Length")).isEqualTo(Integer.toString(CONTENT.length() + 4));
    assertThat(upload.header("Authorization")).isEqualTo("Bearer the-key");
    assertThat(upload.body()).isEqualTo(CONTENT);
  }

  @ParameterizedTest
  @CsvSource({
    "LANG, zh_CN.UTF-8, zh-CN",
    "LC_ALL, zh_CN, zh-CN",
    "LANG, en_US.UTF-8, en-US",
    "LANG, C.UTF-8, null",
    "LANG, POSIX, null"
  })
  void sendsTheUsersLanguage(String variable, String locale, String language) throws IOException {
    Program.operating(server)
        .with(variable, locale)
        .run("product", "import", "--merchant=7", file("p.csv", CONTENT).toString());

    assertThat(server.received().get(1).header("Accept-Language")).isEqualTo(language);
  }

  @Test
  void streamsAFileLargerThanAnyBuffer() throws IOException {
    String content = CONTENT.repeat(100_000);

    importing(file("products.csv", content));

    assertThat(server.received().get(1).body()).isEqualTo(content);
  }

  @Test
  void readsStandardInput() {
    Program.Run run =
        Program.operating(server)
            .reading(CONTENT)
            .run(
                "product",
                "import",
                "--merchant=7",
                "-",
                "--skip-bad",
                "--dry-run",
                "--map=货号=artNo",
                "--map=a=b=",
                "--encoding=GBK",
                "--delimiter=tab");

    assertThat(run.exitCode()).isZero();
    AnsweringServer.Received upload = server.received().get(1);
    assertThat(upload.path())
        .isEqualTo(
            UPLOAD
                + "?name=standard-input&apply=false&skipBad=true"
                + "&map=%E8%B4%A7%E5%8F%B7%3DartNo&map=a%3Db%3D&encoding=GBK&delimiter=%09");
    assertThat(upload.header("Transfer-Encoding")).isEqualTo("chunked");
    assertThat(upload.body()).isEqualTo(CONTENT);
  }

  @Test
  void showsTheDetectedFormat() throws IOException {
    server.on(
        "GET",
        JOB,
        200,
        Imports.in(
            "applied",
            Imports.counts(1, 0, 0, 0)
                + """
                ,"stock":{"created":1200,"changed":2,"unchanged":0},"ignored":["Note"],"source":\
                {"format":"csv","encoding":"GBK","delimiter":"\\t","bytes":9,"rows":1456,"columns":[\
                {"column":"货号","field":"artNo"},{"column":"title","field":"title"},\
                {"column":"Note","field":null}]}\
                """));

    assertThat(importing(file("products.csv", CONTENT)).out())
        .isEqualTo(
            """
            file:          products.csv
            read as:       CSV, GBK, separated by tab, 1,456 rows
            columns:       货号 → artNo, title
            ignored:       Note
            1 created, 0 changed, 0 unchanged, 0 failed
            stock entries: 1,200 created, 2 changed, 0 unchanged
            """);
  }

  @Test
  void drawsAndClearsProgressOnATerminal() throws IOException {
    server.on("GET", JOB, 200, Imports.in("planning", Imports.progress("reading", 1, 2, "bytes")));
    server.then(
        "GET", JOB, 200, Imports.in("applying", Imports.progress("writing", 30, 40, "products")));
    server.then("GET", JOB, 200, Imports.in("applied", Imports.counts(2, 1, 3, 0)));

    Program.Run run =
        Program.operating(server)
            .onTerminal()
            .run("product", "import", "--merchant=7", file("p.csv", CONTENT).toString());

    assertThat(run.err())
        .contains("Reading    ██████████░░░░░░░░░░  50%  0.0 of 0.0 MB")
        .contains("Writing    ███████████████░░░░░  75%  30 of 40 products")
        .endsWith("\r\u001b[K");
    assertThat(run.out()).isEqualTo("2 created, 1 changed, 3 unchanged, 0 failed\n");
  }

  @Test
  void jsonStreamPrintsEachStepAndTheResult() throws IOException {
    server.on("GET", JOB, 200, Imports.in("planning", Imports.progress("reading", 1, 2, "bytes")));
    server.then(
        "GET", JOB, 200, Imports.in("planning", Imports.progress("reading", 1, 2, "bytes")));
    server.then("GET", JOB, 200, Imports.in("refused", Imports.TWO_BAD));

    Program.Run run =
        Program.operating(server)
            .run(
                "product",
                "import",
                "--merchant=7",
                file("p.csv", CONTENT).toString(),
                "--json-stream");

    assertThat(run.exitCode()).isEqualTo(1);
    List<JsonNode> events =
        run.out()
            .lines()
            .map(line -> Json.parse(line.getBytes(StandardCharsets.UTF_8)).orElseThrow())
            .toList();
    assertThat(events).hasSize(3);
    assertThat(Json.line(events.get(1)))
        .isEqualTo(
            """
            {"event":"progress","importId":7,"state":"planning","phase":"reading","done":1,\
            "total":2,"unit":"bytes"}\
            """);
    assertThat(events.getLast().path("event").asString()).isEqualTo("finished");
    assertThat(events.getLast().path("created").asInt()).isEqualTo(1);
    assertThat(events.getLast().path("failed").asInt()).isEqualTo(2);
    assertThat(events.getLast().path("rejectedFile").asString())
        .isEqualTo(folder.resolve("p.rejected.csv").toString());
  }

  @Test
  void jsonPrintsOneObjectForAnyNumberOfSteps() throws IOException {
    server.on("GET", JOB, 200, Imports.in("planning", Imports.progress("reading", 1, 2, "bytes")));
    server.then("GET", JOB, 200, Imports.in("refused", Imports.TWO_BAD));

    JsonNode result = importing(file("p.csv", CONTENT), "--json").json();

    assertThat(result.path("state").asString()).isEqualTo("refused");
    assertThat(result.path("failed").asInt()).isEqualTo(2);
  }

  @Test
  void jsonPrintsOneObjectWhenTheImportCannotStart() throws IOException {
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[]}");

    for (String option : List.of("--json", "--json-stream")) {
      JsonNode result = importing(file("p.csv", CONTENT), option).json();
      assertThat(result.path("msg").asString()).contains("no merchant 7");
    }
  }

  @Test
  void aDryRunWritesTheRejectedRowsOnlyIfAskedTo() throws IOException {
    server.on(
        "GET", JOB, 200, Imports.in("planned", Imports.counts(1, 0, 0, 2) + ",\"rejected\":true"));
    Path products = file("p.csv", CONTENT);

    Program.Run silent = importing(products, "--dry-run");
    assertThat(silent.err()).contains("stockroom import show 7 --rejected FILE");
    assertThat(folder).isDirectoryNotContaining("glob:**rejected*");

    Path rejected = folder.resolve("bad rows.csv");
    importing(products, "--dry-run", "--rejected", rejected.toString());
    assertThat(rejected).exists();
  }

  @Test
  void foldsIgnoredColumnsThatSayNothing() throws IOException {
    server.on(
        "GET",
        JOB,
        200,
        Imports.in(
            "applied",
            Imports.counts(1, 0, 0, 0)
                + """
                ,"ignored":["Vendor","Taxable","Empty"],"ignoredMinor":2,"source":{"format":"csv"}"""));

    assertThat(importing(file("p.csv", CONTENT)).out())
        .contains("ignored:       Vendor, and 2 more (empty, or the same in every row)\n");
  }

  @Test
  void showsThePlanOfADryRunAndTheCommandThatAppliesIt() throws IOException {
    server.on(
        "GET",
        JOB,
        200,
        Imports.in(
            "planned",
            Imports.counts(4, 1, 5, 0)
                + """
                ,"differences":[{"row":3,"artNo":"A1","field":"price","old":"1.00","new":"2.00"}],\
                "warnings":[{"code":"STOCK_TO_ZERO","msg":"120 of 130 entries become 0."}],\
                "removed":[{"what":"<iframe>","loses":"content","descriptions":1,"row":3,"artNo":"A1"},\
                {"what":"<script>","loses":"nothing","descriptions":11,"row":7,"artNo":"A2"}],"removedTotal":12\
                """));

    Program.Run run = importing(file("products.csv", CONTENT), "--dry-run");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            products: 4 new, 1 changed, 5 unchanged, 0 bad

            The first changes:
            ROW  ITEM  FIELD  NOW   THEN
              3  A1    price  1.00  2.00
            Warning: 120 of 130 entries become 0.
            Warning: HTML that is not allowed is removed from 12 descriptions; readers lose what it showed:
              <iframe>: content, in 1 description, first in A1 (row 3)
              <script>: nothing visible, in 11 descriptions, first in A2 (row 7)
            """);
    assertThat(run.err())
        .isEqualTo("Nothing was changed. Apply this plan with: stockroom import apply 7\n");
  }

  @ParameterizedTest
  @CsvSource({
    "failed, 'The import failed; nothing was imported: it is no zip archive.'",
    "cancelled, The import was canceled; nothing was imported."
  })
  void failsWhenTheImportFails(String state, String sentence) throws IOException {
    String job = Imports.in(state, Imports.counts(0, 0, 0, 0));
    server.on(
        "GET", JOB, 200, job.replace("\"reason\":null", "\"reason\":\"it is no zip archive.\""));

    Program.Run run = importing(file("products.csv", CONTENT));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo(sentence + "\n");
  }

  @ParameterizedTest
  @CsvSource({
    "products.xls, save it as .xlsx or .csv first",
    "Products.ODS, save it as .xlsx or .csv first",
    "products.jsonl.gz, zcat",
    "products.zip, unpack it first"
  })
  void explainsUnsupportedFiles(String name, String advice) throws IOException {
    Program.Run run = importing(file(name, CONTENT));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(name + "' cannot be imported", advice).hasLineCount(1);
    assertThat(server.received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"products.csv", "p.xlsx", "p.jsonl", "p.txt", "noending"})
  void letsTheServerDetectTheFormat(String name) throws IOException {
    assertThat(importing(file(name, CONTENT)).exitCode()).isZero();
  }

  @Test
  void rejectsUnreadableFilesBeforeAnyCall() throws IOException {
    assertThat(importing(folder.resolve("gone.jsonl")).err()).contains("There is no file '");
    assertThat(importing(folder).err()).contains("is a folder");
    assertThat(importing(file("empty.jsonl", "")).err()).contains("is empty");
    assertThat(importing(Path.of("-")).err()).contains("Standard input is empty");
    assertThat(importing(file("array.json", "[{}]")).err()).contains("contains one JSON array");
    assertThat(server.received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"artNo", "=artNo", ""})
  void rejectsAMappingWithoutAColumn(String mapping) throws IOException {
    Program.Run run = importing(file("p.csv", CONTENT), "--map=" + mapping);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'" + mapping + "' is not a mapping; write COLUMN=FIELD");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void checksTheMerchantBeforeTheUpload() throws IOException {
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[{\"merchantId\":8}]}");

    Program.Run run = importing(file("products.jsonl", CONTENT));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("There is no merchant 7; see: stockroom merchant list\n");
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void reportsAnInterruptedConnection() throws IOException {
    server.cut("POST", UPLOAD);

    Program.Run run = importing(file("products.jsonl", CONTENT));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("was lost");
  }

  private Program.Run importing(Path file, String... options) {
    String[] arguments = new String[5 + options.length];
    List<String> first = List.of("product", "import", "--merchant", "7", file.toString());
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = i < 5 ? first.get(i) : options[i - 5];
    }
    return Program.operating(server).run(arguments);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
