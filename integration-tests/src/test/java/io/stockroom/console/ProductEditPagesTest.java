package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Creating, editing, archiving and restoring products in the console, without a browser. */
class ProductEditPagesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages pages = Pages.of(TestPerson.of(merchant)).with("Accept-Language", "en");

  @Test
  void createsAProductThatTheInterfaceShows() {
    int id = create("N-1");

    JsonNode detail = merchant.api().detail(id).json().get("data");
    assertThat(detail.get("title").asString()).isEqualTo("Canvas shoe");
    assertThat(detail.get("price").decimalValue().toPlainString()).isEqualTo("59.9");
    assertThat(detail.get("imgs").toString())
        .isEqualTo("[\"https://p.example/1.jpg\",\"https://p.example/2.jpg\"]");
    assertThat(detail.get("attributes").toString())
        .isEqualTo("[{\"name\":\"Sole\",\"value\":\"Rubber: soft\"}]");
    assertThat(merchant.productIds()).containsExactly(id);
    int imported = merchant.product();
    int second = create("N-2");
    assertThat(merchant.productIds()).containsExactly(id, imported, second);
    assertThat(merchant.api().create(Stock.one(id, "red", "36", 5)).success()).isTrue();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void rejectsBadFieldsAndKeepsWhatWasTyped() {
    HttpResponse<String> wrong =
        pages.post(
            "/console/products/new",
            "artNo",
            " ",
            "title",
            "",
            "price",
            "5,90",
            "imgs",
            "ftp://p.example/1.jpg",
            "attributes",
            "no colon",
            "categoryNameTree",
            "Shoes,Canvas",
            "categoryIdTree",
            "12",
            "video",
            "nowhere");

    assertThat(wrong.statusCode()).isEqualTo(422);
    for (String field :
        new String[] {
          "artNo", "title", "price", "imgs", "attributes", "categoryNameTree", "video"
        }) {
      assertThat(wrong.body()).contains("id=\"" + field + "-problem\"");
    }
    assertThat(wrong.body()).contains("value=\"5,90\"", "ftp://p.example/1.jpg", "no colon");
    assertThat(merchant.productIds()).isEmpty();

    create("N-1");
    HttpResponse<String> used = post("/console/products/new", "N-1", "Other");
    assertThat(used.statusCode()).isEqualTo(422);
    assertThat(used.body()).contains("Another product already has this item number");
  }

  @Test
  void editsOnlyWhatDiffersAndNeverOverwritesUnseen() {
    int id = create("N-1");
    String path = "/console/products/" + id + "/edit";
    String seen = seen(path);

    assertThat(edit(path, seen, "Canvas shoe").statusCode()).isEqualTo(302);
    assertThat(changes(id)).isEqualTo("1");
    assertThat(edit(path, seen, "New title").statusCode()).isEqualTo(302);
    assertThat(
            merchant.texts(
                "select fields::text from change_log where merchant_id = ? order by number desc limit 1"))
        .containsExactly("{title}");
    HttpResponse<String> late = edit(path, seen, "Late title");

    assertThat(late.statusCode()).isEqualTo(422);
    assertThat(late.body()).contains("Someone else changed this product", "Late title");
    assertThat(merchant.api().detail(id).json().get("data").get("title").asString())
        .isEqualTo("New title");
    Matcher again = Pattern.compile("name=\"seen\" value=\"(\\d+)\"").matcher(late.body());
    assertThat(again.find()).isTrue();
    assertThat(edit(path, again.group(1), "Late title").statusCode()).isEqualTo(302);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void saysWhatWasRemovedFromTheDescription() {
    HttpResponse<String> created =
        pages.post(
            "/console/products/new",
            "artNo",
            "N-1",
            "title",
            "Canvas shoe",
            "price",
            "5",
            "description",
            "<p onclick='x()'>a</p><iframe src='https://x.example'></iframe><img src='//p.example/1.jpg'>");

    String page = pages.get(created.headers().firstValue("Location").orElseThrow()).body();

    assertThat(page).contains("<code>&lt;iframe&gt;</code>", "<code>&lt;p onclick&gt;</code>");
    assertThat(page).contains("<img src=\"https://p.example/1.jpg\"");
    assertThat(
            pages
                .get("/console/products/" + merchant.productIds().getFirst() + "?removed=Pay+me")
                .body())
        .doesNotContain("Pay me");
  }

  @Test
  void archivesAndRestores() {
    int id = create("N-1");
    String path = "/console/products/" + id;
    assertThat(pages.get(path + "/archive").body()).contains("Archive N-1?");

    assertThat(pages.post(path + "/archive").statusCode()).isEqualTo(302);

    assertThat(pages.get("/console/products/archived").body()).contains("N-1", "Canvas shoe");
    assertThat(pages.get(path).body()).contains("treat this product as missing", "Restore");
    assertThat(pages.get(path + "/stock").statusCode()).isEqualTo(404);
    assertThat(pages.get(path + "/edit").statusCode()).isEqualTo(404);
    assertThat(pages.get("/console/changes").body()).contains("Product archived");
    assertThat(post("/console/products/new", "N-1", "Other").body())
        .contains("An archived product has this item number");
    Pages stranger = Pages.of(TestPerson.of(TestMerchant.fresh()));
    assertThat(stranger.get(path).statusCode()).isEqualTo(404);
    assertThat(stranger.post(path + "/restore").statusCode()).isEqualTo(404);

    assertThat(pages.post(path + "/restore").statusCode()).isEqualTo(302);
    assertThat(pages.get(path + "?done=restored").body()).contains("Product restored.");
    assertThat(stranger.post(path + "/archive").statusCode()).isEqualTo(404);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private int create(String artNo) {
    HttpResponse<String> created =
        pages.post(
            "/console/products/new",
            "artNo",
            artNo,
            "title",
            "Canvas shoe",
            "price",
            "59.90",
            "imgs",
            "https://p.example/1.jpg\r\nhttps://p.example/2.jpg",
            "attributes",
            "Sole: Rubber: soft",
            "description",
            "<p>One</p>\r\n<p>Two</p>");
    assertThat(created.statusCode()).as(created.body()).isEqualTo(302);
    String location = created.headers().firstValue("Location").orElseThrow();
    return Integer.parseInt(location.replaceFirst(".*/products/(\\d+).*", "$1"));
  }

  private HttpResponse<String> post(String path, String artNo, String title) {
    return pages.post(path, "artNo", artNo, "title", title, "price", "5");
  }

  private HttpResponse<String> edit(String path, String seen, String title) {
    return pages.post(
        path,
        "seen",
        seen,
        "title",
        title,
        "price",
        "59.9",
        "imgs",
        "https://p.example/1.jpg\r\nhttps://p.example/2.jpg",
        "attributes",
        "Sole: Rubber: soft",
        "description",
        "<p>One</p>\r\n<p>Two</p>");
  }

  private String seen(String path) {
    Matcher seen =
        Pattern.compile("name=\"seen\" value=\"(\\d+)\"").matcher(pages.get(path).body());
    assertThat(seen.find()).isTrue();
    return seen.group(1);
  }

  private String changes(int id) {
    return merchant
        .texts("select count(*) from change_log where merchant_id = ? and product_id = " + id)
        .getFirst();
  }
}
