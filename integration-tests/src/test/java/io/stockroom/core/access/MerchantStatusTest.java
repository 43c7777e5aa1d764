package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestImports;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Suspending and closing a merchant takes effect on every node for all its calls. */
class MerchantStatusTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final Admin admin = Admin.of(TestServer.shared());
  private final String address = "/admin/merchants/" + merchant.id();

  @Test
  void suspensionHoldsOnEveryNodeAndEndsWhenResumed() {
    List<Api> nodes = Nodes.three().stream().map(api::on).toList();
    nodes.forEach(node -> assertThat(node.products("page=1").status()).isEqualTo(200));

    Reply suspended = admin.post(address + "/suspend", "{\"reason\":\" unpaid invoice \"}");

    assertThat(suspended.json().get("status").asString()).isEqualTo("suspended");
    // one second, and some more for a busy machine
    assertThat(Eventually.within(Duration.ofSeconds(6), () -> all(nodes, "MERCHANT_SUSPENDED")))
        .isTrue();
    Reply rejected = api.products("page=1");
    assertThat(rejected.status()).isEqualTo(400);
    assertThat(rejected.json().get("msg").asString()).contains("Reason: unpaid invoice.");
    assertThat(api.withSecret("wrong").products("page=1").codes())
        .containsExactly("CREDENTIALS_WRONG");

    Admin.of(TestServer.other()).post(address + "/resume", "{}");

    assertThat(
            Eventually.within(
                Duration.ofSeconds(20),
                () -> nodes.stream().allMatch(node -> node.products("page=1").status() == 200)))
        .isTrue();
    assertThat(
            merchant.texts(
                """
                select action || ' ' || details from audit
                where merchant_id = ? and action in ('merchant.suspend', 'merchant.resume')
                order by number
                """))
        .containsExactly("merchant.suspend unpaid invoice", "merchant.resume ");
  }

  @Test
  void closingRevokesTokensForGood() {
    assertThat(admin.post(address + "/close", "{\"confirm\":\"other\"}").places())
        .containsExactly("confirm");
    assertThat(api.products("page=1").status()).isEqualTo(200);

    Reply closed =
        admin.post(address + "/close", "{\"confirm\":\"%s\"}".formatted(merchant.storeUrl()));

    assertThat(closed.json().get("status").asString()).isEqualTo("closed");
    assertThat(
            Eventually.within(
                Duration.ofSeconds(2),
                () -> api.products("page=1").codes().contains("TOKEN_REVOKED")))
        .isTrue();
    String token = "{\"appid\":\"%s\",\"merchantId\":%d}".formatted(api.appid(), merchant.id());
    for (Reply refused :
        List.of(
            admin.post("/admin/tokens", token),
            admin.post(address + "/resume", "{}"),
            admin.post(address + "/suspend", "{\"reason\":\"late\"}"),
            admin.send("PATCH", address, "{\"name\":\"New\"}"),
            new TestImports(merchant.server(), merchant.id())
                .plan("late.csv", "artNo,title,price\nA1,Shoe,1\n"))) {
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.codes()).containsExactly("MERCHANT_CLOSED");
    }
    assertThat(merchant.texts("select count(*) from merchant_data where merchant_id = ?"))
        .as("its data stays")
        .containsExactly("1");
  }

  @Test
  void removesTheDataOfAClosedMerchantOnly() {
    merchant.product();
    TestPerson person = TestPerson.of(merchant);
    String confirm = "{\"confirm\":\"%s\"}".formatted(merchant.storeUrl());
    assertThat(admin.post(address + "/remove", confirm).codes())
        .containsExactly("MERCHANT_NOT_CLOSED");
    admin.post(address + "/close", confirm);
    assertThat(admin.post(address + "/remove", "{\"confirm\":\"other\"}").places())
        .containsExactly("confirm");

    assertThat(admin.post(address + "/remove", confirm).status()).isEqualTo(200);

    assertThat(
            Eventually.within(
                Duration.ofSeconds(30),
                () -> admin.get(address).json().get("removedAt").isString()))
        .isTrue();
    assertThat(
            merchant.texts(
                """
                select (select count(*) from product where merchant_id = m) || ' ' ||
                  (select count(*) from change_log where merchant_id = m) || ' ' ||
                  (select count(*) from import where merchant_id = m) || ' ' ||
                  (select count(*) from absent_merchant where merchant_id = m) || ' ' ||
                  (select products + archived from merchant_data where merchant_id = m)
                from (select ?::int as m) of
                """))
        .containsExactly("0 0 0 0 0");
    assertThat(merchant.texts("select action from audit where merchant_id = ? order by number"))
        .contains("merchant.create", "merchant.close")
        .endsWith("merchant.remove");
    assertThat(merchant.inDirectory("select email from person where merchant_id = ?")).isEmpty();
    assertThat(Pages.of(person).get("/console/overview").statusCode()).isNotEqualTo(200);
    Pages operator = Pages.of(TestPerson.operator());
    assertThat(operator.get("/console/merchants/" + merchant.id()).body())
        .contains("The data of this merchant was removed on");
  }

  @Test
  void rejectsAnEmptyReasonAndOneThatIsTooLong() {
    assertThat(admin.post(address + "/suspend", "{\"reason\":\" \"}").codes())
        .containsExactly("TEXT_EMPTY");
    assertThat(
            admin
                .post(address + "/suspend", "{\"reason\":\"%s\"}".formatted("x".repeat(201)))
                .codes())
        .containsExactly("TEXT_TOO_LONG");
    assertThat(api.products("page=1").status()).isEqualTo(200);
    assertThat(
            admin
                .post(address + "/suspend", "{\"reason\":\"%s\"}".formatted("x".repeat(200)))
                .status())
        .isEqualTo(200);
  }

  @Test
  void renamesMerchantsAndApplications() {
    assertThat(admin.send("PATCH", address, "{\"name\":\"新名字\"}").json().get("name").asString())
        .isEqualTo("新名字");
    Reply application =
        admin.send("PATCH", "/admin/applications/" + api.appid(), "{\"name\":\"Sync 2\"}");

    assertThat(application.json().get("name").asString()).isEqualTo("Sync 2");
    assertThat(
            merchant.texts(
                "select details from audit where merchant_id = ? and action = 'merchant.rename'"))
        .singleElement()
        .asString()
        .endsWith(" → 新名字");
  }

  private static boolean all(List<Api> nodes, String code) {
    return nodes.stream().allMatch(node -> node.products("page=1").codes().contains(code));
  }
}
