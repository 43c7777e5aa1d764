package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.console.people.Role;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Operators who view a merchant, and the people of a suspended one, can change nothing. */
class ReadOnlyTest {
  /** Forms that change nothing of the merchant. */
  private static final Set<String> HARMLESS =
      Set.of("/console/view/end", "/console/explorer/check", "/console/explorer/snippets");

  private static final String AUDITED = "select count(*) from audit where merchant_id = ?";

  @Test
  void everyFormIsRejectedWhileAnOperatorViewsAMerchant() {
    AddressParts parts = AddressParts.make();
    TestMerchant merchant = parts.owner();
    TestPerson operator = TestPerson.operator();
    Pages pages = Pages.of(operator);

    pages.post("/console/merchants/" + merchant.id() + "/view");

    String overview = pages.get("/console/overview").body();
    assertThat(overview).contains("Viewing as ", "(read-only)", "Stop viewing", "data-read-only");
    List<String> audited = merchant.texts(AUDITED);
    int rejected = 0;
    for (ConsolePage page : ConsolePage.all(TestServer.shared())) {
      if (!page.anyone() && page.method().equals("POST") && !HARMLESS.contains(page.path())) {
        HttpResponse<String> response = pages.post(parts.theirs(page.path()));
        assertThat(response.statusCode()).as(page.toString()).isEqualTo(403);
        assertThat(response.body()).as(page.toString()).contains("Stop viewing");
        rejected++;
      }
    }
    assertThat(rejected).isGreaterThan(30);
    assertThat(merchant.texts(AUDITED)).isEqualTo(audited);
    for (String page :
        List.of(
            "products", "imports", "changes", "applications", "webhooks", "usage", "requests")) {
      assertThat(pages.get("/console/" + page).statusCode()).as(page).isEqualTo(200);
    }
    assertThat(pages.get("/console/merchants").statusCode()).isEqualTo(403);
    TestMerchant other = TestMerchant.fresh();
    assertThat(pages.get("/console/products/" + other.product()).statusCode()).isEqualTo(404);

    HttpResponse<String> ended = pages.post("/console/view/end");

    assertThat(ended.headers().firstValue("Location"))
        .hasValue("/console/merchants/" + merchant.id());
    assertThat(pages.get("/console/merchants").statusCode()).isEqualTo(200);
    assertThat(pages.get("/console/products").statusCode()).isEqualTo(404);
    assertThat(
            Pages.of(TestPerson.of(merchant))
                .get("/console/audit?actor=" + operator.email())
                .body())
        .contains("Operator started viewing", "Operator stopped viewing");
  }

  @Test
  void signingOutEndsTheView() {
    TestMerchant merchant = TestMerchant.fresh();
    Pages pages = Pages.of(TestPerson.operator());
    pages.post("/console/merchants/" + merchant.id() + "/view");

    pages.post("/console/sign-out");

    assertThat(
            merchant.texts(
                "select action from audit where merchant_id = ? and action like 'merchant.view%'"
                    + " order by number"))
        .containsExactly("merchant.view", "merchant.view-end");
  }

  @Test
  void onlyOperatorsView() {
    TestMerchant merchant = TestMerchant.fresh();
    Pages person = Pages.of(TestPerson.of(TestMerchant.fresh()));

    assertThat(person.post("/console/merchants/" + merchant.id() + "/view").statusCode())
        .isEqualTo(404);
    assertThat(person.post("/console/view/end").statusCode()).isEqualTo(302);
    assertThat(person.get("/console/products").body()).doesNotContain("Viewing as");
  }

  @Test
  void peopleOfASuspendedMerchantCanReadButNotWrite() {
    TestMerchant merchant = TestMerchant.fresh();
    int product = merchant.product();
    Pages person = Pages.of(TestPerson.of(merchant));
    Admin.of(TestServer.shared())
        .post("/admin/merchants/%d/suspend".formatted(merchant.id()), "{\"reason\":\"unpaid\"}");

    for (ConsolePage page : ConsolePage.all(TestServer.shared())) {
      boolean ofMerchants = page.roles().contains(Role.MERCHANT) && page.roles().size() < 3;
      if (ofMerchants && page.method().equals("POST") && !page.path().contains("{")) {
        assertThat(person.post(page.path()).statusCode()).as(page.toString()).isEqualTo(403);
      }
    }
    String shown = person.get("/console/products/" + product).body();
    assertThat(shown).contains("The operator suspended this merchant on", "Reason: unpaid.");
    assertThat(person.post("/console/account", "current", "x").statusCode()).isNotEqualTo(403);

    Admin.of(TestServer.shared()).post("/admin/merchants/%d/resume".formatted(merchant.id()), "{}");

    assertThat(person.get("/console/products").body()).doesNotContain("suspended");
    assertThat(
            person.post("/console/products/" + product + "/low-stock", "below", "7").statusCode())
        .isEqualTo(302);
  }
}
