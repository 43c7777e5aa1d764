package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import org.junit.jupiter.api.Test;

/** The list of changes, and the stock of a product over time. */
class ChangePagesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages mine = Pages.of(TestPerson.of(merchant));

  @Test
  void listsTheNewestChangesOfAllProductsWithTheirSource() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "red", "36", 5));
    mine.json(
        "/console/products/" + product + "/stock",
        "[{\"color\":\"red\",\"size\":36,\"before\":5,\"quantity\":7}]");
    merchant.api().create(Stock.one(product, "blue", "36-38", 2));

    String page = mine.get("/console/changes").body();

    assertThat(page)
        .contains("red 36: 0 → 5", "3 entries: 0 → 6 in total", "Product created")
        .contains("href=\"/console/products/" + product + "\"")
        .doesNotContain("every 2s");
    assertThat(page.indexOf("3 entries")).isLessThan(page.indexOf("red 36"));
    assertThat(mine.get("/console/changes?live=true").body())
        .contains("hx-get=\"/console/changes?live=true\"", "every 2s");
    assertThat(mine.get("/console/changes?before=2").body())
        .contains("Product created", "Newest")
        .doesNotContain("red 36");
  }

  @Test
  void namesTheChangedFieldsOfAProduct() {
    merchant.importProducts("{\"artNo\":\"B7\",\"title\":\"Shoe\",\"price\":59}\n");
    merchant.importProducts("{\"artNo\":\"B7\",\"title\":\"Boot\",\"price\":60}\n");

    assertThat(mine.get("/console/changes").body()).contains("Product: Price, Title");
  }

  @Test
  void showsDevelopersNoLinksToProducts() {
    int product = merchant.product();
    TestPerson developer =
        TestPerson.with("\"merchantId\":%d,\"roles\":[\"developer\"]".formatted(merchant.id()));

    assertThat(Pages.of(developer).get("/console/changes").body())
        .contains("Product created")
        .doesNotContain("/console/products/" + product);
  }

  @Test
  void drawsTheTotalQuantityOfAProduct() {
    int product = merchant.product();
    String history = "/console/products/" + product + "/stock/history";
    assertThat(mine.get(history).body()).doesNotContain("<svg");

    merchant.api().create(Stock.one(product, "red", "36-40", 5));
    merchant.api().create(Stock.one(product, "red", "36", 0));

    assertThat(mine.get(history).body())
        .contains("20 now; between 20 and 25 since", "<svg class=\"drawing\"");
    assertThat(mine.get(history + "?before=1").body()).doesNotContain("<svg");
  }
}
