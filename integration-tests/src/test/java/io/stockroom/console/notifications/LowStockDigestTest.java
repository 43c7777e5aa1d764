package io.stockroom.console.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.console.mail.MailServer;
import io.stockroom.console.mail.Mails;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.access.SecretKeys;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.LowProducts;
import io.stockroom.core.database.Cells;
import io.stockroom.core.settings.MailSecurity;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.webhooks.SteppedClock;
import io.stockroom.protocol.Language;
import io.stockroom.server.testing.MailReceiver;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What became low or sold out: in the console, and as a daily digest. */
class LowStockDigestTest {
  private final TestServer server = MailReceiver.server();
  private final MailReceiver receiver = MailReceiver.shared();
  private final SteppedClock clock = new SteppedClock();
  private final TestMerchant merchant = TestMerchant.on(server);
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages pages = Pages.of(person);

  /** Its clock decides when a digest is due; its mails go to the queue of the server. */
  private LowStockDigest digest() {
    Cells cells = server.cells();
    SecretKeys key = SecretKeys.ofFile(server.dataFolder().resolve("secret.key"));
    Credentials credentials =
        new Credentials(cells, new SecretBox(key::read), Settings.with(Map.of()));
    MailServer address =
        new MailServer("localhost", 1, MailSecurity.NONE, "", "", "", "http://stockroom.example");
    Mails mails =
        new Mails(cells.directory(), credentials, new Audit(cells), Clock.systemUTC(), address);
    return new LowStockDigest(cells.directory(), new LowProducts(cells), mails, clock);
  }

  private void subscribe(String language) {
    assertThat(
            pages
                .post(
                    "/console/notifications",
                    "digest",
                    "true",
                    "hour",
                    "8",
                    "zone",
                    "Asia/Shanghai",
                    "language",
                    language)
                .statusCode())
        .isEqualTo(302);
  }

  private void stock(int product, int quantity) {
    merchant.api().create(Stock.one(product, "red", "36", quantity));
  }

  @Test
  void mailsOnceADayWhatBecameLow() throws SQLException {
    List<Integer> products = merchant.products(3);
    stock(products.get(0), 2);
    subscribe("en");
    stock(products.get(1), 4);
    stock(products.get(2), 5);
    LowStockDigest digest = digest();

    digest.queueDue();
    assertThat(digestsQueued()).as("before the hour").isZero();
    clock.step(Duration.ofDays(1));
    digest.queueDue();
    digest.queueDue();
    MailReceiver.Received first = receiver.await(person.email(), 1);
    assertThat(digestsQueued()).as("once").isEqualTo(1);
    assertThat(first.subject()).isEqualTo("1 product is low or sold out at Merchant");
    assertThat(first.text())
        .contains(
            "- A2 · Shoe A2 <http://stockroom.example/console/products/%d/stock>"
                .formatted(products.get(1)))
        .doesNotContain("A1")
        .doesNotContain("A3");
    assertThat(first.header("List-Unsubscribe-Post")).isEqualTo("List-Unsubscribe=One-Click");

    clock.step(Duration.ofDays(1));
    digest.queueDue();
    assertThat(digestsQueued()).as("nothing changed").isEqualTo(1);
    stock(products.get(1), 0);
    stock(products.get(0), 50);
    stock(products.get(2), 3);
    clock.step(Duration.ofDays(1));
    digest.queueDue();
    assertThat(receiver.await(person.email(), 2).text())
        .containsSubsequence("Sold out", "A2", "Low", "A3")
        .doesNotContain("A1");
    stock(products.get(1), 1);
    clock.step(Duration.ofDays(1));
    digest.queueDue();
    assertThat(digestsQueued()).as("from sold out to low").isEqualTo(2);
  }

  @Test
  void anyoneWithTheMailCanEndIt() throws SQLException {
    int product = merchant.product();
    subscribe("zh");
    stock(product, 1);
    clock.step(Duration.ofDays(1));
    digest().queueDue();
    MailReceiver.Received mail = receiver.await(person.email(), 1);
    assertThat(mail.subject()).isEqualTo("Merchant 有 1 个商品库存偏低或售罄");
    String path = mail.header("List-Unsubscribe").replaceAll("^<http://stockroom.example|>$", "");

    assertThat(Pages.on(server).get(path).body()).contains(person.email());
    HttpResponse<String> ended =
        Pages.on(server).without("Origin").post(path, "List-Unsubscribe", "One-Click");
    assertThat(ended.statusCode()).isEqualTo(200);
    assertThat(pages.get("/console/notifications").body()).doesNotContain("checked");
    stock(product, 0);
    clock.step(Duration.ofDays(1));
    digest().queueDue();
    assertThat(digestsQueued()).isEqualTo(1);
    assertThat(Pages.on(server).get("/console/unsubscribe/x").statusCode()).isEqualTo(404);
  }

