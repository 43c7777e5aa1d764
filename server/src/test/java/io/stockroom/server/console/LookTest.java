package io.stockroom.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every page in every look: accessible, from our own host, no wider than the screen. */
class LookTest {
  private static final String WIDER_THAN_THE_SCREEN =
      "() => document.documentElement.scrollWidth > document.documentElement.clientWidth";

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
            "/console/applications",
            "/console/applications/" + merchant.api().appid(),
            "/console/applications/" + merchant.api().appid() + "/tokens/new",
            "/console/explorer",
            "/console/explorer?call=stock-create",
            "/console/explorer/check",
            "/console/account",
            "/console/nothing-here");
    check(person, paths);
  }

  private static void check(TestPerson person, List<String> paths) {
    ConsoleBrowser.everyLook(person)
        .forEach(
            browser -> {
              try (browser) {
                for (String path : paths) {
                  Page page = browser.visit(path);
                  assertThat(browser.faults(page)).as(path).isEmpty();
                  assertThat(page.evaluate(WIDER_THAN_THE_SCREEN)).as(path).isEqualTo(false);
                }
              }
            });
  }

  @Test
  void everyPageOfAnOperatorIsAccessibleAndOursInEveryLook() {
    TestMerchant merchant = TestMerchant.fresh();
    TestPerson person = TestPerson.of(merchant);
    TestPerson operator = TestPerson.operator();
    String application = "/console/applications/" + merchant.api().appid();
    Reply planned =
        merchant
            .imports()
            .plan("products.csv", "货号,标题,价格,颜色,尺码,库存\nA1,Shoe,59,red,36,5\nA2,Boot,x,red,36,5\n");
    Reply failed = merchant.imports().plan("other.csv", "Ref,Text\nA1,Shoe\n");
    Admin.of(operator.server())
        .send(
            "PUT",
            "/admin/merchants/%d/limits".formatted(merchant.id()),
            "{\"limits.detail-per-day\":7}");
    List<String> paths =
        List.of(
            "/console/merchants",
            "/console/merchants?q=nothing+like+it",
            "/console/merchants/" + merchant.id(),
            "/console/people",
            "/console/people?q=nothing+like+it",
            "/console/people/" + person.id(),
            "/console/limits",
            "/console/audit",
            "/console/audit?actor=nobody+like+them",
            "/console/imports",
            "/console/imports?merchant=" + merchant.id(),
            importPath(merchant, planned),
            importPath(merchant, failed),
            application,
            application + "/tokens/new",
            application + "/rotate",
            "/console/health",
            "/console/requests");
    check(operator, paths);
  }

  private static String importPath(TestMerchant merchant, Reply planned) {
    return "/console/imports/%d/%d"
        .formatted(merchant.id(), planned.json().get("importId").asInt());
  }
}
