package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MerchantUsageTest {
  private static final String PATH = "/admin/merchants/7/usage";

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
  void drawsEachLimitAndListsUnpublishedProducts() {
    server.on(
        "GET",
        PATH,
        200,
        """
        {"limits":[
        {"name":"detail-per-day","limit":300,"used":120,"remaining":180,"resetsAt":"2026-11-16T00:00:00Z","note":null},
        {"name":"publish-share","limit":20,"used":14,"remaining":6,"resetsAt":null,"note":"14 of 21 fetched products published; at least 14 needed"},
        {"name":"store-products","store":"店铺 1","limit":5000,"used":null,"remaining":0,"resetsAt":"2026-11-16T08:09:10Z"},
        {"name":"create-interval","limit":null,"used":3,"remaining":null,"resetsAt":null,"note":""},
        {"name":"create-elements","limit":300,"used":null,"remaining":null,"resetsAt":null}],
        "unpublished":{"page":1,"totalPages":2,"total":61,"data":[
        {"pid":1,"artNo":"A1","fetchedAt":"2026-11-01T02:03:04Z","result":null},
        {"pid":20,"artNo":"B20","fetchedAt":"2026-11-02T02:03:04Z","result":"failed"}]}}
        """);

    Program.Run run = Program.operating(server).run("merchant", "usage", "7");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            detail-per-day            ████████░░░░░░░░░░░░  120 of 300     resets 2026-11-16 00:00Z
            publish-share             ██████████████░░░░░░  14 of 20
                14 of 21 fetched products published; at least 14 needed
            store-products (店铺 1)   ████████████████████  5000 of 5000   resets 2026-11-16 08:09:10Z
            create-interval                                 3 used
            create-elements                                 limit 300

            61 fetched products need a publish result:
            PID  ART NO  FETCHED               RESULT
              1  A1      2026-11-01T02:03:04Z  -
             20  B20     2026-11-02T02:03:04Z  failed
            Page 1 of 2. Next: stockroom merchant usage 7 --page 2
            """);
    assertThat(server.last().path()).isEqualTo(PATH + "?page=1");
  }

  @Test
  void filtersByStoreAlsoOnTheNextPage() {
    server.on(
        "GET",
        PATH,
        200,
        "{\"limits\":[],\"unpublished\":{\"page\":2,\"totalPages\":3,\"total\":150,\"data\":[]}}");

    Program.Run run =
        Program.operating(server)
            .run("merchant", "usage", "7", "--store", "Li's & 鞋", "--page", "2");

    assertThat(server.last().path()).isEqualTo(PATH + "?page=2&store=Li%27s+%26+%E9%9E%8B");
    assertThat(run.out())
        .endsWith(
            "Page 2 of 3. Next: stockroom merchant usage 7 --store 'Li'\\''s & 鞋' --page 3\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | 0 | 0   | No fetched product needs a publish result.
          1 | 1 | 1   | 1 fetched product needs a publish result:
          2 | 2 | 61  | Page 2 of 2.
          3 | 2 | 61  | There is no page 3; the last page is 2.
          """)
  void printsTheLastPage(int page, int totalPages, int total, String last) {
    server.on(
        "GET",
        PATH,
        200,
        "{\"limits\":[],\"unpublished\":{\"page\":%d,\"totalPages\":%d,\"total\":%d,\"data\":[]}}"
            .formatted(page, totalPages, total));

    Program.Run run = Program.operating(server).run("merchant", "usage", "7", "--page=" + page);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().toList().getLast()).isEqualTo(last);
  }

  @Test
  void jsonPrintsTheResponseUnchanged() {
    server.on("GET", PATH, 200, "{\"limits\":[],\"unpublished\":{\"page\":1,\"data\":[]}}");

    assertThat(Program.operating(server).run("merchant", "usage", "7", "--json").out())
        .isEqualTo("{\"limits\":[],\"unpublished\":{\"page\":1,\"data\":[]}}\n");
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,1", "15,1", "29,1", "30,2", "299,19", "300,20", "301,20", "-1,0"})
  void showsAnyUsageAndLooksFullOnlyWhenExhausted(long used, int blocks) {
    assertThat(UsageBar.in(StandardCharsets.UTF_8).of(used, 300))
        .isEqualTo("█".repeat(blocks) + "░".repeat(20 - blocks));
  }

  @Test
  void looksFullWhenTheLimitIsZero() {
    assertThat(UsageBar.in(StandardCharsets.UTF_8).of(0, 0)).isEqualTo("█".repeat(20));
  }

  @Test
  void drawsInAsciiIfTheCharsetHasNoBlocks() {
    assertThat(UsageBar.in(StandardCharsets.US_ASCII).of(120, 300))
        .isEqualTo("########------------");
  }
}
