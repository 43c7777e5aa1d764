package io.stockroom.console.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.WebhookReceiver;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WebhookPagesTest {
  private static final String LIST = "/console/webhooks";
  private static final Pattern SECRET = Pattern.compile("class=\"secret\">(whsec_[^<]+)<");
  private static final Pattern ID = Pattern.compile("<code>(wh_[0-9a-f]{32})</code>");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages mine = Pages.of(person);

  @Test
  void createsTestsReplaysAndDeletesAWebhook() {
    int product = merchant.product();
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      HttpResponse<String> created = mine.post(LIST, "url", receiver.url(), "kind", "stock");
      String secret = found(SECRET, created);
      String page = LIST + "/" + found(ID, created);
      assertThat(mine.get(LIST).body()).contains(receiver.url(), "Active").doesNotContain(secret);

      assertThat(mine.post(page + "/test").headers().firstValue("Location"))
          .contains(page + "?done=tested");
      assertThat(receiver.await(1).type()).isEqualTo("test");
      assertThat(receiver.await(1).isSignedWith(secret)).isTrue();
      assertThat(mine.get(page + "?done=tested").body())
          .contains("The receiver accepted the test", "webhook-id: ");

      merchant.api().create(Stock.one(product, "red", "36", 5));
      receiver.await(2);
      assertThat(mine.post(page + "/replay", "time", "2020-01-01T00:00").statusCode())
          .isEqualTo(302);
      assertThat(receiver.await(3).numbers()).isEqualTo(receiver.all().get(1).numbers());
      assertThat(mine.post(page + "/replay", "after", "latest").statusCode()).isEqualTo(302);

      assertThat(mine.get(page + "/delete").body()).contains("You cannot undo this");
      assertThat(mine.post(page + "/delete").statusCode()).isEqualTo(302);
      assertThat(mine.get(page).statusCode()).isEqualTo(404);
      assertThat(mine.get(LIST + "?done=deleted").body()).contains("Webhook deleted");
    }
    assertThat(merchant.texts("select action from audit where merchant_id = ? order by number"))
        .endsWith("webhook.replay", "webhook.replay", "webhook.delete")
        .contains("webhook.create", "webhook.test");
    assertThat(merchant.texts("select actor from audit where merchant_id = ? order by number"))
        .endsWith("person " + person.email());
  }

  @Test
  void replaysAFailingWebhookAtOnce() {
    int product = merchant.product();
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      receiver.answer(500);
      String page = LIST + "/" + found(ID, mine.post(LIST, "url", receiver.url(), "kind", "stock"));
      merchant.api().create(Stock.one(product, "red", "36", 5));
      assertThat(
              Eventually.within(
                  Duration.ofSeconds(20),
                  () -> mine.get(page).body().contains("Deliveries have failed since")))
          .isTrue();
      receiver.hold();

      assertThat(mine.post(page + "/replay", "time", "2020-01-01T00:00").statusCode())
          .isEqualTo(302);

      // no time of a next attempt: it is now
      assertThat(mine.get(page + "?done=replayed").body())
          .contains("The changes are being delivered again.", "Failing", "</html>")
          .doesNotContain("Deliveries have failed since");
      receiver.resume();
    }
  }

  @Test
  void rotatesTheSecretAndShowsItOnce() {
    HttpResponse<String> created = create();
    String page = LIST + "/" + found(ID, created);
    assertThat(mine.get(page + "/rotate").body()).contains("For 24 hours");

    HttpResponse<String> rotated = mine.post(page + "/rotate");

    assertThat(found(SECRET, rotated)).isNotEqualTo(found(SECRET, created));
    assertThat(mine.get(page).body())
        .contains("also signs until")
        .doesNotContain(found(SECRET, rotated));
  }

  @Test
  void disablesAndEnablesAndSaysWhatToDo() {
    String page = LIST + "/" + found(ID, create());

    assertThat(mine.post(page + "/disable").statusCode()).isEqualTo(302);
    assertThat(mine.get(page).body())
        .contains("Disabled by a person or an application. Enable it to continue");
    assertThat(mine.post(page + "/enable").statusCode()).isEqualTo(302);
    assertThat(mine.get(page).body()).contains("Active").doesNotContain("Disabled by");
  }

  @Test
  void tellsAboutAFailedTest() {
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      receiver.answer(500);
      String page = LIST + "/" + found(ID, mine.post(LIST, "url", receiver.url(), "kind", "stock"));

      assertThat(mine.post(page + "/test").headers().firstValue("Location"))
          .contains(page + "?done=test-failed");
      assertThat(mine.get(page + "?done=test-failed").body()).contains("The test failed", ">500<");
    }
  }

  @Test
  void rejectsAnInvalidFormBesideItsFieldAndKeepsItsValues() {
    HttpResponse<String> scheme = mine.post(LIST, "url", "ftp://a.example/x", "kind", "product");
    assertThat(scheme.statusCode()).isEqualTo(422);
    assertThat(scheme.body())
        .contains("id=\"url-problem\"", "it must start with https://")
        .contains("value=\"ftp://a.example/x\"")
        .containsPattern("value=\"product\" checked")
        .doesNotContainPattern("value=\"stock\" checked");

    assertThat(mine.post(LIST, "url", "https://no-such-host.invalid/", "kind", "stock").body())
        .contains("has no public address");
    HttpResponse<String> nothing = mine.post(LIST, "url", "https://a.example");
    assertThat(nothing.statusCode()).isEqualTo(422);
    assertThat(nothing.body())
        .contains("Select at least one kind of change", "value=\"https://a.example\"");
    assertThat(merchant.texts("select webhook_id from webhook where merchant_id = ?")).isEmpty();
  }

  @Test
  void rejectsAReplayWithoutAPlaceToStart() {
    String page = LIST + "/" + found(ID, create());

    assertThat(mine.post(page + "/replay", "time", "", "after", "").body())
        .contains("Enter a time or a cursor.</p>");
    HttpResponse<String> cursor = mine.post(page + "/replay", "after", "c_wrong");
    assertThat(cursor.statusCode()).isEqualTo(422);
    assertThat(cursor.body()).contains("is not a cursor of this merchant", "value=\"c_wrong\"");
    assertThat(mine.get(page + "?page=-1").statusCode()).isEqualTo(200);
  }

  /** Without changes it sends nothing. */
  private HttpResponse<String> create() {
    return mine.post(LIST, "url", "https://127.0.0.1/in", "kind", "stock", "kind", "product");
  }

  private static String found(Pattern pattern, HttpResponse<String> page) {
    Matcher matcher = pattern.matcher(page.body());
    assertThat(matcher.find()).as(page.body()).isTrue();
    return matcher.group(1);
  }
}
