package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.console.people.Role;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every page of the console × every kind of visitor. */
class ConsoleIsolationTest {
  private static final TestServer SERVER = TestServer.shared();
  private static List<ConsolePage> pages;
  private static AddressParts parts;

  @BeforeAll
  static void gather() {
    pages = ConsolePage.all(SERVER);
    parts = AddressParts.make();
  }

  @Test
  void everyPageDeclaresItsAccess() {
    assertThat(pages).hasSizeGreaterThan(10);
    for (ConsolePage page : pages) {
      assertThat(page.anyone() || !page.roles().isEmpty())
          .as("%s needs @Allow or @Anyone, else nobody can use it", page)
          .isTrue();
    }
  }

  @Test
  void rejectsInvalidSessions() {
    TestPerson old = TestPerson.of(TestMerchant.fresh());
    old.age("1 year", "1 year");
    TestPerson ended = TestPerson.of(TestMerchant.fresh());
    Pages.of(ended).post("/console/sign-out");
    for (ConsolePage page : pages) {
      if (!page.anyone()) {
        for (Pages nobody :
            List.of(
                Pages.on(SERVER),
                Pages.on(SERVER).with("Cookie", "stockroom-session=forged"),
                Pages.on(SERVER).with("Authorization", "Bearer " + SERVER.operatorKey()),
                Pages.on(SERVER).with("accesstoken", parts.owner().api().accesstoken()),
                Pages.of(old),
                Pages.of(ended))) {
          HttpResponse<String> response = ask(nobody, page, parts.theirs(page.path()));
          assertThat(response.statusCode()).as(page.toString()).isEqualTo(302);
          assertThat(response.headers().firstValue("Location").orElse(""))
              .as(page.toString())
              .startsWith("/console/sign-in");
          assertThat(response.body()).isEmpty();
        }
        Pages script = Pages.on(SERVER).with("Stockroom-Request", "fetch");
        assertThat(ask(script, page, parts.theirs(page.path())).statusCode())
            .as(page.toString())
            .isEqualTo(401);
      }
    }
  }

  @Test
  void otherRolesGetNotFound() {
    Map<Role, TestPerson> people = new EnumMap<>(Role.class);
    people.put(Role.OPERATOR, TestPerson.operator());
    people.put(Role.MERCHANT, with(parts.owner(), "merchant"));
    people.put(Role.DEVELOPER, with(parts.owner(), "developer"));
    int refusals = 0;
    for (ConsolePage page : pages) {
      for (Map.Entry<Role, TestPerson> each : people.entrySet()) {
        if (!page.anyone() && !page.roles().contains(each.getKey())) {
          refusals++;
          String path = parts.theirs(page.path());
          String nowhere = "/console/no/such/page";
          HttpResponse<String> refused = ask(Pages.of(each.getValue()), page, path);
          HttpResponse<String> absent = ask(Pages.of(each.getValue()), page, nowhere);
          assertThat(refused.statusCode()).as("%s for %s", page, each.getKey()).isEqualTo(404);
          assertThat(plain(refused, path)).isEqualTo(plain(absent, nowhere));
        }
      }
    }
    assertThat(refusals).isPositive();
  }

  /** People who may use a page see only their own data there. */
  @Test
  void anotherMerchantsDataLooksMissing() {
    TestMerchant other = TestMerchant.fresh();
    Map<Role, TestPerson> people = new EnumMap<>(Role.class);
    people.put(Role.MERCHANT, with(other, "merchant"));
    people.put(Role.DEVELOPER, with(other, "developer"));
    int compared = 0;
    for (ConsolePage page : pages) {
      for (Map.Entry<Role, TestPerson> each : people.entrySet()) {
        if (!page.anyone()
            && page.roles().contains(each.getKey())
            && AddressParts.namesSomething(page.path())) {
          compared++;
          String theirs = parts.theirs(page.path());
          String missing = parts.missing(page.path());
          HttpResponse<String> others = ask(Pages.of(each.getValue()), page, theirs);
          HttpResponse<String> absent = ask(Pages.of(each.getValue()), page, missing);
          assertThat(others.statusCode()).as(page.toString()).isEqualTo(absent.statusCode());
          assertThat(others.statusCode()).as(page.toString()).isGreaterThanOrEqualTo(400);
          assertThat(plain(others, theirs)).as(page.toString()).isEqualTo(plain(absent, missing));
        }
      }
    }
    assertThat(compared).isPositive();
    assertThat(parts.owner().api().stock(parts.owner().productIds().getFirst()).data("stock"))
        .containsExactly("5");
  }

