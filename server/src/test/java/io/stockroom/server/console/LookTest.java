package io.stockroom.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every page in every look: accessible, from our own host, within bounds. */
class LookTest {
  @Test
  void everyPageIsAccessibleAndOursInEveryLook() {
    TestMerchant merchant = TestMerchant.fresh();
    int product = merchant.products(3).getFirst();
    merchant.api().create(Stock.one(product, "黑色", "36-40", 12));
    TestPerson person = TestPerson.of(merchant);
    List<String> paths =
        List.of(
            "/console/products",
            "/console/products?q=nothing+like+it",
            "/console/products/" + product,
            "/console/products/" + product + "/stock",
            // applications and explorer
            "/console/applications",
            "/console/applications/" + merchant.api().appid(),
            "/console/applications/" + merchant.api().appid() + "/tokens/new",
            "/console/explorer",
            "/console/explorer?call=stock-create",
            "/console/explorer/check",
            "/console/account",
            "/console/nothing-here");
    ConsoleBrowser.everyLook(person)
        .forEach(
            browser -> {
              try (browser) {
                for (String path : paths) {
                  Page page = browser.open(path);
                  assertThat(browser.faults(page)).as(path).isEmpty();
                }
              }
            });
  }

  @Test
  void theOperatorsPagesOfApplicationsAreAccessibleInEveryLook() {
    TestMerchant merchant = TestMerchant.fresh();
    String application = "/console/applications/" + merchant.api().appid();
    ConsoleBrowser.everyLook(TestPerson.operator())
        .forEach(
            browser -> {
              try (browser) {
                for (String path :
                    List.of(application, application + "/tokens/new", application + "/rotate")) {
                  Page page = browser.open(path);
                  assertThat(browser.faults(page)).as(path).isEmpty();
                }
              }
            });
  }
}