  @Test
  void theOverviewShowsWhatIsNewUntilItIsMarkedAsSeen() {
    int product = merchant.product();
    stock(product, 3);
    String first = pages.get("/console/overview").body();
    assertThat(first).contains("1 product became low or sold out");
    String until = first.replaceAll("(?s).*name=\"until\" value=\"([^\"]+)\".*", "$1");

    assertThat(
            pages
                .post("/console/notifications/seen", "until", until, "next", "overview")
                .headers()
                .firstValue("Location"))
        .hasValue("/console/overview");
    assertThat(pages.get("/console/overview").body()).doesNotContain("became low or sold out");
    pages.post("/console/notifications/seen", "until", "9999-01-01T00:00:00Z");
    stock(product, 0);
    assertThat(pages.get("/console/notifications").body())
        .contains("1 product became low or sold out")
        .contains("Shoe A1");
  }

  @Test
  void proposesThePersonsTimeZoneAndLanguageAlsoAfterMarkingAsSeen() {
    pages.post("/console/notifications/seen", "until", "2026-01-01T00:00:00Z");
    pages.post(
        "/console/account/preferences", "language", "zh", "theme", "auto", "zone", "Asia/Tokyo");

    assertThat(pages.get("/console/notifications").body())
        .contains(
            "autocomplete=\"off\" value=\"Asia/Tokyo\"", "value=\"zh\" lang=\"zh-CN\" selected");
  }

  @Test
  void followsTheAccountAndStopsWhileTheMerchantIsSuspended() throws SQLException {
    int product = merchant.product();
    subscribe("en");
    pages.post(
        "/console/account/preferences", "language", "zh", "theme", "auto", "zone", "Asia/Tokyo");
    assertThat(pages.get("/console/notifications").body())
        .contains("checked", "autocomplete=\"off\" value=\"Asia/Tokyo\"");
    stock(product, 1);
    clock.step(Duration.ofDays(1));

    suspend("now()");
    digest().queueDue();
    assertThat(digestsQueued()).isZero();
    suspend("null");
    digest().queueDue();
    assertThat(receiver.await(person.email(), 1).subject()).contains("库存偏低或售罄");
  }

  private void suspend(String at) {
    merchant.inDirectory(
        "update merchant set suspended_at = %s where merchant_id = %d returning 1"
            .formatted(at, merchant.id()));
  }

  @Test
  void aHigherThresholdMakesProductsLow() {
    int product = merchant.product();
    stock(product, 20);
    assertThat(pages.get("/console/notifications").body()).doesNotContain("Shoe A1");
    pages.post("/console/products/%d/low-stock".formatted(product), "below", "21");
    assertThat(pages.get("/console/notifications").body()).contains("Shoe A1");
  }

  @Test
  void rejectsAnUnknownTimeZone() {
    HttpResponse<String> answer =
        pages.post("/console/notifications", "digest", "true", "zone", "Nowhere/At-All");
    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("Nowhere/At-All").contains("This time zone is unknown");
  }

  @Test
  void theNextDigestIsAtTheHourOfTheTimeZone() {
    DigestPreference shanghai =
        new DigestPreference(true, 8, ZoneId.of("Asia/Shanghai"), Language.ENGLISH);
    assertThat(shanghai.next(Instant.parse("2026-03-01T23:59:59Z")))
        .isEqualTo("2026-03-02T00:00:00Z");
    assertThat(shanghai.next(Instant.parse("2026-03-02T00:00:00Z")))
        .isEqualTo("2026-03-03T00:00:00Z");
    DigestPreference berlin =
        new DigestPreference(true, 2, ZoneId.of("Europe/Berlin"), Language.ENGLISH);
    assertThat(berlin.next(Instant.parse("2026-03-28T12:00:00Z")))
        .as("02:00 does not exist on that day")
        .isEqualTo("2026-03-29T01:00:00Z");
  }

  private int digestsQueued() {
    return Integer.parseInt(
        merchant
            .inDirectory(
                "select count(*) from mail where kind = 'digest' and recipient = '%s'"
                    .formatted(person.email()))
            .getFirst());
  }
}
