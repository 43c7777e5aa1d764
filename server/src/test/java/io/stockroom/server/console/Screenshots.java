package io.stockroom.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.LoadState;
import io.stockroom.server.Stockroom;
import io.stockroom.server.demo.DemoSeeder;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes the pictures of the docs; run by {@code docs/screenshots}, and by no other test run. */
class Screenshots {
  private static final Path PICTURES = Path.of("../docs/pictures");
  private static final long MOST_BYTES = 150_000;

  @Test
  void takesThePicturesOfTheDocs(@TempDir Path folder) throws Exception {
    Files.createDirectories(PICTURES);
    try (ScratchDatabase database = new ScratchDatabase();
        Stockroom stockroom = database.serve(folder)) {
      DemoSeeder.Seeded merchant = stockroom.demo().seed(stockroom.baseUrl()).getFirst();
      String product = "/console/products/" + merchant.stockedProductId();
      TestServer server = TestServer.of(stockroom);

      take(ConsoleBrowser.on(server), signIn(stockroom, merchant), "/console/products", "products");
      take(
          ConsoleBrowser.on(server).chinese().dark(),
          signIn(stockroom, merchant),
          "/console/products",
          "products-zh-dark");
      take(
          ConsoleBrowser.on(server).dark().phone(),
          signIn(stockroom, merchant),
          "/console/products",
          "products-phone");
      take(ConsoleBrowser.on(server), signIn(stockroom, merchant), product, "product");
      take(
          ConsoleBrowser.on(server).chinese().phone(),
          signIn(stockroom, merchant),
          product,
          "product-phone-zh");
    }
  }

  private static String signIn(Stockroom stockroom, DemoSeeder.Seeded merchant) throws Exception {
    return stockroom.demo().merchantLink(merchant.merchantId());
  }

  private static void take(ConsoleBrowser browser, String link, String path, String name)
      throws Exception {
    try (browser) {
      browser.open(link).locator("button.main").click();
      Page page = browser.open(path);
      page.waitForLoadState(LoadState.NETWORKIDLE);
      Path file = PICTURES.resolve(name + ".png");
      page.screenshot(new Page.ScreenshotOptions().setPath(file));
      assertThat(Files.size(file)).as(name).isLessThan(MOST_BYTES);
    }
  }
}