  /** A parameter with another merchant's id does not reveal whether it exists. */
  @Test
  void anotherMerchantsParameterLooksMissing() {
    TestMerchant other = TestMerchant.fresh();
    Map<Role, TestPerson> people = new EnumMap<>(Role.class);
    people.put(Role.MERCHANT, with(other, "merchant"));
    people.put(Role.DEVELOPER, with(other, "developer"));
    int compared = 0;
    for (ConsolePage page : pages) {
      for (Map.Entry<Role, TestPerson> each : people.entrySet()) {
        if (page.parameters().contains("merchant") && page.roles().contains(each.getKey())) {
          compared++;
          String owner = Integer.toString(parts.owner().id());
          Pages asking = Pages.of(each.getValue());
          String path = parts.missing(page.path());
          for (String form : List.of("%s", "%s+%%C2%%B7+Merchant")) {
            String theirs = path + "?merchant=" + form.formatted(owner);
            String missing = path + "?merchant=" + form.formatted(AddressParts.MISSING_NUMBER);
            HttpResponse<String> others = ask(asking, page, theirs);
            HttpResponse<String> absent = ask(asking, page, missing);
            assertThat(others.statusCode()).as(theirs).isEqualTo(absent.statusCode());
            assertThat(plain(others, theirs)).as(theirs).isEqualTo(plain(absent, missing));
          }
        }
      }
    }
    assertThat(compared).isPositive();
    TestPerson person = people.get(Role.MERCHANT);
    assertThat(Pages.of(person).get("/console/imports?merchant=" + other.id()).statusCode())
        .isEqualTo(200);
    assertThat(Pages.of(person).get("/console/imports?merchant=" + parts.owner().id()).statusCode())
        .isEqualTo(404);
  }

  @Test
  void rejectsOtherSitesAndOldForms() {
    TestPerson operator = TestPerson.operator();
    TestPerson merchant = TestPerson.of(parts.owner());
    for (ConsolePage page : pages) {
      // mail programs end a subscription without a session
      boolean open =
          page.path().matches("/console/(sign-in.*|unsubscribe/.*)")
              && !page.path().endsWith("/forgotten");
      if (page.changes() && !open) {
        TestPerson person = page.roles().contains(Role.MERCHANT) ? merchant : operator;
        String path = parts.theirs(page.path());
        assertThat(
                ask(Pages.of(person).with("Origin", "https://evil.example"), page, path)
                    .statusCode())
            .as("%s from another site", page)
            .isEqualTo(403);
        assertThat(ask(Pages.of(person).without("Origin"), page, path).statusCode())
            .as("%s from nowhere", page)
            .isEqualTo(403);
        assertThat(ask(Pages.of(person).withFormToken("old"), page, path).statusCode())
            .as("%s with an old form", page)
            .isEqualTo(403);
      }
    }
  }

  private static TestPerson with(TestMerchant merchant, String role) {
    return TestPerson.with("\"merchantId\":%d,\"roles\":[\"%s\"]".formatted(merchant.id(), role));
  }

  private static HttpResponse<String> ask(Pages pages, ConsolePage page, String path) {
    return page.changes() ? pages.post(path) : pages.get(path);
  }

  /** The page without its own path, which it repeats in links, and without the navigation. */
  private static String plain(HttpResponse<String> response, String path) {
    return response
        .body()
        .replaceAll("(?s)<nav class=\"pages\".*?</nav>", "")
        .replace(path, "")
        .replace(java.net.URLEncoder.encode(path, java.nio.charset.StandardCharsets.UTF_8), "");
  }
}
