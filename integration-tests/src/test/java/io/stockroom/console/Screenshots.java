package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.LoadState;
import com.microsoft.playwright.options.ScreenshotScale;
import io.stockroom.demo.Demo;
import io.stockroom.demo.DemoSeeder;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes the screenshots of the docs; only {@code lab/screenshots} runs it. */
class Screenshots {
  private static final Path PICTURES = Path.of("../docs/pictures");
  private static final long MAX_BYTES = 150_000;
  private static final Duration SOON = Duration.ofSeconds(10);

  private enum Visitor {
    MERCHANT,
    OPERATOR
  }

  private enum Look {
    LIGHT,
    DARK_PHONE,
    CHINESE_DARK,
    CHINESE_PHONE;

    ConsoleBrowser of(ConsoleBrowser browser) {
      return switch (this) {
        case LIGHT -> browser;
        case DARK_PHONE -> browser.dark().phone();
        case CHINESE_DARK -> browser.chinese().dark();
        case CHINESE_PHONE -> browser.chinese().phone();
      };
    }
  }

  /** {@code PRODUCT} in a path is replaced with the id of a product with stock. */
  private record Shot(String name, Visitor visitor, String path, Look look) {}

  /** To add a screenshot, add a line. */
  private static final List<Shot> SHOTS =
      List.of(
          new Shot("products", Visitor.MERCHANT, "/console/products", Look.LIGHT),
          new Shot("products-zh-dark", Visitor.MERCHANT, "/console/products", Look.CHINESE_DARK),
          new Shot("products-phone", Visitor.MERCHANT, "/console/products", Look.DARK_PHONE),
          new Shot("product", Visitor.MERCHANT, "PRODUCT", Look.LIGHT),
          new Shot("product-phone-zh", Visitor.MERCHANT, "PRODUCT", Look.CHINESE_PHONE),
          new Shot("stock", Visitor.MERCHANT, "PRODUCT/stock", Look.LIGHT),
          new Shot("stock-phone-zh", Visitor.MERCHANT, "PRODUCT/stock", Look.CHINESE_PHONE),
          new Shot("imports", Visitor.MERCHANT, "/console/imports", Look.LIGHT),
          new Shot("applications", Visitor.MERCHANT, "/console/applications", Look.LIGHT),
          new Shot("usage", Visitor.MERCHANT, "/console/usage", Look.LIGHT),
          new Shot("usage-phone-zh", Visitor.MERCHANT, "/console/usage", Look.CHINESE_PHONE),
          new Shot("requests", Visitor.MERCHANT, "/console/requests", Look.LIGHT),
          new Shot("explorer", Visitor.MERCHANT, "/console/explorer", Look.LIGHT),
          new Shot("explorer-zh-dark", Visitor.MERCHANT, "/console/explorer", Look.CHINESE_DARK),
          new Shot("checker", Visitor.MERCHANT, "/console/explorer/check", Look.LIGHT),
          new Shot("merchants", Visitor.OPERATOR, "/console/merchants", Look.LIGHT),
          new Shot("people", Visitor.OPERATOR, "/console/people", Look.LIGHT),
          new Shot("limits", Visitor.OPERATOR, "/console/limits", Look.LIGHT),
          new Shot("audit", Visitor.OPERATOR, "/console/audit", Look.LIGHT),
          new Shot("health", Visitor.OPERATOR, "/console/health", Look.LIGHT),
          new Shot("account", Visitor.OPERATOR, "/console/account", Look.LIGHT));

  @Test
  void takesThePicturesOfTheDocs(@TempDir Path folder) throws Exception {
    Files.createDirectories(PICTURES);
    try (ScratchDatabase database = new ScratchDatabase();
        Stockroom stockroom = database.serve(folder, "PT2S")) {
      DemoSeeder.Seeded merchant = stockroom.demo().seed(stockroom.baseUrl()).getFirst();
      call(stockroom, merchant);
      String product = "/console/products/" + merchant.stockedProductId();
      for (Shot shot : SHOTS) {
        String link =
            switch (shot.visitor()) {
              case MERCHANT -> stockroom.demo().merchantLink(merchant.merchantId());
              case OPERATOR -> stockroom.demo().operatorLink();
            };
        try (ConsoleBrowser browser = shot.look().of(ConsoleBrowser.on(TestServer.of(stockroom)))) {
          browser.open(link).locator("button.main").click();
          take(browser.open(shot.path().replace("PRODUCT", product)), shot.name());
        }
      }
    }
  }

  /** Makes calls like an application, so usage, request log and health show data. */
  private static void call(Stockroom stockroom, DemoSeeder.Seeded merchant) throws Exception {
    Demo.Access access = stockroom.demo().newAccess(merchant.merchantId());
    Api api =
        Api.of(TestServer.of(stockroom), access.appid(), access.secret(), access.accesstoken());
    for (int page = 1; page <= 5; page++) {
      api.products("page=" + page);
    }
    int product = merchant.stockedProductId();
    for (int i = 0; i < 40; i++) {
      api.stock(product + i);
    }
    api.create(Stock.one(merchant.bareProductId(), "红色", "36-40", 20));
    api.detail(product);
    Reply last = api.products("page=x");
    assertThat(Eventually.within(SOON, () -> isLogged(stockroom, Logged.id(last)))).isTrue();
  }

  private static boolean isLogged(Stockroom stockroom, String requestId) {
    try {
      return TestServer.of(stockroom)
          .database()
          .read(
              connection -> {
                try (PreparedStatement statement =
                    connection.prepareStatement("select 1 from request_log where request_id = ?")) {
                  statement.setString(1, requestId);
                  return statement.executeQuery().next();
                }
              });
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static void take(Page page, String name) throws Exception {
    page.waitForLoadState(LoadState.NETWORKIDLE);
    Path file = PICTURES.resolve(name + ".png");
    byte[] png = page.screenshot(new Page.ScreenshotOptions().setScale(ScreenshotScale.CSS));
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    ImageIO.write(FewColors.of(image), "png", file.toFile());
    assertThat(Files.size(file)).as(name).isLessThan(MAX_BYTES);
  }
}
