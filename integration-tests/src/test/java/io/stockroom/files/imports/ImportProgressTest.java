package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The progress of an import while it compares and while it writes. */
class ImportProgressTest {
  private static final int PRODUCTS = 101;
  private static final int SIZES = 100;
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void advancesWithEachStatementWhileWriting() throws SQLException {
    assertThat(counts(merchant.imports().apply("p.csv", file(1)))).isEqualTo("applied 101 0 0 0");
    assertThat(merchant.entries()).isEqualTo(PRODUCTS * SIZES);
    String last = "order by product_id desc, size desc limit 1 for update";
    int[] id = new int[1];

    whileHeld(
        "select 1 from stock_entry where merchant_id = %d " + last,
        () -> {
          id[0] = submit(file(2));
          JsonNode progress = awaitProgress(id[0], "writing", PRODUCTS + 1);
          assertThat(progress.get("unit").asString()).isEqualTo("records");
          assertThat(progress.get("total").asLong()).isEqualTo(PRODUCTS + PRODUCTS * SIZES);
          assertThat(progress.get("done").asLong())
              .isBetween((long) PRODUCTS, (long) PRODUCTS * SIZES);
          assertThat(page(id[0])).contains("Saving changes", ">50%<").doesNotContain(">0%<");
        });

    assertThat(counts(merchant.imports().end(id[0]))).isEqualTo("applied 0 101 0 0");
    assertThat(quantities()).isEqualTo("2");
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(
            merchant.texts(
                "select count(*) from change_log where merchant_id = ? and quantities_before[1] = 1"))
        .as("each product's changes are one entry of its history")
        .containsExactly("" + PRODUCTS);
  }

  @Test
  void reportsTheComparingPhaseAfterReading() throws SQLException {
    int[] id = new int[1];

    whileHeld(
        "select 1 from merchant_data where merchant_id = %d for no key update",
        () -> {
          id[0] = submit("artNo,title,price\nA1,Boot,5\n");
          awaitProgress(id[0], "comparing", 0);
        });

    assertThat(counts(merchant.imports().end(id[0]))).isEqualTo("applied 1 0 0 0");
  }

  /** Rows of one product that are not consecutive are written after all others. */
  @Test
  void writesProductsWithNonConsecutiveRows() {
    String apart =
        IntStream.rangeClosed(1, PRODUCTS)
            .mapToObj(i -> "A" + i + ",,,blue" + ",3".repeat(SIZES) + "\n")
            .collect(Collectors.joining());

    assertThat(counts(merchant.imports().apply("p.csv", file(3) + apart)))
        .isEqualTo("applied 101 0 0 0");
    assertThat(merchant.entries()).isEqualTo(2 * PRODUCTS * SIZES);
    assertThat(quantities()).isEqualTo("3");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private static String file(int quantity) {
    return "artNo,title,price,color,"
        + IntStream.rangeClosed(1, SIZES).mapToObj(i -> "" + i).collect(Collectors.joining(","))
        + "\n"
        + IntStream.rangeClosed(1, PRODUCTS)
            .mapToObj(i -> "A" + i + ",t,1,red" + ("," + quantity).repeat(SIZES) + "\n")
            .collect(Collectors.joining());
  }

  private String quantities() {
    return String.join(
        " ",
        merchant.texts("select distinct quantity::text from stock_entry where merchant_id = ?"));
  }

  private int submit(String file) {
    return merchant
        .imports()
        .send("p.csv", BodyPublishers.ofString(file, UTF_8), "apply=true")
        .json()
        .get("importId")
        .asInt();
  }

  private JsonNode awaitProgress(int importId, String phase, long least) {
    JsonNode[] progress = new JsonNode[1];
    assertThat(
            Eventually.within(
                Duration.ofSeconds(30),
                () -> {
                  progress[0] = merchant.imports().show(importId).json().get("progress");
                  return progress[0].get("phase").asString().equals(phase)
                      && progress[0].get("done").asLong() >= least;
                }))
        .as(() -> "" + progress[0])
        .isTrue();
    return progress[0];
  }

  private String page(int importId) {
    return Pages.of(TestPerson.of(merchant))
        .get("/console/imports/" + merchant.id() + "/" + importId)
        .body();
  }

  private interface Work {
    void run() throws SQLException;
  }

  private void whileHeld(String lock, Work work) throws SQLException {
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute(lock.formatted(merchant.id()));
              }
              work.run();
              connection.rollback();
              return 0;
            });
  }
}
