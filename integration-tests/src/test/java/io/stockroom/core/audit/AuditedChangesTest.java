package io.stockroom.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every kind of change adds a row: who, when, what, from where. */
class AuditedChangesTest {
  private final Admin admin = Admin.of(TestServer.shared());
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void creatingAMerchant() {
    assertRow(chain(merchant.id()), "merchant.create", "operator", merchant.storeUrl(), "Merchant");
  }

  @Test
  void settingLimits() {
    Nodes.setLimits(merchant, "\"limits.detail-per-day\":\"7\",\"limits.zone\":null");

    assertRow(
        chain(merchant.id()),
        "merchant.limits",
        "operator",
        "limits",
        "limits.detail-per-day: as the setting says → 7",
        "limits.zone: as the setting says → as the setting says");
  }

  @Test
  void importingProducts() {
    merchant.importedProducts(2);

    assertRow(
        chain(merchant.id()), "products.import", "operator", "products", "2 created, 0 changed");
  }

  @Test
  void creatingAnApplication() {
    assertRow(server(api.appid()), "application.create", "operator", api.appid(), "Listing tool");
  }

  @Test
  void rotatingASecret() {
    admin.post("/admin/applications/" + api.appid() + "/rotate", "{\"grace\":\"PT1H\"}");

    assertRow(
        server(api.appid()),
        "application.rotate",
        "operator",
        api.appid(),
        "the former secret works until 2");
  }

  @Test
  void changingAnApplication() {
    admin.send(
        "PATCH",
        "/admin/applications/" + api.appid(),
        "{\"requireHmac\":true,\"addresses\":[\"10.0.0.0/8\"]}");

    assertRow(
        server(api.appid()),
        "application.change",
        "operator",
        api.appid(),
        "require HMAC: true",
        "10.0.0.0/8");
  }

  @Test
  void issuingAToken() {
    Api token = merchant.token("\"boundStore\":\"shop\",\"scopes\":[\"stock:read\"]");

    assertRow(
        chain(merchant.id()),
        "token.issue",
        "operator",
        token.accesstoken().substring(0, 12),
        api.appid(),
        "shop",
        "stock:read");
  }

  @Test
  void revokingAToken() {
    admin.post("/admin/tokens/revoke", "{\"token\":\"" + api.accesstoken() + "\"}");

    assertRow(
        chain(merchant.id()),
        "token.revoke",
        "operator",
        api.accesstoken().substring(0, 12),
        api.appid());
  }

  @Test
  void creatingStock() {
    int pid = merchant.product();
    api.create(Stock.one(pid, "red", "36-38", 1));

    assertRow(
        chain(merchant.id()), "stock.create", "application " + api.appid(), "" + pid, "3 entries");
  }

  @Test
  void reportingPublishResults() {
    int pid = merchant.product();
    Api bound = merchant.token("\"boundStore\":\"shop\"");
    bound
        .call("/Product/Publish")
        .json("[{\"pid\":%d,\"result\":\"published\"}]".formatted(pid))
        .send();

    assertRow(
        chain(merchant.id()), "publish.report", "application " + api.appid(), "shop", "1 results");
  }

  @Test
  void replacingTheKey() {
    assertThat(admin.post("/admin/keys/rotate", "").status()).isEqualTo(200);

    assertRow(server("secret key"), "key.rotate", "operator", "secret key", "resealed");
  }

  @Test
  void exportingProducts() {
    merchant.products(1);
    admin.download("/admin/merchants/%d/products/export?format=csv".formatted(merchant.id()));
    TestPerson person = TestPerson.of(merchant);
    Pages.of(person).get("/console/export?format=jsonl");

    assertRow(rowsBy("operator"), "products.export", "operator", "products", "csv");
    String name = "person " + person.email();
    assertRow(rowsBy(name), "products.export", name, "products", "jsonl");
  }

  @Test
  void signingIn() {
    TestPerson person = TestPerson.of(merchant);
    Pages.stranger().post(person.link(), "password", "three words in a row");
    Pages.stranger()
        .post("/console/sign-in", "email", person.email(), "password", "three words in a row");

    String name = "person " + person.email();
    assertRow(rowsBy(name), "person.sign-in", name, person.email(), "password");
    assertThat(rowsBy(name))
        .filteredOn(row -> row.get("action").asString().equals("person.sign-in"))
        .extracting(row -> row.get("details").asString())
        .containsExactly("password", "link");
  }

  @Test
  void coversEveryKindOfChange() {
    int pid = merchant.product();
    int before = chain(merchant.id()).size();

    api.detail(pid);
    api.stock(pid);
    api.create("[]");
    api.create(Stock.one(2147483647, "red", "36", 1));
    api.withSecret("another").create(Stock.one(pid, "red", "36", 1));
    Nodes.setLimits(merchant, "\"limits.detail-per-day\":\"x\"");

    assertThat(chain(merchant.id())).hasSize(before);
  }

  @Test
  void recordsTheAddressThatATrustedProxyForwards() {
    int pid = merchant.product();
    api.on(Nodes.strict())
        .call("/Stock/Creat")
        .json(Stock.one(pid, "red", "36", 1))
        .header("X-Forwarded-For", "192.0.2.44")
        .send();

    assertThat(chain(merchant.id()).getFirst().get("address").asString()).isEqualTo("192.0.2.44");
  }

  @Test
  void isVerifiedOverHttp() {
    Reply reply = admin.post("/admin/audit/verify", "");

    assertThat(reply.json().get("intact").asBoolean()).isTrue();
    assertThat(reply.json().get("entries").asInt()).isPositive();
    assertThat(reply.json().get("head").asString()).matches("[0-9a-f]{64}");
  }

  private List<JsonNode> chain(int merchantId) {
    return admin
        .get("/admin/audit?merchant=" + merchantId)
        .json()
        .get("entries")
        .valueStream()
        .toList();
  }

  private List<JsonNode> rowsBy(String actor) {
    return chain(merchant.id()).stream()
        .filter(row -> row.get("actor").asString().equals(actor))
        .toList();
  }

  private List<JsonNode> server(String subject) {
    return chain(0).stream().filter(row -> row.get("subject").asString().equals(subject)).toList();
  }

  private static void assertRow(
      List<JsonNode> rows, String action, String actor, String subject, String... details) {
    List<JsonNode> found =
        rows.stream()
            .filter(row -> row.get("action").asString().equals(action))
            .filter(row -> row.get("subject").asString().equals(subject))
            .toList();
    assertThat(found).isNotEmpty();
    JsonNode row = found.getFirst();
    assertThat(row.get("actor").asString()).isEqualTo(actor);
    assertThat(row.get("address").asString()).isEqualTo("127.0.0.1");
    assertThat(Instant.parse(row.get("at").asString()))
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    assertThat(row.get("details").asString()).contains(details);
    assertThat(row.get("hash").asString()).matches("[0-9a-f]{64}");
  }
}
