package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.database.Database;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.ImportFile;
import io.stockroom.files.imports.read.Progress;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.files.imports.read.Sheets;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An import that is cancelled, or slow, in each of its phases. */
class CancelledImportTest {
  private static final String FILE = "artNo,title,price,color,36\nB1,Boot,5,red,1\n";
  private static final int ROWS = 20_000;
  private static final Database DATABASE = TestServer.shared().database();
  private final TestMerchant merchant = TestMerchant.fresh();

  @ParameterizedTest
  @ValueSource(strings = {"p.csv", "p.jsonl", "p.xlsx"})
  void readingCanBeCancelled(String name) throws Exception {
    Progress progress = new Progress();
    try (RowSource rows = stored(name, content(name), progress).source(Map.of(), Choices.NONE)) {
      assertThat(rows.next()).isNotNull();
      progress.stop();

      assertThatThrownBy(
              () -> {
                while (rows.next() != null) {
                  // until it is stopped
                }
              })
          .isInstanceOf(Progress.Stopped.class);
    }
  }

  @Test
  void readingEndsByItself() throws Exception {
    int read = 0;
    try (RowSource rows =
        stored("p.xlsx", content("p.xlsx"), new Progress()).source(Map.of(), Choices.NONE)) {
      while (rows.next() != null) {
        read++;
      }
    }

    assertThat(read).isEqualTo(ROWS);
  }

  @Test
  void openingAWorkbookCanBeCancelled() throws Exception {
    Progress progress = new Progress();
    ImportFile file = stored("p.xlsx", content("p.xlsx"), progress);
    progress.stop();

    assertThatThrownBy(() -> file.source(Map.of(), Choices.NONE))
        .isInstanceOf(Progress.Stopped.class);
  }

  @Test
  void comparingCanBeCancelledDuringAStatement() throws Exception {
    holding(
        "lock table product in access exclusive mode",
        () -> {
          int importId = submit("apply=false");
          awaitLock("insert into import_item%");

          assertCancelled(importId);
        });
  }

  @Test
  void writingCanBeCancelledWithoutUsingUpProductIds() throws Exception {
    int before = merchant.product();
    for (int i = 0; i < 3; i++) {
      holding(
          "select 1 from log_head where merchant_id = %d for update".formatted(merchant.id()),
          () -> {
            int importId = submit("apply=true");
            awaitLock("%from log_head%");
            assertThat(merchant.imports().show(importId).json().get("state").asString())
                .isEqualTo("applying");

            assertCancelled(importId);
          });
    }

    assertThat(merchant.productIds()).containsExactly(before);
    assertThat(counts(merchant.imports().apply("p.csv", FILE + "B2,Shoe,6,red,1\n")))
        .isEqualTo("applied 2 0 0 0");
    assertThat(merchant.productIds()).containsExactly(before, before + 1, before + 2);
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(merchant.texts("select count(*) from product_id_range where merchant_id = ?"))
        .containsExactly("0");
  }

  @Test
  void slowImportsDoNotDelayOtherMerchants() throws Exception {
    List<TestMerchant> slow = List.of(merchant, TestMerchant.fresh(), TestMerchant.fresh());
    List<Integer> ids = new ArrayList<>();
    holding(
        "select 1 from merchant_data where merchant_id in (%s) for no key update"
            .formatted(
                slow.stream()
                    .map(each -> Integer.toString(each.id()))
                    .collect(Collectors.joining(","))),
        () -> {
          for (TestMerchant each : slow) {
            ids.add(id(each.imports().send("p.csv", BodyPublishers.ofString(FILE), "apply=true")));
          }

          assertThat(counts(TestMerchant.fresh().imports().apply("p.csv", FILE)))
              .isEqualTo("applied 1 0 0 0");
        });

    for (int i = 0; i < slow.size(); i++) {
      assertThat(counts(slow.get(i).imports().end(ids.get(i)))).isEqualTo("applied 1 0 0 0");
    }
  }

  private ImportFile stored(String name, byte[] content, Progress progress) throws Exception {
    int importId = id(merchant.imports().run(name, content, "apply=false"));
    ImportJob job = new ImportJobs(TestServer.shared().cells()).find(merchant.id(), importId);
    return ImportFile.of(
        new StoredFiles(TestServer.shared().cells()).file(Objects.requireNonNull(job)), progress);
  }

  private static byte[] content(String name) {
    IntStream rows = IntStream.range(0, ROWS);
    return switch (name) {
      case "p.csv" ->
          rows.mapToObj(i -> "A" + i + ",Boot number " + i + ",5\n")
              .collect(Collectors.joining("", "artNo,title,price\n", ""))
              .getBytes(UTF_8);
      case "p.jsonl" ->
          rows.mapToObj(i -> TestMerchant.line("A" + i) + "\n")
              .collect(Collectors.joining())
              .getBytes(UTF_8);
      default -> {
        List<List<Object>> all = new ArrayList<>();
        all.add(List.of("artNo", "title", "price"));
        rows.forEach(i -> all.add(List.of("A" + i, "Boot number " + i, 5)));
        yield Sheets.of(all);
      }
    };
  }

  private int submit(String query) {
    return id(merchant.imports().send("p.csv", BodyPublishers.ofString(FILE), query));
  }

  private void assertCancelled(int importId) {
    Reply reply = merchant.imports().ask(importId, "cancel", "");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().get("state").asString()).isEqualTo("cancelled");
  }

  private interface Work {
    void run() throws SQLException;
  }

  /** Holds a lock that an import needs while {@code work} runs. */
  private static void holding(String lock, Work work) throws SQLException {
    DATABASE.writeOnce(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(lock);
          }
          work.run();
          connection.rollback();
          return 0;
        });
  }

  private void awaitLock(String query) {
    assertThat(
            Eventually.within(
                Duration.ofSeconds(30),
                () ->
                    !merchant
                        .texts(
                            "select pid from pg_stat_activity where wait_event_type = 'Lock' and"
                                + " query like '"
                                + query
                                + "'")
                        .isEmpty()))
        .isTrue();
  }

  private static int id(Reply reply) {
    return reply.json().get("importId").asInt();
  }
}
