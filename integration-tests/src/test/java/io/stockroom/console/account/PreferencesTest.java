package io.stockroom.console.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Language, theme and time zone are stored with the account. */
class PreferencesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages pages = Pages.of(person).with("Accept-Language", "en");

  @Test
  void theSwitchesStoreLanguageAndThemeWithTheAccount() {
    assertThat(account(pages)).contains("lang=\"en\"", "data-theme=\"auto\"");

    pages.post("/console/preferences", "language", "zh", "next", "/console/account");
    pages.post("/console/preferences", "theme", "dark", "next", "/console/account");

    Pages otherBrowser = Pages.of(person).with("Accept-Language", "en");
    assertThat(account(otherBrowser)).contains("lang=\"zh-CN\"", "data-theme=\"dark\"");
    assertThat(account(Pages.of(TestPerson.of(merchant)).with("Accept-Language", "en")))
        .contains("lang=\"en\"", "data-theme=\"auto\"");
  }

  @Test
  void aBrowserThatIsNotSignedInKeepsItsCookie() {
    Pages stranger = Pages.stranger().with("Accept-Language", "en");
    stranger.post("/console/preferences", "language", "zh", "next", "/console/sign-in");
    stranger.post("/console/preferences", "theme", "dark", "next", "/console/sign-in");

    assertThat(stranger.get("/console/sign-in").body())
        .contains("lang=\"zh-CN\"", "data-theme=\"dark\"");
    // a person without preferences sees the browser's, another one their own
    stranger.cookies().put("stockroom-session", person.session());
    assertThat(account(stranger)).contains("lang=\"zh-CN\"");
    pages.post("/console/preferences", "language", "en", "next", "/console/account");
    assertThat(account(stranger)).contains("lang=\"en\"");
  }

  @Test
  void theAccountPageStoresAllThreeAndEveryTimeFollowsTheZone() {
    HttpResponse<String> saved = save("en", "light", "Pacific/Kiritimati");
    assertThat(saved.headers().firstValue("Location"))
        .hasValueSatisfying(path -> assertThat(path).endsWith("/console/account?saved"));

    String page = pages.get("/console/account?saved").body();

    assertThat(page)
        .contains("Times are in Pacific/Kiritimati.", "data-theme=\"light\"", "just now")
        .contains("value=\"Pacific/Kiritimati\" selected=\"selected\">Kiritimati (UTC+14:00)");
    Matcher exact =
        Pattern.compile("title=\"(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)\"").matcher(page);
    assertThat(exact.find()).isTrue();
    LocalDateTime shown =
        LocalDateTime.parse(exact.group(1), DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss"));
    ZoneId zone = ZoneId.of("Pacific/Kiritimati");
    assertThat(shown.atZone(zone))
        .isBetween(ZonedDateTime.now(zone).minusMinutes(10), ZonedDateTime.now(zone));
    // the day of the limits stays the server's
    assertThat(pages.get("/console/usage").body())
        .contains("Daily limits reset at midnight in UTC, regardless of your own time zone.");
  }

  @Test
  void rejectsAnUnknownZoneAndKeepsTheFormer() {
    save("en", "auto", "Asia/Tokyo");

    HttpResponse<String> refused = save("zh", "dark", "Asia/Atlantis");

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("There is no time zone “Asia/Atlantis”", "Asia/Tokyo");
    assertThat(account(pages)).contains("lang=\"en\"", "Times are in Asia/Tokyo.");
    save("en", "auto", "");
    assertThat(account(pages)).contains("Times are in UTC.");
  }

  @Test
  void aFocusedTimeShowsTheExactOneAndTheDeviceOffersItsZone() {
    merchant.api().create(Stock.one(merchant.product(), "red", "36", 5));
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/changes");
      Locator time = page.locator("time.ago").first();
      assertThat(time.innerText()).isEqualTo("just now");
      time.focus();
      assertThat(time.innerText()).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d");
      time.blur();
      assertThat(time.innerText()).isEqualTo("just now");
      // what the script writes later is what the server would write
      page.evaluate(
          "() => { const t = document.querySelector('time.ago'); t.dateTime ="
              + " new Date(Number(t.dataset.now) - 3 * 3600e3).toISOString(); }");
      time.focus();
      time.blur();
      assertThat(time.innerText()).isEqualTo("3 hours ago");

      page.navigate(Pages.origin(merchant.server()) + "/console/account");
      String device =
          (String) page.evaluate("() => Intl.DateTimeFormat().resolvedOptions().timeZone");
      Locator offer = page.locator("[data-device-zone]");
      if (offer.isVisible()) {
        assertThat(offer.innerText()).contains(device);
        offer.click();
        assertThat(page.locator("select[name=zone]").inputValue()).isEqualTo(device);
      } else {
        assertThat(page.locator("select[name=zone]").inputValue()).isIn("", device);
      }
    }
  }

  private HttpResponse<String> save(String language, String theme, String zone) {
    return pages.post(
        "/console/account/preferences", "language", language, "theme", theme, "zone", zone);
  }

  private static String account(Pages pages) {
    return pages.get("/console/account").body();
  }
}
