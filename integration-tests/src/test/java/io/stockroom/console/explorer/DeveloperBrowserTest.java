package io.stockroom.console.explorer;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The developer's pages in a real browser: tokens, calls, and the request checker. */
class DeveloperBrowserTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void issuesATokenThatIsShownOnceAndRevokesItByKeyboard() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/applications");
      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Listing tool")).click();
      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Issue token")).click();
      page.getByLabel("Store").fill("Shop 7");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Issue token")).click();

      String token = page.locator("#once-value").textContent();
      Assertions.assertThat(token).startsWith("srt_").hasSize(47);
      assertThat(browser.contentFaults(page)).isEmpty();
      page.locator("button[data-copy=once-value]").click();
      assertThat(page.locator("button[data-copy=once-value]")).containsText("✓ Copied");
      Assertions.assertThat(api.withToken(token).products("page=1").status()).isEqualTo(200);
      page.reload();
      assertThat(page).hasURL(Pattern.compile(".*/applications/" + api.appid()));
      assertThat(page.getByText("Shop 7")).isVisible();
      Assertions.assertThat(page.content()).doesNotContain(token);

      page.getByRole(
              AriaRole.LINK,
              new Page.GetByRoleOptions().setName("Revoke " + token.substring(0, 12)))
          .focus();
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.HEADING).first()).containsText("Revoke token");
      assertThat(browser.contentFaults(page)).isEmpty();
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Revoke token")).focus();
      page.keyboard().press("Enter");
      assertThat(page.getByText("Token revoked.")).isVisible();
      assertRefused(api.withToken(token), "TOKEN_REVOKED");
    }
  }

  @Test
  void makesACallWithAStoredApplicationAndShowsTheAnswer() {
    int product = merchant.product();
    api.create(Stock.one(product, "黑色", "36-37", 12));
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/explorer");
      page.locator("#call").selectOption("stock-list");
      productid(page).fill(Integer.toString(product));
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Send")).click();

      assertThat(page.locator("#status")).hasText("✓ 200");
      assertThat(page.locator("#answer-body")).containsText("\"color\": \"黑色\"");
      assertThat(page.locator("#request")).containsText("sign-method: hmac-sha256");
      assertThat(page.locator("#request")).containsText(Pattern.compile("sign: [0-9A-F]{4}…"));
      assertThat(page.locator("#request")).not().containsText(Pattern.compile("[0-9A-F]{32}"));
      assertThat(page.locator("#snippet")).containsText("productid=" + product);
      productid(page).fill("abc");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Send")).click();
      assertThat(page.locator("#status")).hasText("✗ 400");
      assertThat(page.locator("#code")).hasText("NUMBER_FORMAT");
      assertThat(page.locator("#means")).containsText("Every problem is listed");
      assertThat(browser.contentFaults(page)).isEmpty();
      Assertions.assertThat(page.content()).doesNotContain(api.secret());
    }
  }

  @Test
  void callsWithOwnCredentialsThatNeverReachTheConsole() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/explorer?call=usage");
      StringBuilder sent = new StringBuilder();
      page.onRequest(
          request -> {
            if (request.url().contains("/console/")) {
              sent.append(request.url()).append(request.postData());
            }
          });
      own(page, api.appid(), api.secret(), api.accesstoken());
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Send")).click();

      assertThat(page.locator("#status")).hasText("✓ 200");
      page.locator("#method").selectOption("hmac-sha256");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Send")).click();
      assertThat(page.locator("#status")).hasText("✓ 200");
      page.locator("#own-secret").fill("wrong");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Send")).click();
      assertThat(page.locator("#code")).hasText("CREDENTIALS_WRONG");
      assertThat(page.getByText("Find the cause")).isVisible();
      Assertions.assertThat(sent.toString()).doesNotContain(api.secret(), api.accesstoken());
      assertThat(browser.contentFaults(page)).isEmpty();
    }
  }

  /** The example uses a placeholder: the secret of a stored application stays on the server. */
  @Test
  void derivesAnExampleForAStoredApplication() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/explorer?call=stock-list");
      page.locator("#timestamp").fill("1700000000");

      assertThat(page.getByText("Example with the placeholders")).isVisible();
      assertThat(page.locator("#steps li code").first()).hasText("$SECRET1700000000");
      assertThat(page.locator("#sign")).hasText(Signature.sign("$SECRET", "1700000000"));
      assertThat(page.locator("#request")).not().containsText("1700000000");
      own(page, "app_1", "SECRET", "TOKEN");
      assertThat(page.getByText("Example with the placeholders")).isHidden();
    }
  }

  /** The values are from docs/signing.md, computed with md5sum and openssl. */
  @Test
  void derivesTheSignatureWhileTyping() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/explorer?call=stock-list");
      own(page, "app_1", "SECRET", "TOKEN");
      page.locator("#timestamp").fill("1700000000");
      productid(page).fill("1");

      Locator steps = page.locator("#steps li code");
      assertThat(steps.nth(0)).hasText("••••••••1700000000");
      assertThat(steps.nth(1)).hasText("8e3d1dfb59a019f78965d0b48925735b");
      assertThat(page.locator("#sign")).hasText("8E3D1DFB59A019F78965D0B48925735B");
      page.locator("#reveal").check();
      assertThat(steps.nth(0)).hasText("SECRET1700000000");
      page.locator("#method").selectOption("hmac-sha256");
      String request = page.locator("#request").textContent();
      String nonce = request.replaceFirst("(?s).*sign-nonce: ([0-9a-f]{32})\n.*", "$1");
      String text =
          Signature.signedText(
              "POST",
              "/Stock/List",
              "1700000000",
              "TOKEN",
              "productid=1".getBytes(StandardCharsets.UTF_8),
              nonce);
      assertThat(page.locator("#sign")).hasText(Signature.hmac("SECRET", text));
      page.locator("#own-secret").fill("密钥");
      page.locator("#timestamp").fill("1767225600");
      page.locator("#method").selectOption("md5");
      assertThat(page.locator("#sign")).hasText("DDF1F0422405B83223B6BDA3E0CAEFA9");
    }
  }

  @Test
  void buildsTheBodyOfACreate() {
    int product = merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/explorer?call=stock-create");
      Locator builder = page.locator("[data-builder=stock-create]");
      for (String size : new String[] {"36-37", "38"}) {
        builder.locator("[data-part=pid]").fill(Integer.toString(product));
        builder.locator("[data-part=color]").fill("red");
        builder.locator("[data-part=size]").fill(size);
        builder.locator("[data-part=stock]").fill("5");
        builder.locator("[data-add]").click();
      }
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Send")).click();

      assertThat(page.locator("#status")).hasText("✓ 200");
      Assertions.assertThat(merchant.entries()).isEqualTo(3);
    }
  }

  @Test
  void buildsTheBodyOfAnAdjustment() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "red", "36", 5));
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/explorer?call=stock-adjust");
      Locator builder = page.locator("[data-builder=stock-adjust]");
      builder.locator("[data-part=pid]").fill(Integer.toString(product));
      builder.locator("[data-part=color]").fill("red");
      builder.locator("[data-part=size]").fill("36");
      builder.locator("[data-part=change]").fill("-2");
      builder.locator("[data-add]").click();
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Send")).click();

      assertThat(page.locator("#status")).hasText("✓ 200");
      Assertions.assertThat(merchant.api().stock(product).data("stock")).containsExactly("3");
    }
  }

  @Test
  void theCheckerNamesMillisecondsAndLowerCase() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/explorer/check");
      page.locator("textarea")
          .fill(
              """
              curl http://localhost/Stock/List -H 'appid: %s' \\
                -H 'sign: 8e3d1dfb59a019f78965d0b48925735b' -H 'timestamp: 1700000000123' \\
                -H 'accesstoken: %s' -d productid=1
              """
                  .formatted(api.appid(), api.accesstoken()));
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Check")).click();

      assertThat(page.getByText("The timestamp is in milliseconds")).isVisible();
      assertThat(page.getByText("The signature is in lowercase")).isVisible();
      assertThat(browser.contentFaults(page)).isEmpty();
    }
  }

  /** A server caches credentials for half a second. */
  private static void assertRefused(Api api, String code) {
    Assertions.assertThat(
            Eventually.within(
                Duration.ofSeconds(2), () -> api.products("page=1").codes().contains(code)))
        .as(code)
        .isTrue();
  }

  /** The field of a call with one product; a call with many has a field of this name, too. */
  private static Locator productid(Page page) {
    return page.getByRole(AriaRole.COMBOBOX, new Page.GetByRoleOptions().setName("productid"));
  }

  private static void own(Page page, String appid, String secret, String token) {
    page.getByLabel("My own credentials").check();
    page.locator("#own-appid").fill(appid);
    page.locator("#own-secret").fill(secret);
    page.locator("#own-token").fill(token);
  }
}
