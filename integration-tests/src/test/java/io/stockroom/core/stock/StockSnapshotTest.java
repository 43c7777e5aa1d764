package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code POST /Stock/Snapshot}. */
class StockSnapshotTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void showsTheEntriesAsTheStockListDoes() {
    int product = merchant.product();
    api.create(
        Stock.list(
            Stock.group(product, "red", Stock.size("37", 20, "690"), Stock.size("36", 5)),
            Stock.group(product, "blue", Stock.size("36", 0))));

    Reply reply = snapshot("");

    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"msg":"","cursor":"%s","next":"","products":[\
            {"pid":%d,"artNo":"A1","entries":%s}]}"""
                .formatted(
                    Feed.latest(api), product, api.stock(product).json().get("data").toString()));
  }

  @Test
  void pagesInOrderWithoutProductsThatHaveNoEntries() {
    List<Integer> products = merchant.products(5);
    for (int product : List.of(products.get(4), products.get(0), products.get(2))) {
      api.create(Stock.one(product, "red", "36", product));
    }

    assertThat(ids(all("limit=2")))
        .containsExactly(products.get(0), products.get(2), products.get(4));
    assertThat(ids(all("limit=1")))
        .containsExactly(products.get(0), products.get(2), products.get(4));
    assertThat(snapshot("limit=3").json().get("next").asString()).isEmpty();
  }

  @Test
  void isEmptyWithoutStock() {
    merchant.product();

    Reply reply = snapshot("");

    assertThat(reply.json().get("products")).isEmpty();
    assertThat(reply.json().get("next").asString()).isEmpty();
    assertThat(reply.json().get("cursor").asString()).isEqualTo(Feed.latest(api));
  }

  @Test
  void everyPageHasTheCursorOfTheFirstAndChangesAfterItGiveTheCurrentStock() {
    List<Integer> products = merchant.products(3);
    products.forEach(product -> api.create(Stock.one(product, "red", "36", 1)));
    Reply first = snapshot("limit=1");
    String cursor = first.json().get("cursor").asString();
    api.create(Stock.one(products.get(0), "red", "36", 2));
    api.create(Stock.one(products.get(2), "red", "36", 3));

    Reply second = snapshot("limit=1&after=" + first.json().get("next").asString());
    Reply third = snapshot("limit=1&after=" + second.json().get("next").asString());

    assertThat(List.of(second, third))
        .allSatisfy(page -> assertThat(page.json().get("cursor").asString()).isEqualTo(cursor));
    assertThat(third.json().at("/products/0/entries/0/stock").asInt()).isEqualTo(3);
    List<JsonNode> changes = new Feed(api, cursor).next("");
    assertThat(changes.stream().map(change -> change.get("pid").asInt()))
        .containsExactly(products.get(0), products.get(2));
  }

  @Test
  void endsAPageEarlyAfterManyEntries() {
    List<Integer> products = merchant.products(4);
    products.forEach(product -> api.create(Stock.entries(product, 10_000)));

    Reply first = snapshot("limit=500");

    assertThat(ids(products(first))).isEqualTo(products.subList(0, 2));
    assertThat(ids(all("limit=500"))).isEqualTo(products);
  }

  @ParameterizedTest
  @CsvSource({"limit=1, 200", "limit=500, 200", "limit=0, 400", "limit=501, 400", "limit=a, 400"})
  void limitIsFrom1To500(String fields, int status) {
    assertThat(snapshot(fields).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "latest", "s_", "s_AAAA", "c_AAAA"})
  void rejectsAnythingButNext(String after) {
    assertRefused(after);
  }

  @Test
  void rejectsTheNextOfAnotherMerchantAndOfAnotherDatabase() {
    List<Integer> products = merchant.products(2);
    products.forEach(product -> api.create(Stock.one(product, "red", "36", 1)));
    String next = snapshot("limit=1").json().get("next").asString();
    TestMerchant other = TestMerchant.fresh();
    Reply stranger = other.api().call("/Stock/Snapshot").form("after=" + next).send();
    assertThat(stranger.codes()).containsExactly("CURSOR_FORMAT");
    assertRefused(Feed.latest(api));
    assertThat(snapshot("after=" + next).status()).isEqualTo(200);

    merchant.texts(
        "update log_head set log_id = gen_random_uuid() where merchant_id = ? returning 1");

    assertRefused(next);
  }

  private void assertRefused(String after) {
    Reply reply = snapshot("after=" + after);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("CURSOR_FORMAT");
  }

  private Reply snapshot(String fields) {
    return api.call("/Stock/Snapshot").form(fields).send();
  }

  private List<JsonNode> all(String fields) {
    List<JsonNode> products = new ArrayList<>();
    String next = "";
    do {
      Reply page = snapshot(fields + "&after=" + next);
      products.addAll(products(page));
      next = page.json().get("next").asString();
    } while (!next.isEmpty());
    return products;
  }

  private static List<JsonNode> products(Reply page) {
    return page.json().get("products").valueStream().toList();
  }

  private static List<Integer> ids(List<JsonNode> products) {
    return products.stream().map(product -> product.get("pid").asInt()).toList();
  }
}
