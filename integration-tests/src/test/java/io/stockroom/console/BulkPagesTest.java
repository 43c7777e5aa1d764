package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bulk editor, without a browser. */
class BulkPagesTest {
  private static final String BULK = "/console/products/bulk";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages pages = Pages.of(TestPerson.of(merchant)).with("Accept-Language", "en");
  private final List<Integer> pids = merchant.products(3);

  @BeforeEach
  void addStock() {
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(pids.get(0), "red", Stock.size("36-37", 5), Stock.size("38", 0)),
                Stock.group(pids.get(0), "black", Stock.size("36", 9)),
                Stock.group(pids.get(1), "red", Stock.size("36", 7))));
  }

  @ParameterizedTest
  @CsvSource({
    "set, 4, 4 4 4 9, 4",
    "add, 10, 15 15 10 9, 17",
    "subtract, 6, 0 0 0 9, 1",
    "multiply, 1.5, 8 8 0 9, 11",
    "zero, '', 0 0 0 9, 0"
  })
  void changesTheChosenColorsAsOneBatch(
      String operation, String value, String first, String second) {
    HttpResponse<String> preview =
        pages.post(
            BULK + "/preview",
            "all",
            "true",
            "operation",
            operation,
            "value",
            value,
            "color",
            "red");
    assertThat(preview.statusCode()).isEqualTo(200);
    assertThat(stock(0)).isEqualTo("5 5 0 9");

    HttpResponse<String> applied =
        pages.post(
            BULK + "/apply",
            "all",
            "true",
            "seen",
            seen(preview),
            "operation",
            operation,
            "value",
            value,
            "color",
            "red");

    assertThat(applied.statusCode()).isEqualTo(302);
    assertThat(stock(0)).isEqualTo(first);
    assertThat(stock(1)).isEqualTo(second);
    assertThat(
            merchant.texts(
                """
                select count(distinct batch) from change_log
                where merchant_id = ? and source = 'console' and kind = 'stock'
                """))
        .containsExactly("1");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void copiesFromAnotherProductAndIsUndoneAsAWhole() {
    String[] edit = {
      "products",
      pids.get(1) + "," + pids.get(2),
      "operation",
      "copy",
      "source",
      "A1",
      "sizes",
      "36, 38-40"
    };
    HttpResponse<String> preview = pages.post(BULK + "/preview", edit);
    assertThat(preview.body()).contains("6 entries of 2 products will change", "Change 6 entries");

    String done = applied(preview, edit);

    assertThat(stock(1)).isEqualTo("5 0 9");
    assertThat(stock(2)).isEqualTo("5 0 9");
    assertThat(pages.get(done).body())
        .contains("6 entries of 2 products changed", "Copy stock from A1");
    assertThat(pages.get("/console/imports").body()).contains("Copy stock from A1");
    merchant.application().create(Stock.one(pids.get(2), "red", "36", 3));

    HttpResponse<String> undo = pages.post(done + "/undo");

    assertThat(undo.statusCode()).isEqualTo(302);
    assertThat(Eventually.within(Duration.ofSeconds(30), () -> stock(1).equals("7 0 0"))).isTrue();
    assertThat(stock(2)).isEqualTo("3 0 0");
    assertThat(pages.post(done + "/undo").statusCode()).isEqualTo(409);
    assertThat(Pages.of(TestPerson.of(TestMerchant.fresh())).get(done).statusCode()).isEqualTo(404);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void writesNothingIfAProductChangedSinceThePreview() {
    String[] edit = {"products", String.valueOf(pids.get(0)), "operation", "add", "value", "1"};
    HttpResponse<String> preview = pages.post(BULK + "/preview", edit);
    merchant.application().create(Stock.one(pids.get(1), "red", "36", 8));
    String seen = seen(preview);
    merchant.application().create(Stock.one(pids.get(0), "black", "36", 8));

    HttpResponse<String> late = pages.post(BULK + "/apply", with(edit, "seen", seen));

    assertThat(late.statusCode()).isEqualTo(409);
    assertThat(late.body()).contains("have changed since the preview", "<b>9</b>");
    assertThat(stock(0)).isEqualTo("5 5 0 8");
    assertThat(pages.post(BULK + "/apply", with(edit, "seen", seen(late))).statusCode())
        .isEqualTo(302);
    assertThat(stock(0)).isEqualTo("6 6 1 9");
  }

  @ParameterizedTest
  @CsvSource({
    "add, '', '', '', value",
    "add, 2147483648, '', '', value",
    "multiply, 1000.1, '', '', value",
    "multiply, 1.00001, '', '', value",
    "copy, '', nothing, '', source",
    "zero, '', '', 40-36, sizes"
  })
  void saysWhatIsWrongBesideTheField(
      String operation, String value, String source, String sizes, String field) {
    HttpResponse<String> wrong =
        pages.post(
            BULK + "/preview",
            "all",
            "true",
            "operation",
            operation,
            "value",
            value,
            "source",
            source,
            "sizes",
            sizes);

    assertThat(wrong.statusCode()).isEqualTo(422);
    assertThat(wrong.body()).contains("id=\"" + field + "-problem\"").doesNotContain("bulk/apply");
  }

  @Test
  void theListOffersTheBulkEditor() {
    assertThat(pages.get("/console/products").body())
        .contains("name=\"product\" form=\"selection\"", "formaction=\"" + BULK + "\"");
    String two = "?product=" + pids.get(0) + "&product=" + pids.get(2);
    assertThat(pages.get(BULK + two).body()).contains("2 products selected", "black");
    assertThat(pages.get(BULK + two + "&all=true&q=A2&color=red").body())
        .contains("1 product selected", "name=\"view\" value=\"q=A2&amp;color=red\"");
    assertThat(pages.get(BULK + "?q=A2").body()).contains("No products selected");
  }

  @Test
  void allProductsOfTheViewAreThoseThatItsFilterFinds() {
    HttpResponse<String> preview =
        pages.post(
            BULK + "/preview", "all", "true", "view", "q=A2", "operation", "set", "value", "1");
    assertThat(preview.body()).contains("1 entry of 1 product will change");
  }

  private String applied(HttpResponse<String> preview, String[] edit) {
    HttpResponse<String> applied = pages.post(BULK + "/apply", with(edit, "seen", seen(preview)));
    assertThat(applied.statusCode()).isEqualTo(302);
    return applied
        .headers()
        .firstValue("Location")
        .orElseThrow()
        .replaceFirst("^https?://[^/]+", "");
  }

  private static String[] with(String[] fields, String name, String value) {
    String[] all = Arrays.copyOf(fields, fields.length + 2);
    all[fields.length] = name;
    all[fields.length + 1] = value;
    return all;
  }

  private static String seen(HttpResponse<String> preview) {
    Matcher seen = Pattern.compile("name=\"seen\" value=\"(\\d+)\"").matcher(preview.body());
    assertThat(seen.find()).as(preview.body()).isTrue();
    return seen.group(1);
  }

  private String stock(int product) {
    return String.join(" ", merchant.api().stock(pids.get(product)).data("stock"));
  }
}
