package io.stockroom.console.search;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The command palette, scanners, and the selection of products, with the keyboard alone. */
class PaletteTest {
  /** A camera that sees the EAN of {@code 6901234567892}. */
  private static final String CAMERA =
      """
      () => {
        const bars = "%s";
        const canvas = document.createElement("canvas");
        Object.assign(canvas, { width: 640, height: 480 });
        const picture = canvas.getContext("2d");
        const draw = () => {
          picture.fillStyle = "#ddd";
          picture.fillRect(0, 0, 640, 480);
          picture.fillStyle = "#222";
          [...bars].forEach((bar, i) => bar === "1" && picture.fillRect(130 + 4 * i, 150, 4, 160));
        };
        setInterval(draw, 50);
        navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();
      }
      """
          .formatted(
              "101000101101001110110011001101101111010100011010"
                  + "10100111010100001000100100100011101001101100101");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void opensFromAnywhereAndReachesProductsBarcodesAndPages() {
    int product = merchant.products(3).get(1);
    merchant.api().create(Stock.one(product, "red", "36-37", 7));
    merchant.texts(
        "with given as (update stock_entry set barcode = '6901234567892' where merchant_id = ? and size_text = '37' returning 1) select count(*) from given");
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/overview");

      page.keyboard().press("/");
      assertThat(page.locator("#palette [role=option]").first()).containsText("Overview");
      Assertions.assertThat(browser.contentFaults(page)).isEmpty();
      page.keyboard().type("shoe a2");
      assertThat(page.locator("#palette [role=option]")).hasCount(1);
      page.keyboard().press("Enter");
      assertThat(page).hasURL(Pattern.compile(".*/console/products/" + product + "$"));

      page.keyboard().press("Control+k");
      page.keyboard().type("over");
      page.keyboard().press("Escape");
      assertThat(page.locator("#palette")).isHidden();
      page.keyboard().press("Control+k");
      page.keyboard().type("webh");
      assertThat(page.locator("#palette [aria-selected=true]")).containsText("Webhooks");
      page.keyboard().press("Enter");
      assertThat(page).hasURL(Pattern.compile(".*/console/webhooks$"));

      // a scanner: fast keys that end with Enter, in no field
      page.locator("h1").click();
      page.keyboard().type("6901234567892", new Keyboard.TypeOptions().setDelay(0));
      page.keyboard().press("Enter");
      assertThat(page).hasURL(Pattern.compile(".*/stock\\?barcode=6901234567892$"));
      assertThat(page.locator("#grid-scan-result")).containsText("37");
      assertThat(page.locator("td[data-column='1']")).isFocused();

      page.locator("[data-palette]").click();
      page.locator("#palette .camera").click();
      assertThat(page.locator("#palette .problem")).containsText("barcode");

      browser.show(page, "/console/overview");
      page.evaluate(CAMERA);
      page.keyboard().press("/");
      page.locator("#palette .camera").click();
      assertThat(page).hasURL(Pattern.compile(".*/stock\\?barcode=6901234567892$"));
    }
  }

  @Test
  void selectsProductsOfThePageAndOfTheView() {
    merchant.products(60);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products");

      page.locator("input[name=product]").nth(1).check();
      assertThat(page.locator(".selected")).hasText("1 selected");
      page.locator("#select-page").check();
      assertThat(page.locator(".selected")).hasText("50 selected");
      page.locator("#select-all").check();
      assertThat(page.locator(".selected")).hasText("60 selected");
      Assertions.assertThat(browser.contentFaults(page)).isEmpty();
      List<String> searches = new ArrayList<>();
      page.onRequest(
          request -> {
            if (request.url().endsWith("/console/products?q=a1")) {
              searches.add(request.url());
            }
          });
      page.getByRole(AriaRole.SEARCHBOX).fill("a1");
      assertThat(page.locator("#selection-bar")).isHidden();
      // with the keyboard: Space selects, Enter edits
      assertThat(page.locator("input[name=product]")).not().hasCount(50);
      page.locator("input[name=product]").first().focus();
      page.keyboard().press("Space");
      page.keyboard().press("Enter");
      assertThat(page).hasURL(Pattern.compile(".*/console/products/bulk\\?.*"));
      // not again when the field lost the focus: that would swap the selected rows
      Assertions.assertThat(searches).hasSize(1);
    }
  }

  @Test
  void anUnknownBarcodeBecomesASearch() {
    merchant.product();

    String page =
        Pages.of(person).get("/console/products?q=4006381333931&barcode=4006381333931").body();

    Assertions.assertThat(page).contains("No stock entry has the barcode “4006381333931”");
    Assertions.assertThat(
            Pages.of(person)
                .get("/console/scan?code=4006381333931")
                .headers()
                .firstValue("Location"))
        .hasValueSatisfying(
            path ->
                Assertions.assertThat(path)
                    .endsWith("/console/products?q=4006381333931&barcode=4006381333931"));
  }
}
