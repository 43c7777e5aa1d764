package io.stockroom.console.products;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.SamplePictures;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.awt.Color;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Pictures in the product form and in the stock grid, in a real browser. */
class PictureBrowserTest {
  private static final String PASTE =
      """
      (text) => {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], "image.png", { type: "image/png" }));
        document.activeElement.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      }
      """;
  private static final String DROP =
      """
      (place, text) => {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
        place.dispatchEvent(
          new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      }
      """;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void uploadsSeveralAndLeavesOutABadOne() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/new");
      page.locator("[name=artNo]").fill("P-1");
      page.locator("[name=title]").fill("Shoe");
      page.locator("[name=price]").fill("59");

      choose(
          page,
          file("a.png", Color.RED),
          new FilePayload(
              "page.jpg", "image/jpeg", "<html></html>".getBytes(StandardCharsets.UTF_8)),
          file("c.png", Color.BLUE));

      assertThat(pictures(page)).hasCount(2);
      assertThat(page.locator(".picture-list .problem"))
          .hasText("page.jpg: The file is not a picture. Send JPEG, PNG, WebP or GIF.");
      assertThat(browser.contentFaults(page)).isEmpty();
      page.locator("main button.main").click();

      assertThat(page.locator("main .note")).hasText(Pattern.compile("Product created.*"));
      assertThat(images()).hasSize(2);
      assertThat(page.locator(".pictures img").first())
          .hasAttribute("src", Pattern.compile("/pictures/.*-400\\.png"));
    }
  }

  @Test
  void aPhoneOffersItsCamera() {
    try (ConsoleBrowser desk = ConsoleBrowser.of(person);
        ConsoleBrowser phone = ConsoleBrowser.of(person).phone()) {
      assertThat(desk.open("/console/products/new").locator("#pictures .camera")).isHidden();
      Locator camera = phone.open("/console/products/new").locator("#pictures .camera");
      assertThat(camera).isVisible();
      assertThat(camera.locator("input")).hasAttribute("capture", "environment");
    }
  }

  @Test
  void putsThemInOrderByKeysAndRemovesOne() {
    int product = merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/%d/edit".formatted(product));
      choose(page, file("a.png", Color.RED));
      assertThat(pictures(page)).hasCount(2);

      page.getByRole(AriaRole.BUTTON, named("Move picture 2 left")).press("Enter");

      assertThat(page.locator(".moved")).hasText("Now picture 1 of 2.");
      assertThat(page.getByRole(AriaRole.BUTTON, named("Move picture 1 right"))).isFocused();
      assertThat(pictures(page).first()).containsText("Main picture");
      page.getByRole(AriaRole.BUTTON, named("Remove picture 2")).press("Enter");
      page.locator("main button.main").click();
      assertThat(page.locator("main .note")).hasText("Saved.");
      assertThat(images()).hasSize(1);
      assertThat(images().getFirst()).contains("/pictures/");
    }
  }

  @Test
  void putsThemInOrderByTheMouse() {
    int product = merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/%d/edit".formatted(product));
      choose(page, file("a.png", Color.RED));
      assertThat(pictures(page)).hasCount(2);

      pictures(page).last().locator("img").dragTo(pictures(page).first().locator("img"));

      assertThat(pictures(page).first())
          .hasAttribute("data-address", Pattern.compile(".*/pictures/.*"));
      assertThat(pictures(page).first()).containsText("Main picture");
      assertThat(page.locator("[name=imgs]")).hasValue(Pattern.compile("\\S+/pictures/\\S+\n.*"));
    }
  }

  @Test
  void takesPastedAndDroppedPicturesAndTypedAddresses() {
    int product = merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/%d/edit".formatted(product));

      page.evaluate(PASTE, Base64.getEncoder().encodeToString(SamplePictures.png(Color.RED)));
      assertThat(pictures(page)).hasCount(2);
      page.locator("#pictures .drop")
          .evaluate(DROP, Base64.getEncoder().encodeToString(SamplePictures.png(Color.BLUE)));
      assertThat(pictures(page)).hasCount(3);
      page.locator("#pictures summary").click();
      Locator addresses = page.locator("[name=imgs]");
      addresses.fill(addresses.inputValue() + "\nhttps://p.invalid/4.jpg");
      addresses.blur();
      assertThat(pictures(page)).hasCount(4);
      page.locator("main button.main").click();

      assertThat(page.locator("main .note")).hasText("Saved.");
      assertThat(images()).hasSize(4).last().isEqualTo("https://p.invalid/4.jpg");
    }
  }

  @Test
  void keepsWhatWasChosenIfTheServerDoesNotAnswer() {
    int product = merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/%d/edit".formatted(product));
      page.route("**/console/products/pictures", route -> route.abort());
      choose(page, file("a.png", Color.RED));
      assertThat(page.locator(".picture-list .problem"))
          .containsText("a.png: The connection was lost");
      page.unroute("**/console/products/pictures");

      page.getByRole(AriaRole.BUTTON, named("Retry")).press("Enter");

      assertThat(pictures(page)).hasCount(2);
      assertThat(page.locator(".picture-list .problem")).hasCount(0);
    }
  }

  @Test
  void aColorGetsAPictureInTheGridAndLosesItAgain() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "black", "36", 5));
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/%d/stock".formatted(product));
      page.locator("[data-do=picture]").press("Enter");
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      assertThat(dialog.getByRole(AriaRole.HEADING)).hasText("Picture of black");

      page.evaluate(PASTE, Base64.getEncoder().encodeToString(SamplePictures.png(Color.RED)));

      assertThat(dialog.getByRole(AriaRole.STATUS)).hasText("Saved.");
      assertThat(dialog.getByRole(AriaRole.BUTTON, inDialog("Undo"))).isFocused();
      assertThat(browser.contentFaults(page)).isEmpty();
      assertThat(skuImg(product)).contains("/pictures/");
      page.keyboard().press("Enter");
      assertThat(dialog.getByRole(AriaRole.STATUS)).hasText("Undone.");
      assertThat(skuImg(product)).isEmpty();
      page.keyboard().press("Escape");
      assertThat(page.locator("td[data-row='0']").first()).isFocused();

      page.locator("tbody th")
          .evaluate(DROP, Base64.getEncoder().encodeToString(SamplePictures.png(Color.BLUE)));
      assertThat(dialog.getByRole(AriaRole.STATUS)).hasText("Saved.");
      page.keyboard().press("Escape");
      assertThat(page.locator("tbody th img"))
          .hasAttribute("src", Pattern.compile("/pictures/.*-80\\.png"));
    }
  }

  private static void choose(Page page, FilePayload... files) {
    page.locator("#pictures [type=file]").first().setInputFiles(files);
  }

  private static FilePayload file(String name, Color color) {
    return new FilePayload(name, "image/png", SamplePictures.png(color));
  }

  private static Locator pictures(Page page) {
    return page.locator(".picture-list li[data-address]");
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Locator.GetByRoleOptions inDialog(String name) {
    return new Locator.GetByRoleOptions().setName(name).setExact(true);
  }

  private List<String> images() {
    JsonNode detail = merchant.api().detail(merchant.productIds().getFirst()).json();
    return detail.at("/data/imgs").valueStream().map(JsonNode::asString).toList();
  }

  private String skuImg(int product) {
    return merchant.api().detail(product).json().at("/data/skus/0/skuImg").asString();
  }
}
