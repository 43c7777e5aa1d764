package io.stockroom.console.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.io.Reader;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operator pages, without a browser. */
class OperatorPagesTest {
  private final TestPerson operator = TestPerson.operator();
  private final Pages pages = Pages.of(operator);

  @ParameterizedTest
  @ValueSource(
      strings = {"merchants", "merchants/1", "people", "people/1", "limits", "merchants/1/entries"})
  void showsItsPagesOnlyToOperators(String path) {
    Pages merchant = Pages.of(TestPerson.of(TestMerchant.fresh()));

    assertThat(merchant.get("/console/" + path).statusCode()).isEqualTo(404);
    assertThat(Pages.stranger().get("/console/" + path).statusCode()).isEqualTo(302);
  }

  @Test
  void showsMerchantsOnlyTheirOwnAuditLog() {
    TestMerchant merchant = TestMerchant.fresh();
    TestMerchant other = TestMerchant.fresh();
    Pages person = Pages.of(TestPerson.of(merchant));

    String shown = person.get("/console/audit?merchant=" + other.id() + "&after=0-999").body();

    assertThat(shown)
        .contains(merchant.storeUrl())
        .doesNotContain(other.storeUrl(), "Verify now", "127.0.0.1", "name=\"merchant\"");
    assertThat(person.post("/console/audit/verify").statusCode()).isEqualTo(404);
  }

  @Test
  void offersEveryActionOfTheAuditLogAsAFilter() throws IOException {
    Properties texts = new Properties();
    try (Reader reader =
        Files.newBufferedReader(
            Path.of("../console/src/main/resources/console/console_en.properties"))) {
      texts.load(reader);
    }
    String prefix = "audit.action.";
    assertThat(AuditPages.ACTIONS)
        .containsExactlyInAnyOrderElementsOf(
            texts.stringPropertyNames().stream()
                .filter(key -> key.startsWith(prefix))
                .map(key -> key.substring(prefix.length()))
                .toList());
  }

  @Test
  void findsANewMerchantByNameStoreAndId() {
    HttpResponse<String> added =
        pages.post(
            "/console/merchants",
            "name",
            " Zhejiang 50% Shoes ",
            "storeName",
            "Flagship 7f3",
            "storeUrl",
            "zj-7f3");

    String place = added.headers().firstValue("Location").orElseThrow().replace("?created", "");
    String number = place.substring(place.lastIndexOf('/') + 1);
    assertThat(pages.get(place).body()).contains("Zhejiang 50% Shoes", "Flagship 7f3", "zj-7f3");
    for (String query : new String[] {"jiang+50%25", "flagship+7F3", "ZJ-7f3", number}) {
      assertThat(pages.get("/console/merchants?q=" + query).body()).contains("href=\"" + place);
    }
    assertThat(pages.get("/console/merchants?q=jiang_50").body())
        .contains("No merchant matches “jiang_50”");
  }

