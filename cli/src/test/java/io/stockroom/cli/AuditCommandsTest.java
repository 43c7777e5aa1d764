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
import org.junit.jupiter.params.provider.CsvSource;

class AuditCommandsTest {
  private static final String BROKEN =
      """
      {"intact":false,"entries":123,"chains":4,"brokenMerchantId":%d,"brokenNumber":17,"msg":"its hash does not fit"}\
      """;

  @TempDir Path folder;

  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void listsActorsAndActions() {
    server.on(
        "GET",
        "/admin/audit",
        200,
        """
        {"page":1,"totalPages":2,"entries":[
        {"merchantId":7,"number":12,"at":"2026-01-02T03:04:05Z","actor":"application app_1","action":"stock.create","subject":"p 1","details":"2 entries\\n7 forged","address":"127.0.0.1","hash":"ab"},
        {"merchantId":0,"number":3,"at":"2026-01-01T03:04:05Z","actor":"operator","action":"key.rotate","subject":"","details":null,"address":null,"hash":"cd"}]}
        """);

    Program.Run run = Program.operating(server).run("audit", "list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            MERCHANT  NUMBER  AT                    ACTOR              ACTION        SUBJECT  DETAILS             ADDRESS
            7             12  2026-01-02T03:04:05Z  application app_1  stock.create  p 1      2 entries 7 forged  127.0.0.1
            -              3  2026-01-01T03:04:05Z  operator           key.rotate             -                   -
            Page 1 of 2. Next: stockroom audit list --page 2
            """);
    assertThat(server.last().path()).isEqualTo("/admin/audit?page=1");
  }

  @Test
  void listsEntriesOfOneMerchant() {
    server.on("GET", "/admin/audit", 200, "{\"page\":2,\"totalPages\":3,\"entries\":[]}");

    Program.Run run =
        Program.operating(server).run("audit", "list", "--merchant", "7", "--page", "2");

    assertThat(server.last().path()).isEqualTo("/admin/audit?merchant=7&page=2");
    assertThat(run.out()).contains("Next: stockroom audit list --merchant 7 --page 3");
  }

  @ParameterizedTest
  @CsvSource({"1,0,The audit log is empty.", "3,2,There is no page 3; the last page is 2."})
  void reportsAnEmptyList(int page, int totalPages, String sentence) {
    server.on(
        "GET",
        "/admin/audit",
        200,
        "{\"page\":%d,\"totalPages\":%d,\"entries\":[]}".formatted(page, totalPages));

    Program.Run run = Program.operating(server).run("audit", "list", "--page=" + page);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(sentence + "\n");
  }

  @Test
  void succeedsWhenTheRecordIsIntact() {
    server.on(
        "POST",
        "/admin/audit/verify",
        200,
        "{\"intact\":true,\"entries\":123,\"chains\":4,\"head\":\"abcd\"}");

    Program.Run run = Program.operating(server).run("audit", "verify");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            intact:        yes
            entries:       123
            chains:        4
            head:          abcd
            """);
  }

  @Test
  void refusesToArchiveBeforeWhatIsNoDate() {
    Program.Run run =
        Program.operating(server).run("audit", "archive", "x.audit", "--before", "tomorrow");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'tomorrow' is not a date; write it as 2026-01-01");
  }

  @Test
  void checksArchivesOnlyIfTheyArePassed() throws IOException {
    server.on(
        "POST",
        "/admin/audit/verify",
        200,
        """
        {"intact":true,"entries":123,"chains":4,"head":"abcd","archived":[
        {"merchantId":7,"number":2,"hash":"ab"},{"merchantId":8,"number":3,"hash":"cd"}]}
        """);

    Program.Run without = Program.operating(server).run("audit", "verify");
    assertThat(without.exitCode()).isZero();
    assertThat(without.out())
        .endsWith("in archives:   5, not checked; pass the files with --archive\n");

    Path file = Files.createFile(folder.resolve("empty.audit"));
    Program.Run with =
        Program.operating(server).run("audit", "verify", "--archive", file.toString());
    assertThat(with.exitCode()).isEqualTo(1);
    assertThat(with.err())
        .startsWith("The archives do not fit the audit log: the archives do not have entry ");
    assertThat(with.out()).doesNotContain("in archives");

    Program.Run missing =
        Program.operating(server).run("audit", "verify", "--archive", file + ".x");
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err()).startsWith("An archive cannot be read (NoSuchFileException");
  }

  @ParameterizedTest
  @CsvSource({"7,merchant 7", "0,the operator"})
  void failsWhenTheRecordIsBrokenAndSaysWhere(int merchantId, String whose) {
    server.on("POST", "/admin/audit/verify", 200, BROKEN.formatted(merchantId));

    Program.Run run = Program.operating(server).run("audit", "verify");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).startsWith("intact:        no\n");
    assertThat(run.err())
        .isEqualTo(
            "The audit log is not intact at entry 17 of " + whose + ": its hash does not fit\n");
  }

  @Test
  void failsWithJsonAndPrintsTheResponseUnchanged() {
    server.on("POST", "/admin/audit/verify", 200, BROKEN.formatted(7));

    Program.Run run = Program.operating(server).run("audit", "verify", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEqualTo(BROKEN.formatted(7) + "\n");
  }

  @Test
  void failsIfTheResponseDoesNotSayIntact() {
    server.on("POST", "/admin/audit/verify", 200, "{\"entries\":123}");

    assertThat(Program.operating(server).run("audit", "verify").exitCode()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1,1 secret is encrypted", "3,3 secrets are encrypted", "0,0 secrets are encrypted"})
  void rotatesTheKey(int resealed, String sentence) {
    server.on("POST", "/admin/keys/rotate", 200, "{\"resealed\":" + resealed + "}");

    Program.Run run = Program.operating(server).run("key", "rotate");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo(sentence + " with the new key.\n");
    assertThat(server.last().body()).isEqualTo("{}");
    assertThat(Program.operating(server).run("key", "rotate", "--json").out())
        .isEqualTo("{\"resealed\":" + resealed + "}\n");
  }
}
