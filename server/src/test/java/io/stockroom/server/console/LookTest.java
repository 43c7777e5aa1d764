package io.stockroom.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
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
    merchant.api().detail(product);
    merchant.api().products("page=x");
    Reply call = merchant.api().stock(product);
    Logged.await(merchant, call);
    TestPerson person = TestPerson.of(merchant);
    List<String> paths =
        List.of(
            "/console/products",
            "/console/products?q=nothing+like+it",
            "/console/products/" + product,
            "/console/products/" + product + "/stock",
            "/console/usage",
            "/console/requests",
            "/console/requests/" + Logged.id(call),
            "/console/account",
            "/console/nothing-here");
    check(person, paths);
    check(TestPerson.operator(), List.of("/console/health", "/console/requests"));
  }

  private static void check(TestPerson person, List<String> paths) {
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
}
