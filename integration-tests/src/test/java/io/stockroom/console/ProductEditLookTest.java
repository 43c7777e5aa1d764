package io.stockroom.console;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.SamplePictures;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.awt.Color;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The look of the pages that edit, archive and change products in bulk. */
class ProductEditLookTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void editingLooksAsItShould() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"Canvas shoe","price":59}
        {"artNo":"A2","title":"Boot","price":99}
        {"artNo":"A3","title":"女士 透气 网面 休闲 运动鞋 春季 新款 平底 百搭 系带","price":7.2}
        """);
    List<Integer> ids = merchant.productIds();
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(ids.get(0), "black", Stock.size("36-44", 12)),
                Stock.group(ids.get(0), "白色", Stock.size("37-38", 4)),
                Stock.group(ids.get(1), "black", Stock.size("38-42", 3)),
                Stock.group(ids.get(2), "red", Stock.size("36", 5))));
    Pages.of(person).post("/console/products/" + ids.get(2) + "/archive");

    Looks.check(
        "product-editing",
        merchant.server(),
        List.of(
            LookScene.of("product-form-wrong", person, "/console/products/new")
                .then(ProductEditLookTest::fill),
            LookScene.of(
                    "product-form-pictures", person, "/console/products/" + ids.get(0) + "/edit")
                .then(ProductEditLookTest::upload),
            LookScene.of("grid-picture", person, "/console/products/" + ids.get(0) + "/stock")
                .then(ProductEditLookTest::showColorPicture),
            LookScene.of("products-archived", person, "/console/products/archived")
                .measured("time"),
            LookScene.of("product-archived", person, "/console/products/" + ids.get(2))
                .measured(".card > p:first-child span:last-child"),
            LookScene.of("bulk-preview", person, "/console/products")
                .then(ProductEditLookTest::preview),
            LookScene.of("grid-removing", person, "/console/products/" + ids.get(0) + "/stock")
                .then(ProductEditLookTest::remove)));
  }

  private static void fill(Page page) {
    page.locator("[name=artNo]").fill("A9");
    page.locator("[name=price]").fill("5,90");
    page.locator("#pictures summary").click();
    page.locator("[name=imgs]").fill("https://p.example/1.jpg\nshoe.jpg");
    page.locator("main button.main").click();
    page.locator("#price-problem").waitFor();
  }

  private static void upload(Page page) {
    page.locator("#pictures [type=file]")
        .first()
        .setInputFiles(
            new FilePayload[] {
              file("red.png", SamplePictures.png(Color.RED)),
              file("shoe.jpg", new byte[] {1, 2, 3}),
              file("blue.png", SamplePictures.png(Color.BLUE))
            });
    page.locator(".color-pictures [type=file]")
        .first()
        .setInputFiles(file("black.png", SamplePictures.png(Color.BLACK)));
    page.locator(".picture-list .problem").waitFor();
    page.locator(".color-pictures li > img").waitFor();
    page.waitForCondition(() -> page.locator(".picture-list li img").count() == 2);
    // which of them came last differs, and the addresses have the port of the server
    page.evaluate(
        """
        () => {
          document.querySelector(".moved").textContent = "";
          document.querySelector("[name=colorImage]").value = "https://shop.example/pictures/black.png";
          document.activeElement.blur();
          scrollTo(0, 0);
        }
        """);
  }

  private static void showColorPicture(Page page) {
    page.locator("[data-do=picture]").click();
    page.locator("#grid-picture [type=file]")
        .first()
        .setInputFiles(file("red.png", SamplePictures.png(Color.RED)));
    page.locator("#grid-picture .undo").waitFor();
  }

  private static FilePayload file(String name, byte[] content) {
    return new FilePayload(name, "image/png", content);
  }

  private static void preview(Page page) {
    page.locator("[name=product]").first().check();
    page.locator("[name=product]").nth(1).check();
    page.locator("#selection-bar .main").click();
    page.locator("[value=subtract]").check();
    page.locator("[name=value]").fill("4");
    page.locator("main button.main").click();
    page.locator(".preview-of-edit").waitFor();
    // the page begins at the preview; pictures begin at the top
    page.evaluate("scrollTo(0, 0)");
  }

  private static void remove(Page page) {
    page.locator("#grid-remove-menu summary").click();
    page.locator("[data-do=remove-color]").click();
    page.locator("#grid-remove [type=submit]").click();
    page.locator("#grid-bar .main").waitFor();
  }
}