  @Test
  void rejectsAnInvalidMerchantWithTheMessageOfTheAdminApi() {
    String tooLong = "x".repeat(101);

    HttpResponse<String> refused =
        pages.post("/console/merchants", "name", tooLong, "storeName", " ", "storeUrl", "a");

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body())
        .contains(tooLong, "has 101 characters; at most 100 are allowed.", "The text is empty.");
    assertThat(
            pages
                .post(
                    "/console/merchants",
                    "name",
                    "x".repeat(100),
                    "storeName",
                    "s",
                    "storeUrl",
                    "a")
                .statusCode())
        .isEqualTo(302);
  }

  @Test
  void pagesThroughMerchantsInTheOrderOfTheirNames() {
    String mark = "paged" + System.nanoTime();
    for (int i = 0; i < 51; i++) {
      pages.post(
          "/console/merchants",
          "name",
          "%s %02d".formatted(mark, i),
          "storeName",
          "s",
          "storeUrl",
          "u");
    }

    String first = pages.get("/console/merchants?q=" + mark).body();
    assertThat(first)
        .contains("51 merchants", mark + " 00", mark + " 49")
        .doesNotContain(mark + " 50");
    String second = pages.get(linked(first, "next")).body();
    assertThat(second).contains(mark + " 50").doesNotContain(mark + " 49");
    assertThat(pages.get(linked(second, "prev")).body()).contains(mark + " 00", mark + " 49");
  }

  @Test
  void setsAndRemovesALimitOfOneMerchant() {
    TestMerchant merchant = TestMerchant.fresh();
    String place = "/console/merchants/" + merchant.id();

    pages.post(place + "/limits", "limit", "limits.detail-per-day", "value", " 7 ");

    assertThat(pages.get(place).body()).contains("value=\"7 per day\"", "Reset to 300 per day");
    assertThat(pages.get("/console/limits").body()).contains(place + "#limits");
    assertThat(shownLimit(merchant)).isEqualTo("7");
    pages.post(place + "/limits", "limit", "limits.detail-per-day", "clear", "true");
    assertThat(shownLimit(merchant)).isEqualTo("300");
    assertThat(
            merchant.texts(
                "select details from audit where merchant_id = ? and action = 'merchant.limits' order by number"))
        .containsExactly(
            "limits.detail-per-day: as the setting says → 7",
            "limits.detail-per-day: 7 → as the setting says");
  }

  @ParameterizedTest
  @CsvSource({
    "limits.detail-per-day, -1",
    "limits.detail-per-day, many",
    "limits.publish-share, 3/2",
    "limits.zone, Mars",
    "page-size, 7",
  })
  void rejectsAnInvalidLimitWithTheMessageOfTheAdminApi(String limit, String value) {
    TestMerchant merchant = TestMerchant.fresh();
    Reply words =
        Admin.of(operator.server())
            .send(
                "PUT",
                "/admin/merchants/%d/limits".formatted(merchant.id()),
                "{\"%s\":\"%s\"}".formatted(limit, value));

    HttpResponse<String> refused =
        pages.post(
            "/console/merchants/%d/limits".formatted(merchant.id()),
            "limit",
            limit,
            "value",
            value);

    assertThat(refused.statusCode()).isEqualTo(422);
    String message = words.json().get("errors").get(0).get("msg").asString();
    assertThat(refused.body().replace("&quot;", "\"")).contains(message);
    assertThat(merchant.inDirectory("select limits from merchant where merchant_id = ?"))
        .containsExactly("{}");
  }

  @Test
  void addsAPersonAndShowsTheirLinkOnce() {
    TestMerchant merchant = TestMerchant.fresh();
    String email = "added%d@example.com".formatted(System.nanoTime());

    String added =
        pages
            .post(
                "/console/people",
                "email",
                email,
                "merchant",
                "" + merchant.id(),
                "roles",
                "developer")
            .body();

    Matcher link =
        Pattern.compile("(http://localhost:[0-9]+)(/console/link/[^\"]+)").matcher(added);
    assertThat(link.find()).isTrue();
    assertThat(link.group(1)).isEqualTo(Pages.origin(operator.server()));
    assertThat(Pages.stranger().get(link.group(2)).body()).contains("For " + email);
    assertThat(merchant.inDirectory("select roles::text from person where merchant_id = ?"))
        .containsExactly("{developer}");
    String place = added.replaceAll("(?s).*action=\"(/console/people/[0-9]+)/remove.*", "$1");
    assertThat(pages.get(place).body()).contains(email).doesNotContain("/console/link/");
  }

  @Test
  void rejectsInvalidPeopleLikeTheCli() {
    String taken = TestPerson.operator().email();

    assertThat(refused("no address", "1", "merchant")).contains("li@example.com");
    assertThat(refused("new@example.com", "2147483647", "merchant"))
        .contains("No single merchant matches “2147483647”.");
    assertThat(refused("new@example.com", "", "merchant"))
        .contains("No single merchant matches “”. Type part of the name");
    assertThat(refused(taken, "", "operator")).contains("There is a person with the email address");
  }

  private String refused(String email, String merchant, String belongs) {
    HttpResponse<String> answer =
        pages.post("/console/people", "email", email, "merchant", merchant, "belongs", belongs);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
    return answer.body();
  }

  @Test
  void signsAPersonOutAndRemovesThem() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    String place = "/console/people/" + person.id();
    Pages theirs = Pages.of(person);
    assertThat(theirs.get("/console/account").statusCode()).isEqualTo(200);

    pages.post(place + "/sign-out");
    assertThat(theirs.get("/console/account").statusCode()).isEqualTo(302);
    assertThat(pages.get(place).body()).contains(">none<");

    assertThat(pages.post(place + "/remove").headers().firstValue("Location"))
        .hasValue("/console/people?removed=1");
    assertThat(pages.get(place).statusCode()).isEqualTo(404);
    assertThat(pages.post(place + "/remove").statusCode()).isEqualTo(404);
  }

  @Test
  void filtersTheAuditLog() {
    TestMerchant merchant = TestMerchant.fresh();
    merchant.products(1);
    TestPerson person = TestPerson.of(merchant);
    String mine = "/console/audit?merchant=" + merchant.id();

    assertThat(pages.get(mine).body())
        .contains("Products imported", "Person added", "Merchant added");
    assertThat(pages.get(mine + "&action=person.add").body())
        .contains(person.email())
        .doesNotContain("1 created, 0 changed");
    assertThat(pages.get(mine + "&actor=nobody").body()).contains("No entries match.");
    assertThat(pages.get(mine + "&until=2020-01-01").body()).contains("No entries match.");
    assertThat(pages.get(mine + "&from=2020-01-01").body()).contains("Merchant added");
    assertThat(pages.get("/console/audit?merchant=no+such").body()).contains("No single merchant");
  }

  @Test
  void pagesThroughTheAuditLogWithoutSkippingOrRepeating() {
    TestMerchant merchant = TestMerchant.fresh();
    for (int i = 0; i < 60; i++) {
      pages.post(
          "/console/merchants/%d/limits".formatted(merchant.id()),
          "limit",
          "limits.detail-per-day",
          "value",
          "" + (1000 + i));
    }

    String first = pages.get("/console/audit?merchant=" + merchant.id()).body();
    assertThat(first).contains("→ 1059", "1009 → 1010").doesNotContain("1008 → 1009");
    String second = pages.get(linked(first, "next")).body();
    assertThat(second)
        .contains("1008 → 1009", "→ 1000")
        .doesNotContain("1009 → 1010", "rel=\"next\"");
  }

  @Test
  void verifiesTheAuditLogAndLogsTheResult() {
    pages.post("/console/audit/verify");

    String sign = "by person " + operator.email();
    assertThat(
            Eventually.within(
                Duration.ofSeconds(30), () -> pages.get("/console/audit").body().contains(sign)))
        .isTrue();
    assertThat(pages.get("/console/audit/verify").body())
        .contains("✓ Intact", sign, "chains, head");
  }

  private String shownLimit(TestMerchant merchant) {
    Reply shown = Admin.of(TestServer.shared()).get("/admin/merchants/" + merchant.id());
    for (var limit : shown.json().get("limits")) {
      if (limit.get("name").asString().equals("limits.detail-per-day")) {
        return limit.get("value").asString();
      }
    }
    throw new IllegalStateException(shown.whole());
  }

  private static String linked(String page, String direction) {
    Matcher link = Pattern.compile("rel=\"" + direction + "\" href=\"([^\"]+)\"").matcher(page);
    assertThat(link.find()).as(direction).isTrue();
    return link.group(1).replace("&amp;", "&");
  }
}
