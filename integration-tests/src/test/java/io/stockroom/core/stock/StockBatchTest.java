package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StockBatchTest {
  private static final int MISSING = 2_000_000_000;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final List<Integer> products = merchant.products(2);
  private final int pid = products.getFirst();

  @Test
  void readsTheStockOfSeveralProductsInTheirPlaces() {
    api.create(
        Stock.list(
            Stock.group(pid, "red", Stock.size("36", 20), Stock.size("37", 7, "690")),
            Stock.group(products.get(1), "蓝", Stock.size("40", 3))));
    int empty = merchant.product();
    Reply reply =
        batch(
            "productid=%d&productid=%d&productid=%d&productid=%d"
                .formatted(products.get(1), MISSING, pid, empty));

    List<JsonNode> found = reply.json().get("products").valueStream().toList();
    assertThat(found.stream().map(one -> one.get("pid").asInt()))
        .containsExactly(products.get(1), MISSING, pid, empty);
    assertThat(found.get(0).toString())
        .isEqualTo(
            "{\"pid\":%d,\"entries\":%s}"
                .formatted(
                    products.get(1), api.stock(products.get(1)).json().get("data").toString()));
    assertThat(found.get(1).get("code").asString()).isEqualTo("PRODUCT_MISSING");
    assertThat(found.get(1).has("entries")).isFalse();
    assertThat(found.get(2).get("entries")).isEqualTo(api.stock(pid).json().get("data"));
    assertThat(found.get(3).get("entries").isEmpty()).isTrue();
  }

  @Test
  void showsNothingOfAnotherMerchant() {
    Reply reply = TestMerchant.fresh().api().call("/Stock/Batch").form("productid=" + pid).send();

    assertThat(reply.json().at("/products/0/code").asString()).isEqualTo("PRODUCT_MISSING");
  }

  @Test
  void takes300ProductsAndNotOneMore() {
    assertThat(batch(ids(301)).codes()).containsExactly("LIST_TOO_LONG");
    assertThat(batch(ids(300)).json().get("products")).hasSize(300);
    assertThat(batch("").codes()).containsExactly("FIELD_MISSING");
    assertThat(batch("productid=x").codes()).containsExactly("NUMBER_FORMAT");
    assertThat(batch("productid=1&productid=1").codes()).containsExactly("PRODUCT_REPEATED");
  }

  @Test
  void saysThatThereAreTooManyEntries() {
    for (int product : products) {
      assertThat(merchant.application().create(Stock.entries(product, 10_000)).success()).isTrue();
    }
    String both = "productid=%d&productid=%d".formatted(pid, products.get(1));
    assertThat(batch(both).success()).isTrue();
    int third = merchant.product();
    assertThat(merchant.application().create(Stock.one(third, "red", "36", 1)).success()).isTrue();

    Reply reply = batch(both + "&productid=" + third);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.codes()).containsExactly("ENTRIES_TOO_MANY");
  }

  private Reply batch(String form) {
    return api.call("/Stock/Batch").form(form).send();
  }

  private static String ids(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(id -> "productid=" + (MISSING + id))
        .collect(Collectors.joining("&"));
  }
}
