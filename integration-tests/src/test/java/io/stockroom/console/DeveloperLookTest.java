package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The look of the developer's pages: tokens, explorer, checker, usage and request log. */
class DeveloperLookTest {
  /** Selects measured or counted values on the usage and request log pages. */
  static final String MEASURED =
      "table.programs td:nth-child(4), .plot p, .plot .field, .plot td, .took, .usage td.number, .request .facts div:nth-child(2) dd, #millis, .wire > span:nth-of-type(2), "
          + "[data-call=stock-list] input";

  private static final String USED =
      "select last_used_at is not null from access_token where merchant_id = ?";

  private static final Duration SOON = Duration.ofSeconds(30);

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void pagesOfDevelopersLookAsTheyShould() {
    Api api = merchant.api();
    int product = merchant.product();
    api.create(Stock.one(product, "黑色", "36-40", 12));
    api.detail(product);
    api.products("page=x");
    Reply call = api.stock(product);
    Logged.await(merchant, call);
    Logged.awaitCalls(merchant, 5);
    assertThat(Eventually.within(SOON, () -> merchant.texts(USED).equals(List.of("t")))).isTrue();
    TestPerson beginner = TestPerson.of(TestMerchant.fresh());
    // its own calls and tokens, so they appear in no other scene
    TestMerchant busy = TestMerchant.fresh();
    int other = busy.product();
    busy.api().create(Stock.one(other, "黑色", "36-40", 12));
    TestPerson tester = TestPerson.of(busy);
    String tried = "/console/applications/" + busy.api().appid();
    String application = "/console/applications/" + api.appid();
    String token = "/tokens/%d/%s".formatted(merchant.id(), api.accesstoken().substring(0, 12));

    List<LookScene> scenes =
        List.of(
            LookScene.of("applications", person, "/console/applications"),
            LookScene.of("application", person, application),
            LookScene.of("token-new", person, application + "/tokens/new"),
            LookScene.of("token-once", tester, tried + "/tokens/new")
                .then(DeveloperLookTest::issue)
                .withoutAxe(),
            LookScene.of("token-rotate", person, application + token + "/rotate"),
            LookScene.of("token-revoke", person, application + token + "/revoke"),
            LookScene.of("explorer", person, "/console/explorer").then(DeveloperLookTest::whole),
            LookScene.of("explorer-create", person, "/console/explorer?call=stock-create")
                .then(DeveloperLookTest::whole),
            LookScene.of("explorer-answer", tester, "/console/explorer?call=stock-list")
                .then(page -> send(page, other))
                .withoutAxe(),
            LookScene.of("checker", person, "/console/explorer/check"),
            LookScene.of("checker-found", person, "/console/explorer/check")
                .then(DeveloperLookTest::find)
                .withoutAxe(),
            LookScene.of("usage", person, "/console/usage"),
            LookScene.of("usage-empty", beginner, "/console/usage").withoutAxe(),
            LookScene.of("requests", person, "/console/requests"),
            LookScene.of("requests-empty", beginner, "/console/requests").withoutAxe(),
            LookScene.of("requests-nothing", person, "/console/requests?outcome=failed")
                .withoutAxe(),
            LookScene.of("request", person, "/console/requests/" + Logged.id(call)));

    Looks.check(
        "developers",
        merchant.server(),
        scenes.stream()
            .map(scene -> scene.measured(MEASURED).same(merchant.server().port(), "8080"))
            .toList());
  }

  /** The code sample loads after the page. */
  private static void whole(Page page) {
    page.locator("#snippet:not(:empty)").waitFor();
  }

  private static void issue(Page page) {
    page.locator("main button.main").click();
    page.locator("#once-value").waitFor();
  }

  private static void send(Page page, int product) {
    page.locator("[data-call=stock-list] input").fill(Integer.toString(product));
    page.locator("button.send").click();
    page.locator("#status:not(:empty)").waitFor();
    whole(page);
  }

  private static void find(Page page) {
    page.locator("textarea")
        .fill(
            """
            curl http://localhost/Stock/List -H 'appid: app_1' \\
              -H 'sign: 8e3d1dfb59a019f78965d0b48925735b' -H 'timestamp: 1700000000123' \\
              -H 'accesstoken: srt_1' -d productid=1
            """);
    page.locator("main button.main").click();
    page.locator(".finding").first().waitFor();
  }
}
