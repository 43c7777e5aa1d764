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
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The command palette, scanners, and the selection of products, with the keyboard alone. */
class PaletteTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void opensFromAnywhereAndReachesProductsBarcodesAndPages() {
    int product = merchant.products(3).get(1);
    merchant.api().create(Stock.one(product, "red", "36-37", 7));
    merchant.texts(
        "with given as (update stock_entry set barcode = '6901234567892' where merchant_id = ? and size = 37 returning 1) select count(*) from given");
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/overview");

      page.keyboard().press("/");
      assertThat(page.locator("#palette [role=option]").first()).containsText("Overview");
      Assertions.assertThat(browser.faults(page)).isEmpty();
      page.keyboard().type("shoe a2");
      assertThat(page.locator("#palette [role=option]")).hasCount(1);
      page.keyboard().press("Enter");
      assertThat(page).hasURL(Pattern.compile(".*/console/products/" + product + "$"));

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
      Assertions.assertThat(browser.faults(page)).isEmpty();
      page.getByRole(AriaRole.SEARCHBOX).fill("a1");
      assertThat(page.locator("#selection-bar")).isHidden();
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
