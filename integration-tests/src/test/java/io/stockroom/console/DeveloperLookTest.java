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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The look of the developer's pages: tokens, explorer, checker, usage and request log. */
class DeveloperLookTest {
  /** Selects measured or counted values on the usage and request log pages. */
  static final String MEASURED =
      "table.programs td:nth-child(4), .webhooks table.list td:nth-child(4), .plot p, .plot .field, .plot td, .took, .cursor, td.actor, td.id, .usage td.number, .request .facts div:nth-child(2) dd, #millis, .wire > span:nth-of-type(2), "
          + "[data-call=stock-list] input";

  private static final String USED =
      "select last_used_at is not null from access_token where merchant_id = ?";

  /** An active, a failing and a disabled webhook, at fixed times; none has anything to deliver. */
  private static final String WEBHOOKS =
      """
      with made as (
        insert into webhook (merchant_id, webhook_id, url, kinds, secret, created_at, position,
          state, attempts, failing_since, next_attempt_at, disabled_reason)
        select ?, ('00000000-0000-0000-0000-00000000000' || n)::uuid, url, kinds, '',
          '2026-01-02 03:04Z', (select last_change from log_head where merchant_id = ?), state,
          attempts, failing_since, next_attempt_at, disabled_reason
        from (values
          (1, 'https://shop.example/stock-changes', '{stock}'::text[], 'active', 0,
           null::timestamptz, '-infinity'::timestamptz, null),
          (2, 'https://erp.example/webhooks/stockroom/with/a/path/that/is/rather/long', '{stock,product}', 'failing', 3,
           '2026-01-02 03:04Z', '2126-01-02 05:04Z', null),
          (3, 'http://old.example/in', '{product}', 'disabled', 9, '2026-01-02 03:04Z',
           '-infinity', 'failures'))
          w (n, url, kinds, state, attempts, failing_since, next_attempt_at, disabled_reason)
        returning 1
      )
      select count(*) from made
      """;

  /** Now: older deliveries would be deleted. */
  private static final String DELIVERIES =
      """
      with made as (
        insert into webhook_delivery (merchant_id, webhook_id, number, at, type, message_id,
          attempt, first_change, last_change, status, error, detail, millis, request_headers,
          request_body, response_headers, response_body)
        select ?, ('00000000-0000-0000-0000-00000000000' || n)::uuid, number, now(),
          case when first is null then 'test' else 'changes' end,
          '00000000-0000-0000-0000-000000000009', attempt, first, last, status, error, detail, 12,
          'content-type: application/json', '{"type":"changes","data":{"changes":[]}}',
          case when status is null then '' else 'content-type: text/plain' end,
          case when status is null then '' else 'thank you' end
        from (values
          (1, 1, 1, null::int, null::int, 204, '', ''),
          (1, 2, 1, 3, 9, 200, '', ''),
          (2, 1, 1, 3, 9, 500, 'status', '500'),
          (2, 2, 2, 3, 9, null, 'timeout', 'no complete response'))
          d (n, number, attempt, first, last, status, error, detail)
        returning 1
      )
      select count(*) from made
      """;

  private static final Duration SOON = Duration.ofSeconds(30);

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);

  /** Their secrets are empty, so the server's key could not be replaced in a later test. */
  @AfterEach
  void removeWebhooks() {
    for (String table : List.of("webhook_delivery", "webhook")) {
      merchant.texts(
          "with gone as (delete from %s where merchant_id = ? returning 1) select count(*) from gone"
              .formatted(table));
    }
  }

  @Test
  void pagesOfDevelopersLookAsTheyShould() {
    Api api = merchant.api();
    int product = merchant.importedProducts(1).getFirst();
    api.create(Stock.one(product, "黑色", "36-40", 12));
    api.detail(product);
    api.products("page=x");
    Reply call = api.stock(product);
    Logged.await(merchant, call);
    Logged.awaitCalls(merchant, 5);
    assertThat(Eventually.within(SOON, () -> merchant.inDirectory(USED).equals(List.of("t"))))
        .isTrue();
    merchant.texts(WEBHOOKS);
    merchant.texts(DELIVERIES);
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
            LookScene.of("webhooks", person, "/console/webhooks"),
            LookScene.of("webhooks-empty", beginner, "/console/webhooks"),
            LookScene.of("webhook-once", tester, "/console/webhooks")
                .then(DeveloperLookTest::create),
            LookScene.of("webhook", person, webhook(1))
                .then(page -> page.locator(".deliveries summary").first().click()),
            LookScene.of("webhook-failing", person, webhook(2)),
            LookScene.of("webhook-disabled", person, webhook(3)),
            LookScene.of("webhook-delete", person, webhook(3) + "/delete"),
            LookScene.of("changes", person, "/console/changes"),
            LookScene.of("usage", person, "/console/usage"),
            LookScene.of("requests", person, "/console/requests"),
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

  private static String webhook(int number) {
    return "/console/webhooks/wh_" + "0".repeat(31) + number;
  }

  /** It never receives anything: its merchant makes no further changes. */
  private static void create(Page page) {
    page.locator("#new").fill("https://127.0.0.1/in");
    page.locator(".form button.main").click();
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
