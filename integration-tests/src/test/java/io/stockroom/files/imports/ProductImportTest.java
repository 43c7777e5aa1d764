package io.stockroom.files.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ProductImportTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void countsCreatedChangedAndUnchangedProducts() {
    assertThat(counts(merchant.importProducts(lines("A", "B")))).isEqualTo("applied 2 0 0 0");
    String second = lines("A", "C") + "\n" + TestMerchant.line("B").replace("59", "60");

    assertThat(counts(merchant.importProducts(second))).isEqualTo("applied 1 1 1 0");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void changesAProductAndKeepsItsIdAndStock() {
    int pid = merchant.product();
    merchant.api().create(Stock.one(pid, "red", "36", 5));

    merchant.importProducts(TestMerchant.line("A1").replace("59", "61.5").replace(".jpg", ".png"));

    assertThat(merchant.productIds()).containsExactly(pid);
    assertThat(merchant.api().detail(pid).body()).contains("\"price\":61.50", "\"size\":\"36\"");
    assertThat(merchant.api().products("page=1").data("pic"))
        .containsExactly("http://pictures.example/A1.png");
  }

  @Test
  void appliesNothingIfALineIsBad() {
    Reply reply = merchant.importProducts(lines("A") + "\n{\"artNo\":\"B\"}\n" + lines("C"));

    assertThat(counts(reply)).isEqualTo("refused 2 0 0 1");
    assertThat(errors(reply)).containsExactly("2 title PRODUCT_INCOMPLETE");
    assertThat(reply.json().get("errors").get(0).get("msg").asString())
        .isEqualTo("The product B does not exist yet, and a new product needs title, price.");
    assertThat(merchant.productIds()).isEmpty();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void skipsBadLinesOnRequest() {
    Reply reply =
        merchant
            .imports()
            .run(
                "products.jsonl",
                (lines("A") + "\nnonsense\n" + lines("C")).getBytes(UTF_8),
                "apply=true&skipBad=true");

    assertThat(counts(reply)).isEqualTo("applied 2 0 0 1");
    assertThat(errors(reply)).containsExactly("2  JSON_BROKEN");
    assertThat(merchant.productIds()).hasSize(2);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void rejectsARepeatedItemNumberAndNamesTheFirstLine() {
    Reply reply = merchant.importProducts(lines("A", "B", "A"));

    assertThat(errors(reply)).containsExactly("3 artNo PRODUCT_IN_FILE_TWICE");
    assertThat(reply.body()).contains("already occurs in row 1");
  }

  @Test
  void skipsBlankLinesAndAByteOrderMark() {
    Reply reply =
        merchant.importProducts("\uFEFF" + lines("A") + "\r\n\r\n  \n" + lines("B") + "\n");

    assertThat(counts(reply)).isEqualTo("applied 2 0 0 0");
  }

  @Test
  void namesUnknownFields() {
    assertThat(
            merchant
                .importProducts(
                    "{\"artNo\":\"A\",\"title\":\"t\",\"price\":1,\"weight\":3,\"b\":4}")
                .json()
                .get("ignored")
                .toString())
        .isEqualTo("[\"b\",\"weight\"]");
  }

  @Test
  void respondsToAnUnknownMerchantWith404() {
    Reply reply =
        Admin.of(TestServer.shared())
            .post("/admin/merchants/2147483647/imports?apply=true", lines("A"));

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.codes()).containsExactly("MERCHANT_MISSING");
  }

  @ParameterizedTest
  @CsvSource({
    "0, true",
    "9999999999.99, true",
    "9999999999.990, true",
    "10000000000, false",
    "-0.01, false",
    "1.001, false",
    "'\"59\"', true",
    "'\"59.90\"', true",
    "'\"0.5\"', true",
    "'\"59.901\"', false",
    "'\"059\"', false",
    "'\"1e3\"', false",
    "'\" 5\"', false",
    "'\"1,000\"', false",
    "'\"-1\"', false",
    "'\"\"', false",
    "1e400, false",
    "1e999999999, false",
    "true, false"
  })
  void acceptsPricesWithTwoDecimals(String price, boolean accepted) {
    Reply reply =
        merchant.importProducts("{\"artNo\":\"A\",\"title\":\"t\",\"price\":" + price + "}");

    assertThat(reply.json().get("state").asString()).isEqualTo(accepted ? "applied" : "refused");
  }

  @ParameterizedTest
  @CsvSource({
    "12, true",
    "'\"12\"', true",
    "'\"0\"', true",
    "'\"2147483647\"', true",
    "'\"2147483648\"', false",
    "'\"12.0\"', false",
    "'\"012\"', false",
    "'\"1e3\"', false",
    "'\" 5\"', false",
    "'\"1,000\"', false",
    "1e999999999, false"
  })
  void acceptsWholeQuantitiesWithAndWithoutQuotes(String quantity, boolean accepted) {
    Reply reply =
        merchant.importProducts(
            """
            {"artNo":"A","title":"t","price":1,"skus":[{"color":"red","sizes":[{"size":36,"quantity":%s}]}]}"""
                .formatted(quantity));

    assertThat(reply.json().get("state").asString()).isEqualTo(accepted ? "applied" : "refused");
    assertThat(merchant.entries()).isEqualTo(accepted ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "null",
        "{\"artNo\":\"A\"} {}",
        "{\"artNo\":\"A\",\"artNo\":\"A\",\"title\":\"t\",\"price\":1}",
        "{\"artNo\":\"\\u0000\",\"title\":\"t\",\"price\":1}",
        "{\"artNo\":\"A\",\"title\":\"\\uD800\",\"price\":1}",
        "{\"artNo\":\"A\",\"title\":\"t\",\"price\":1,\"description\":\"\\u0000\"}",
        "{\"artNo\":\"A\",\"title\":\"t\",\"price\":1,\"imgs\":[\"javascript:alert(1)\"]}",
        "{\"artNo\":\"A\",\"title\":\"t\",\"price\":1,\"imgs\":\"http://x.example/1\"}",
        "{\"artNo\":\"A\",\"title\":\"t\",\"price\":1,\"attributes\":[3]}",
        "{\"artNo\":\"A\",\"title\":\"t\",\"price\":1,\"skus\":[{\"color\":\"\"}]}",
        "{\"artNo\":\"A\",\"title\":\"t\",\"price\":1,\"categoryIdTree\":\"1,2\",\"categoryNameTree\":\"a\"}"
      })
  void namesTheLineOfEveryProblem(String line) {
    Reply reply = merchant.importProducts(lines("OK") + "\n" + line);

    if (!line.isEmpty()) {
      assertThat(reply.json().get("failed").asInt()).isEqualTo(1);
      assertThat(errors(reply)).isNotEmpty().allMatch(error -> error.startsWith("2 "));
    }
  }

  @Test
  void listsTheFirst100Problems() {
    String bad = IntStream.range(0, 150).mapToObj(i -> "x").collect(Collectors.joining("\n"));
    Reply reply = merchant.importProducts(bad);

    assertThat(reply.json().get("failed").asInt()).isEqualTo(150);
    assertThat(errors(reply)).hasSize(100);
  }

  @Test
  void keepsTheCountsOverManyBatches() {
    merchant.products(1200);

    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(merchant.productIds()).hasSize(1200);
    assertThat(merchant.api().products("page=24").data()).hasSize(50);
  }

  /** An import locks the merchant and then the products in id order, like creates do. */
  @Test
  void waitsForACreateInsteadOfDeadlocking() throws Exception {
    List<Integer> ids = merchant.products(2);
    String changes =
        TestMerchant.line("NEW")
            + "\n"
            + TestMerchant.line("A2").replace(".jpg", ".png")
            + "\n"
            + TestMerchant.line("A1").replace(".jpg", ".png");

    Reply reply = importWhileAnotherHolds(ids.get(0), ids.get(1), changes);

    assertThat(counts(reply)).isEqualTo("applied 1 2 0 0");
    assertThat(merchant.productIds()).hasSize(3);
  }

  private Reply importWhileAnotherHolds(int first, int second, String lines) throws SQLException {
    return TestServer.shared()
        .database()
        .write(
            connection -> {
              lock(connection, first);
              CompletableFuture<Reply> running =
                  CompletableFuture.supplyAsync(() -> merchant.importProducts(lines));
              assertThat(Eventually.within(Duration.ofSeconds(10), () -> !waiting().isEmpty()))
                  .isTrue();
              lock(connection, second);
              connection.rollback();
              return running.join();
            });
  }

  private List<String> waiting() {
    return merchant.texts(
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like"
            + " '%order by product_id for no key update%'");
  }

  private void lock(Connection connection, int productId) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "select 1 from product where merchant_id = %d and product_id = %d for no key update"
              .formatted(merchant.id(), productId));
    }
  }

  private static String lines(String... artNos) {
    return List.of(artNos).stream().map(TestMerchant::line).collect(Collectors.joining("\n"));
  }

  /** The state, and the number of products created, changed, unchanged and failed. */
  static String counts(Reply reply) {
    JsonNode job = reply.json();
    return String.join(
        " ",
        job.get("state").asString(),
        job.get("created").toString(),
        job.get("changed").toString(),
        job.get("unchanged").toString(),
        job.get("failed").toString());
  }

  /** Row, column and code of every problem. */
  static List<String> errors(Reply reply) {
    return reply
        .json()
        .get("errors")
        .valueStream()
        .map(
            error ->
                error.get("row").asInt()
                    + " "
                    + error.get("column").asString()
                    + " "
                    + error.get("code").asString())
        .toList();
  }
}
