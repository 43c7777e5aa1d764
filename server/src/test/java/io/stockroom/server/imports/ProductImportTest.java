package io.stockroom.server.imports;

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

class ProductImportTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void countsCreatedChangedAndUnchangedProducts() {
    assertThat(merchant.importProducts(lines("A", "B")).body())
        .isEqualTo(
            """
            {"created":2,"changed":0,"unchanged":0,"failed":0,"applied":true,"ignored":[],\
            "errors":[]}""");
    String second = lines("A", "C") + "\n" + TestMerchant.line("B").replace("59", "60");

    assertThat(merchant.importProducts(second).body())
        .startsWith("{\"created\":1,\"changed\":1,\"unchanged\":1,\"failed\":0,\"applied\":true");
    assertThat(merchant.wrongCounts()).isEmpty();
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
  void appliesNothingWhereALineIsBad() {
    Reply reply = merchant.importProducts(lines("A") + "\n{\"artNo\":\"B\"}\n" + lines("C"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .isEqualTo(
            """
            {"created":0,"changed":0,"unchanged":0,"failed":1,"applied":false,"ignored":[],\
            "errors":[{"line":2,"at":"title","code":"FIELD_MISSING","msg":"title is missing."},\
            {"line":2,"at":"price","code":"FIELD_MISSING","msg":"price is missing."}]}""");
    assertThat(merchant.productIds()).isEmpty();
    assertThat(merchant.wrongCounts()).isEmpty();
  }

  @Test
  void skipsBadLinesWhereItIsToldTo() {
    Reply reply =
        Admin.of(TestServer.shared())
            .post(
                "/admin/merchants/" + merchant.id() + "/products?skipBad=true",
                lines("A") + "\nnonsense\n" + lines("C"));

    assertThat(reply.body())
        .startsWith("{\"created\":2,\"changed\":0,\"unchanged\":0,\"failed\":1");
    assertThat(reply.json().get("errors").get(0).get("line").asInt()).isEqualTo(2);
    assertThat(merchant.productIds()).hasSize(2);
    assertThat(merchant.wrongCounts()).isEmpty();
  }

  @Test
  void refusesTheSameItemNumberTwiceNamingTheFirstLine() {
    Reply reply = merchant.importProducts(lines("A", "B", "A"));

    assertThat(errors(reply)).containsExactly("3 artNo TEXT_FORMAT");
    assertThat(reply.body()).contains("on line 1");
  }

  @Test
  void passesOverBlankLinesAndAByteOrderMark() {
    Reply reply =
        merchant.importProducts("\uFEFF" + lines("A") + "\r\n\r\n  \n" + lines("B") + "\n");

    assertThat(reply.body()).startsWith("{\"created\":2");
  }

  @Test
  void namesFieldsThatMeanNothing() {
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
  void answersAnUnknownMerchantWith404() {
    Reply reply =
        Admin.of(TestServer.shared()).post("/admin/merchants/2147483647/products", lines("A"));

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
    "'\"59\"', false",
    "1e400, false",
    "true, false"
  })
  void takesExactPricesOfTwoDecimals(String price, boolean accepted) {
    Reply reply =
        merchant.importProducts("{\"artNo\":\"A\",\"title\":\"t\",\"price\":" + price + "}");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().get("applied").asBoolean()).isEqualTo(accepted);
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
  void namesTheLineOfEveryFault(String line) {
    Reply reply = merchant.importProducts(lines("OK") + "\n" + line);

    assertThat(reply.status()).isEqualTo(200);
    if (!line.isEmpty()) {
      assertThat(reply.json().get("failed").asInt()).isEqualTo(1);
      assertThat(errors(reply)).isNotEmpty().allMatch(error -> error.startsWith("2 "));
    }
  }

  @Test
  void listsTheFirstHundredFaults() {
    String bad = IntStream.range(0, 150).mapToObj(i -> "x").collect(Collectors.joining("\n"));
    Reply reply = merchant.importProducts(bad);

    assertThat(reply.json().get("failed").asInt()).isEqualTo(150);
    assertThat(errors(reply)).hasSize(100);
  }

  @Test
  void keepsTheCountsOverManyBatches() {
    merchant.products(1200);

    assertThat(merchant.wrongCounts()).isEmpty();
    assertThat(merchant.productIds()).hasSize(1200);
    assertThat(merchant.api().products("page=24").data()).hasSize(50);
  }

  /** The lines can be read once only, so a lost race must never count as a success. */
  @Test
  void losesNoLineToADeadlock() throws Exception {
    List<Integer> ids = merchant.products(2);
    String changes =
        TestMerchant.line("NEW")
            + "\n"
            + TestMerchant.line("A2").replace(".jpg", ".png")
            + "\n"
            + TestMerchant.line("A1").replace(".jpg", ".png");

    Reply reply = importWhileAnotherHolds(ids.get(0), ids.get(1), changes);

    if (reply.status() == 200) {
      assertThat(reply.body()).startsWith("{\"created\":1,\"changed\":2,");
      assertThat(merchant.productIds()).hasSize(3);
    } else {
      assertThat(reply.status()).isEqualTo(503);
      assertThat(merchant.productIds()).hasSize(2);
    }
  }

  private Reply importWhileAnotherHolds(int first, int second, String lines) throws SQLException {
    return TestServer.shared()
        .database()
        .write(
            connection -> {
              lock(connection, first);
              CompletableFuture<Reply> running =
                  CompletableFuture.supplyAsync(() -> merchant.importProducts(lines));
              assertThat(
                      Eventually.within(
                          Duration.ofSeconds(4), () -> running.isDone() || !waiting().isEmpty()))
                  .isTrue();
              lock(connection, second);
              connection.rollback();
              return running.join();
            });
  }

  private List<String> waiting() {
    return merchant.texts(
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like"
            + " 'update product set pic%'");
  }

  private void lock(Connection connection, int productId) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local deadlock_timeout = '20s'");
      statement.execute(
          "select 1 from product where merchant_id = %d and product_id = %d for no key update"
              .formatted(merchant.id(), productId));
    }
  }

  private static String lines(String... artNos) {
    return List.of(artNos).stream().map(TestMerchant::line).collect(Collectors.joining("\n"));
  }

  private static List<String> errors(Reply reply) {
    return reply
        .json()
        .get("errors")
        .valueStream()
        .map(
            error ->
                error.get("line").asInt()
                    + " "
                    + error.get("at").asString()
                    + " "
                    + error.get("code").asString())
        .toList();
  }
}
