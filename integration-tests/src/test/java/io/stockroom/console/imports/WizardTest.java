package io.stockroom.console.imports;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The import wizard in a real browser. */
class WizardTest {
  private static final Charset GBK = Charset.forName("GBK");

  /** An import may wait for imports of other tests. */
  private static final double PATIENCE_MILLIS = 30_000;

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void aPersonImportsAChineseFileAfterCorrectingItsBadRow() throws IOException {
    byte[] bad = "货号,标题,价格,颜色,尺码,库存\nA1,帆布鞋,59.00,红,36-38,5\nA2,短靴,很贵,黑,40,2\n".getBytes(GBK);
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/products");
      page.getByRole(AriaRole.MAIN).getByRole(AriaRole.LINK, named("Import")).click();
      send(page, "春季.csv", bad);

      assertThat(page.locator("#job"))
          .containsText("1 product has errors", within(PATIENCE_MILLIS));
      assertThat(page.locator(".detected")).containsText("GBK");
      assertThat(page.locator(".tiles"))
          .containsText(Pattern.compile("New\\s*1[\\s\\S]*Errors\\s*1"));
      assertThat(page.getByRole(AriaRole.ROW, row("很贵")).first()).containsText("is not a price");
      Download download =
          page.waitForDownload(() -> page.getByText("Download rows with errors").click());
      String rejected = Files.readString(download.path(), GBK);
      assertThat(rejected).startsWith("货号,标题,价格,颜色,尺码,库存,reason").contains("A2,短靴,很贵");

      page.getByText("Import without 1 product with errors").click();
      assertThat(page.locator("#job"))
          .containsText("Imported: 1 new, 0 changed, 0 unchanged.", within(PATIENCE_MILLIS));
      page.getByText("Import another file").click();
      send(page, "春季 bad.csv", rejected.replace("很贵", "99.00").getBytes(GBK));
      assertThat(page.locator("#job"))
          .containsText("Review the changes below.", within(PATIENCE_MILLIS));
      page.getByRole(AriaRole.BUTTON, exactly("Import")).click();

      assertThat(page.locator("#job"))
          .containsText("Imported: 1 new, 0 changed, 0 unchanged.", within(PATIENCE_MILLIS));
      assertThat(page.locator("#job")).isFocused();
      page.getByText("View products").click();
      assertThat(page.locator("tbody tr")).hasCount(2);
      assertThat(merchant.entries()).isEqualTo(4);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void aPersonMapsColumnsEvenIfTheSessionEnds() {
    TestPerson person = TestPerson.of(merchant).withPassword();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/imports");
      send(page, "erp.csv", "Ref;Text;Preis\nA1;Shoe;59\n".getBytes(StandardCharsets.UTF_8));
      assertThat(page.locator("#job")).containsText("no column for artNo", within(PATIENCE_MILLIS));

      page.getByLabel("Field for Ref").selectOption("artNo");
      page.getByLabel("Field for Text").selectOption("title");
      page.getByLabel("Field for Preis").selectOption("price");
      person.age("1 day", "2 days");
      page.getByRole(AriaRole.BUTTON, exactly("Check again")).click();
      assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
      page.keyboard().type(TestPerson.PASSWORD);
      page.keyboard().press("Enter");

      assertThat(page.locator("#job"))
          .containsText("Review the changes below.", within(PATIENCE_MILLIS));
      assertThat(page.locator(".tiles")).containsText(Pattern.compile("New\\s*1"));
    }
  }

  @Test
  void aPersonWatchesALargeImportReloadsAndCancelsIt() {
    StringBuilder file = new StringBuilder("artNo,title,price,color,size,quantity\n");
    for (int i = 0; i < 200_000; i++) {
      file.append("A").append(i).append(",Shoe ").append(i).append(",59,red,36-40,5\n");
    }
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/imports");
      send(page, "large.csv", file.toString().getBytes(StandardCharsets.UTF_8));

      Locator working = page.locator(".working");
      assertThat(working.getByRole(AriaRole.PROGRESSBAR)).isVisible();
      assertThat(working.locator(".pace")).containsText("/s", within(PATIENCE_MILLIS));
      page.reload();
      assertThat(working.getByRole(AriaRole.PROGRESSBAR)).isVisible();
      // the button keeps the focus when the page renews itself
      working.getByText("Cancel").focus();
      working.evaluate("(element) => { element.dataset.former = ''; }");
      assertThat(page.locator("[data-former]")).hasCount(0);
      assertThat(working.getByText("Cancel")).isFocused();
      page.keyboard().press("Enter");

      assertThat(page.locator("#job"))
          .containsText("Canceled. Nothing was changed.", within(PATIENCE_MILLIS));
      assertThat(merchant.productIds()).isEmpty();
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void aPersonStopsAnUpload() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/imports");
      // the response never arrives, so the upload can be stopped
      page.route(url -> url.contains("/console/imports?"), _ -> {});
      send(page, "slow.csv", "artNo,title,price\n".getBytes(StandardCharsets.UTF_8));

      assertThat(page.getByText("Uploading slow.csv…")).isVisible();
      assertThat(page.locator("#upload .sending")).isFocused();
      page.locator("#upload").getByText("Cancel").click();

      assertThat(page.locator("#upload").getByRole(AriaRole.ALERT))
          .hasText("Upload canceled. Nothing was saved.");
      assertThat(page.locator("#upload .drop")).isVisible();
      assertThat(page.locator("input[type=file]")).isFocused();
      assertThat(merchant.texts("select name from import where merchant_id = ?")).isEmpty();
    }
  }

  private static void send(Page page, String name, byte[] content) {
    page.locator("input[type=file]").setInputFiles(new FilePayload(name, "text/csv", content));
    page.getByText("Upload and review").click();
  }

  private static LocatorAssertions.ContainsTextOptions within(double millis) {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(millis);
  }

  private static Locator.GetByRoleOptions named(String name) {
    return new Locator.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Page.GetByRoleOptions exactly(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Page.GetByRoleOptions row(String text) {
    return new Page.GetByRoleOptions().setName(Pattern.compile(text));
  }
}
