package io.stockroom.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestFactor;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PersonRoutesTest {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private final Admin admin = Admin.of(TestServer.shared());

  @Test
  void addsAPersonOfAMerchantWithBothRolesAndReturnsALink() {
    TestMerchant merchant = TestMerchant.fresh();
    String email = email();

    JsonNode person =
        add("{\"email\":\" %s \",\"merchantId\":%d}"
                .formatted(email.toUpperCase(Locale.ROOT), merchant.id()))
            .json();

    assertThat(person.get("email").asString()).isEqualTo(email);
    assertThat(person.get("merchantName").asString()).isEqualTo("Merchant");
    assertThat(person.get("roles").toString()).isEqualTo("[\"merchant\",\"developer\"]");
    assertThat(person.get("hasPassword").asBoolean()).isFalse();
    assertThat(person.get("link").asString()).matches("/console/link/[A-Za-z0-9_-]{43}");
    assertThat(admin.get("/admin/people?merchant=" + merchant.id()).json().get("people"))
        .hasSize(1)
        .allMatch(listed -> !listed.has("link"));
  }

  @Test
  void linksBeginWithTheBaseUrlIfItIsSet() {
    TestServer server = TestServer.with(Map.of("base-url", "https://stock.example/"));

    JsonNode person =
        Admin.of(server)
            .post("/admin/people", "{\"email\":\"%s\",\"operator\":true}".formatted(email()))
            .json();

    assertThat(person.get("link").asString()).startsWith("https://stock.example/console/link/");
  }

  @Test
  void addsAnOperatorWhoBelongsToNoMerchant() {
    JsonNode person = add("{\"email\":\"%s\",\"operator\":true}".formatted(email())).json();

    assertThat(person.get("roles").toString()).isEqualTo("[\"operator\"]");
    assertThat(person.get("merchantId").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"merchantId":1}                                        | email      | FIELD_MISSING
          {"email":"no-address","operator":true}                  | email      | TEXT_FORMAT
          {"email":"a/b@example.com","operator":true}             | email      | TEXT_FORMAT
          {"email":"x@example.com"}                               | merchantId | FIELD_MISSING
          {"email":"x@example.com","merchantId":1,"operator":true}| operator   | TEXT_FORMAT
          {"email":"x@example.com","merchantId":2147483647}       | merchantId | MERCHANT_MISSING
          {"email":"x@example.com","merchantId":1,"roles":["operator"]} | roles[0] | TEXT_FORMAT
          {"email":"x@example.com","merchantId":1,"roles":"merchant"}   | roles    | FIELD_TYPE
          """)
  void rejectsInvalidPeople(String body, String place, String code) {
    Reply refused = add(body);

    assertThat(refused.status()).isBetween(400, 404);
    assertThat(refused.places()).containsExactly(place);
    assertThat(refused.codes()).containsExactly(code);
  }

  @Test
  void rejectsADuplicateAddress() {
    String body = "{\"email\":\"%s\",\"operator\":true}".formatted(email());
    assertThat(add(body).status()).isEqualTo(201);

    assertThat(add(body).status()).isEqualTo(409);
  }

  @Test
  void reportsAMissingPerson() {
    assertThat(admin.post("/admin/people/nobody@example.com/reset", "").codes())
        .containsExactly("PERSON_MISSING");
    assertThat(admin.send("DELETE", "/admin/people/nobody@example.com", "").status())
        .isEqualTo(404);
  }

  @Test
  void resetsAnExistingSecondFactor() {
    TestMerchant merchant = TestMerchant.fresh();
    TestPerson person = TestPerson.of(merchant);
    String path = "/admin/people/" + person.email() + "/reset-second-factor";

    assertThat(admin.post(path, "").json().get("reset").asBoolean()).isFalse();
    TestFactor.of(person);
    String people = "/admin/people?merchant=" + merchant.id();
    assertThat(admin.get(people).json().get("people").get(0).get("hasSecondFactor").asBoolean())
        .isTrue();
    assertThat(admin.post(path, "").json().get("reset").asBoolean()).isTrue();

    assertThat(admin.get(people).json().get("people").get(0).get("hasSecondFactor").asBoolean())
        .isFalse();
    assertThat(Pages.of(person).get("/console/account").statusCode()).isEqualTo(302);
    assertThat(admin.get("/admin/audit?merchant=" + merchant.id()).body())
        .contains("person.second-factor-on", "person.second-factor-reset");
    assertThat(admin.post("/admin/people/nobody@example.com/reset-second-factor", "").codes())
        .containsExactly("PERSON_MISSING");
  }

  @Test
  void logsEveryChangeButNoLinkInTheAuditLog() {
    TestMerchant merchant = TestMerchant.fresh();
    TestPerson person = TestPerson.of(merchant);
    admin.post("/admin/people/" + person.email() + "/reset", "");
    admin.send("DELETE", "/admin/people/" + person.email(), "");

    String trail = admin.get("/admin/audit?merchant=" + merchant.id()).body();

    assertThat(trail).contains("person.add", "person.link", "person.remove", person.email());
    assertThat(trail).doesNotContain(person.link().substring("/console/link/".length()));
  }

  private Reply add(String body) {
    return admin.post("/admin/people", body);
  }

  private static String email() {
    return "added%d@example.com".formatted(NUMBERS.incrementAndGet());
  }
}
