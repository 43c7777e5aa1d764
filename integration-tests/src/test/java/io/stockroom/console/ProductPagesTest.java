package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.catalogue.StockStatus;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProductPagesTest {
  private static final Pattern ROW = Pattern.compile("href=\"/console/products/[0-9]+\">([^<]*)<");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages pages = Pages.of(TestPerson.of(merchant));

  @Test
  void findsByEveryWordInItemNumberTitleColorOrBarcode() {
    importTitled("AB-1234", "Canvas shoe", "ab-2", "女鞋 winter boot", "XAB", "Sandal 100%");
    int first = merchant.productIds().getFirst();
    merchant.api().create(Stock.one(first, "酒红 Bordeaux", "36", 1));
    merchant.texts(
        "with given as (update stock_entry set barcode = '6901234567892' where merchant_id = ? returning 1) select count(*) from given");
    merchant.api().create(Stock.one(first, "酒红 Bordeaux", "37", 1));

    assertThat(found("AB")).containsExactly("AB-1234", "ab-2");
    assertThat(found("b-12")).containsExactly("AB-1234");
    assertThat(found("WINTER")).containsExactly("ab-2");
    assertThat(found("inter oot")).containsExactly("ab-2");
    assertThat(found("canvas boot")).isEmpty();
    assertThat(found("女")).containsExactly("ab-2");
    assertThat(found("女鞋")).containsExactly("ab-2");
    assertThat(found("ＷＩＮＴＥＲ")).containsExactly("ab-2");
    assertThat(found("酒红")).containsExactly("AB-1234");
    assertThat(found("bordeaux canvas")).containsExactly("AB-1234");
    assertThat(found("345678")).containsExactly("AB-1234");
    assertThat(found("100%")).containsExactly("XAB");
    assertThat(found("___")).isEmpty();
    assertThat(found("\\\\\\")).isEmpty();
    assertThat(found("")).containsExactly("AB-1234", "ab-2", "XAB");
  }

  @Test
  void neverFindsAnotherMerchantsProducts() {
    importTitled("A1", "Mine");
    TestMerchant other = TestMerchant.fresh();
    other.importProducts(TestMerchant.line("A1-other"));

    assertThat(found("A1")).containsExactly("A1");
  }

  @Test
  void showsWhetherAProductIsInStockLowSoldOutOrWithoutStock() {
    List<Integer> ids = merchant.products(5);
    int low = StockStatus.LOW_BELOW;
    merchant.api().create(Stock.one(ids.get(1), "red", "36-37", 0));
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(ids.get(2), "red", Stock.size("36", low - 1), Stock.size("37", 90))));
    merchant.api().create(Stock.one(ids.get(3), "red", "36-37", low));
    merchant
        .api()
        .create(
            Stock.list(Stock.group(ids.get(4), "red", Stock.size("36", 0), Stock.size("37", 90))));

    List<String> expected = List.of("– No stock yet", "⊘ Sold out", "▾ Low", "✓ In stock", "▾ Low");
    assertThat(statuses(pages.get("/console/products").body())).isEqualTo(expected);
    for (int i = 0; i < ids.size(); i++) {
      assertThat(statuses(pages.get("/console/products/" + ids.get(i)).body()))
          .containsExactly(expected.get(i));
    }
    assertThat(pages.get("/console/products/" + ids.get(2) + "/stock").body())
        .contains("data-low=\"" + low + "\"");
  }

  private static List<String> statuses(String page) {
    return Pattern.compile("<span class=\"tag[^>]*>([–⊘▾✓][^<]*)<")
        .matcher(page)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void pagesForwardsAndBackwardsWithoutSkippingOrRepeating() {
    merchant.products(120);

    for (String query : List.of("?x=", "?q=shoe", "?status=none-yet", "?sort=-title")) {
      List<String> forwards = walk(query, "next");
      List<String> backwards = walk(forwards.removeLast(), "prev");

      assertThat(forwards).hasSize(120).doesNotHaveDuplicates();
      backwards.removeLast();
      assertThat(backwards).containsExactlyInAnyOrderElementsOf(forwards);
    }
  }

  @Test
  void showsTheNextStepWithoutProducts() {
    String page = pages.get("/console/products").body();

    assertThat(page).contains("No products yet", "download=\"products-sample.csv\"");
    Matcher address = Pattern.compile("/console/assets/products-sample[^\"]+").matcher(page);
    assertThat(address.find()).isTrue();
    assertThat(pages.get(address.group()).body()).startsWith("\uFEFFartNo,title,description");
  }

  @Test
  void reportsAnEmptySearchResult() {
    merchant.product();

    assertThat(pages.get("/console/products?q=%3Cb%3E").body())
        .contains("No product has “&lt;b&gt;” in its item number");
  }

  @Test
  void escapesHostileText() {
    Reply imported =
        merchant.importProducts(
            """
        {"artNo":"<b>1","title":"<script>alert(1)</script>\\"'><img src=x onerror=alert(2)>","price":1,\
        "imgs":["https://pictures.example/1.jpg"],\
        "description":"<p onclick=alert(4)>kept</p><script>alert(5)</script><a href='javascript:alert(6)'>x</a>",\
        "attributes":[{"name":"<i>n","value":"<i>v"}]}
        """);
    assertThat(imported.json().get("created").asInt()).as(imported.whole()).isEqualTo(1);
    int id = merchant.productIds().getFirst();
    merchant.api().create(Stock.one(id, "<u>red", "36", 1));

    String list = pages.get("/console/products").body();
    String page = pages.get("/console/products/" + id).body();

    assertThat(list)
        .contains("&lt;script&gt;alert(1)")
        .doesNotContain("<script>alert", "<img src=x");
    assertThat(page)
        .contains("&lt;u&gt;red", "&lt;i&gt;n", "<p>kept</p>")
        .doesNotContain(
            "<script>alert", "onclick", "href=\"javascript", "<img src=x", "<u>", "<i>");
  }

  @Test
  void showsEverythingThatTheDetailShows() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"Shoe","price":59,"imgs":["https://p.example/1.jpg","https://p.example/2.jpg"],\
        "categoryIdTree":"12,1201","categoryNameTree":"Shoes,Canvas","description":"<b>warm</b>",\
        "attributes":[{"name":"Sole","value":"Rubber"}],"video":"https://p.example/v.mp4"}
        """);
    int id = merchant.productIds().getFirst();
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(id, "red", Stock.size("36-37", 5)),
                Stock.group(id, "blue", Stock.size("38", 0))));

    String page = pages.get("/console/products/" + id).body();

    assertThat(page)
        .contains(
            "59.00",
            merchant.storeUrl() + "/A1/59.00",
            "Shoes › Canvas",
            "https://p.example/2.jpg",
            "https://p.example/v.mp4",
            "Rubber",
            "<b>warm</b>",
            "10 in total",
            "/console/products/" + id + "/stock");
  }

  private void importTitled(String... artNosAndTitles) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < artNosAndTitles.length; i += 2) {
      lines.append(
          "{\"artNo\":\"%s\",\"title\":\"%s\",\"price\":1,\"imgs\":[\"https://p.example/1.jpg\"]}\n"
              .formatted(artNosAndTitles[i], artNosAndTitles[i + 1]));
    }
    assertThat(merchant.importProducts(lines.toString()).status()).isEqualTo(200);
  }

  private List<String> found(String text) {
    return rows("?q=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
  }

  private List<String> rows(String query) {
    return artNos(pages.get("/console/products" + query).body());
  }

  private static List<String> artNos(String page) {
    List<String> artNos = new ArrayList<>();
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      artNos.add(row.group(1));
    }
    return artNos;
  }

  /** The item numbers of all pages, followed by the query of the last page. */
  private List<String> walk(String query, String direction) {
    List<String> all = new ArrayList<>();
    String here = query;
    while (true) {
      String page = pages.get("/console/products" + here).body();
      all.addAll(artNos(page));
      Matcher link =
          Pattern.compile("rel=\"" + direction + "\" href=\"/console/products([^\"]*)\"")
              .matcher(page);
      if (!link.find()) {
        all.add(here);
        return all;
      }
      here = link.group(1).replace("&amp;", "&");
    }
  }
}
