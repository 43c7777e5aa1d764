package io.stockroom.console.products;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Filters, sorting, pages, saved views and the export of a view. */
class ProductViewTest {
  private static final Pattern ROW = Pattern.compile("href=\"/console/products/[0-9]+\">([^<]*)<");

  /** What the summaries say about each product, and what the tables say. */
  private static final String SUMMARIES =
      """
      select concat_ws(' ', s.product_id, s.quantity, s.sold_out_entries, s.low_entries)
      from product_summary s where s.merchant_id = ? order by s.product_id
      """;

  private static final String TABLES =
      """
      select concat_ws(' ', p.product_id, coalesce(sum(e.quantity), 0),
        count(*) filter (where e.quantity = 0),
        count(*) filter (where e.quantity > 0 and e.quantity < m.low_below))
      from product p join merchant_data m using (merchant_id)
      left join stock_entry e using (merchant_id, product_id)
      where p.merchant_id = ? group by p.product_id order by p.product_id
      """;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages pages = Pages.of(person);

  private List<Integer> catalogue() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"Boot","price":59,"categoryIdTree":"1,2","categoryNameTree":"Shoes,Boots"}
        {"artNo":"A2","title":"Apron","price":5.5,"categoryIdTree":"3","categoryNameTree":"Kitchen"}
        {"artNo":"A3","title":"Clog","price":20,"categoryIdTree":"1","categoryNameTree":"Shoes"}
        {"artNo":"A4","title":"Zori","price":20}
        """);
    List<Integer> ids = merchant.productIds();
    merchant.api().create(Stock.one(ids.get(0), "Dark Red", "36-38", 100));
    merchant.api().create(Stock.one(ids.get(1), "blue", "36-37", 0));
    merchant.api().create(Stock.one(ids.get(2), "red", "36-37", 4));
    return ids;
  }

  @Test
  void sortsAndFiltersByWhatTheAddressSays() {
    catalogue();
    String today = LocalDate.now(ZoneOffset.UTC).minusDays(1).toString();
    String later = LocalDate.now(ZoneOffset.UTC).plusDays(2).toString();

    assertThat(rows("?sort=title")).containsExactly("A2", "A1", "A3", "A4");
    assertThat(rows("?sort=-price")).containsExactly("A1", "A4", "A3", "A2");
    assertThat(rows("?sort=quantity")).containsExactly("A2", "A4", "A3", "A1");
    assertThat(rows("?sort=-added")).containsExactly("A4", "A3", "A2", "A1");
    assertThat(rows("?sort=-changed").getFirst()).isEqualTo("A3");
    assertThat(rows("?status=low")).containsExactly("A3");
    assertThat(rows("?status=sold-out")).containsExactly("A2");
    assertThat(rows("?status=none-yet")).containsExactly("A4");
    assertThat(rows("?status=in-stock")).containsExactly("A1");
    assertThat(rows("?category=Shoes%2CBoots")).containsExactly("A1");
    assertThat(rows("?color=RED")).containsExactly("A1", "A3");
    assertThat(rows("?min=20&max=20.00")).containsExactly("A3", "A4");
    assertThat(rows("?min=20.01")).containsExactly("A1");
    assertThat(rows("?since=" + today)).hasSize(4);
    assertThat(rows("?since=" + later)).isEmpty();
    assertThat(rows("?q=red&status=low&min=1")).containsExactly("A3");
  }

  @Test
  void namesAFilterThatCannotBeUsedAndKeepsWhatWasTyped() {
    catalogue();

    String page = pages.get("/console/products?min=cheap&since=soon&page=x").body();

    assertThat(page)
        .contains("“cheap” is not a price", "“soon” is not a date", "value=\"cheap\"")
        .contains("4 products");
  }

  @Test
  void goesToAPageByItsNumber() {
    merchant.products(120);

    assertThat(rows("?page=3")).hasSize(20);
    assertThat(rows("?page=99")).as("the last page").hasSize(20);
    assertThat(rows("?page=0")).as("the first page").hasSize(50);
    assertThat(pages.get("/console/products?page=2&q=shoe").body())
        .contains("of 3", "page=3\"", "href=\"/console/products?q=shoe\"");
  }

  @Test
  void summariesFollowEveryChangeAndThreshold() {
    List<Integer> ids = catalogue();
    rows("");
    assertThat(merchant.texts(SUMMARIES)).isEqualTo(merchant.texts(TABLES));

    merchant.api().create(Stock.one(ids.get(3), "green", "40", 6));
    merchant.importProducts(TestMerchant.line("A5"));
    assertThat(rows("?status=in-stock")).containsExactly("A1", "A4");
    assertThat(merchant.texts(SUMMARIES)).isEqualTo(merchant.texts(TABLES)).hasSize(5);

    threshold(ids.get(3), "merchant", "7");
    assertThat(rows("?status=low")).containsExactly("A3", "A4");
    assertThat(merchant.texts(SUMMARIES)).isEqualTo(merchant.texts(TABLES));
    threshold(ids.get(3), "product", "6");
    assertThat(rows("?status=low")).containsExactly("A3");
    threshold(ids.get(3), "product", "");
    assertThat(rows("?status=low")).containsExactly("A3", "A4");
    for (String wrong : List.of("0", "1000001", "many")) {
      assertThat(threshold(ids.get(3), "merchant", wrong).body())
          .contains(
              "Low-stock threshold: 7",
              "Enter a whole number from 1 to 1000000",
              "value=\"" + wrong);
    }
  }

  @Test
  void savesViewsForOnePersonAlone() {
    catalogue();

    HttpResponse<String> saved =
        pages.post(
            "/console/products/views", "name", "Cheap & red", "query", "q=red&max=30&page=2");

    assertThat(saved.headers().firstValue("Location"))
        .contains("/console/products?q=red&max=30&done=view-saved");

    assertThat(pages.get("/console/products").body())
        .contains("Cheap &amp; red", "href=\"/console/products?q=red&amp;max=30\"");
    assertThat(Pages.of(TestPerson.of(merchant)).get("/console/products").body())
        .doesNotContain("Cheap &amp; red");
    assertThat(pages.post("/console/products/views", "name", " ").statusCode()).isEqualTo(422);
    pages.post("/console/products/views/delete", "name", "Cheap & red");
    assertThat(pages.get("/console/products").body()).doesNotContain("Cheap &amp; red");
  }

  @Test
  void exportsOnlyTheViewOrTheSelection() {
    List<Integer> ids = catalogue();

    assertThat(exported("&color=red")).contains("A1", "A3").doesNotContain("A2", "A4");
    assertThat(exported("&color=red&product=" + ids.get(3))).contains("A4").doesNotContain("A1");
    assertThat(exported("&all=true&color=red&product=" + ids.get(3)))
        .contains("A1", "A3")
        .doesNotContain("A4");
    assertThat(exported("&product=999999999")).doesNotContain("A1");
    assertThat(exported("")).contains("A1", "A2", "A3", "A4");
  }

  private String exported(String query) {
    return pages.get("/console/export?format=jsonl" + query).body();
  }

  private HttpResponse<String> threshold(int product, String scope, String below) {
    return pages.post(
        "/console/products/" + product + "/low-stock", "scope", scope, "below", below);
  }

  private List<String> rows(String query) {
    return ROW.matcher(pages.get("/console/products" + query).body())
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
