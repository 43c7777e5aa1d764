package io.stockroom.files.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Statement;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How much a merchant may keep in open imports, and for how long. */
class ImportQuotaTest {
  private static final String FILE = "artNo,title,price\nA1,Boot,5\n";
  private static final int MAX_BYTES = 100;
  private final TestMerchant merchant = TestMerchant.on(server());

  @Test
  void acceptsTheMaximumOfOpenImportsAndRejectsTheNext() {
    int first = id(merchant.imports().plan("1.csv", FILE));
    assertThat(merchant.imports().plan("2.csv", FILE).status()).isEqualTo(200);

    Reply third = merchant.imports().plan("3.csv", FILE);

    assertThat(third.status()).isEqualTo(409);
    assertThat(third.codes()).containsExactly("IMPORTS_OPEN");
    assertThat(third.json().get("msg").asString())
        .contains("2 unfinished imports", "import.max-open");
    assertThat(pieces()).isEqualTo(2);
    assertThat(line("imports-open").get("used").asInt()).isEqualTo(2);
    assertThat(line("imports-open").get("remaining").asInt()).isZero();
    HttpResponse<String> ready =
        Pages.of(TestPerson.of(merchant)).post("/console/imports/ready", "bytes", "10");
    assertThat(ready.statusCode()).isEqualTo(409);
    assertThat(TestMerchant.on(server()).imports().plan("1.csv", FILE).status()).isEqualTo(200);

    merchant.imports().ask(first, "cancel", "");
    assertThat(merchant.imports().plan("3.csv", FILE).status()).isEqualTo(200);
  }

  @Test
  void acceptsTheMaximumOfBytesAndRejectsOneMore() {
    String whole = FILE + "x".repeat(MAX_BYTES - FILE.length());
    Reply tooMuch = merchant.imports().plan("p.csv", whole + "x");
    assertThat(tooMuch.status()).isEqualTo(409);
    assertThat(tooMuch.codes()).containsExactly("IMPORT_BYTES");
    // without a Content-Length
    Reply unknown =
        merchant
            .imports()
            .send(
                "p.csv",
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream((whole + "x").getBytes(UTF_8))),
                "apply=false");
    assertThat(unknown.codes()).containsExactly("IMPORT_BYTES");
    assertThat(pieces()).isZero();

    Reply fits = merchant.imports().plan("p.csv", whole);

    assertThat(fits.status()).isEqualTo(200);
    assertThat(line("imports-bytes").get("remaining").asInt()).isZero();
    assertThat(merchant.imports().plan("p.csv", "x").codes()).containsExactly("IMPORT_BYTES");
    // planned and failed imports can be discarded
    assertThat(merchant.imports().ask(id(fits), "cancel", "").status()).isEqualTo(200);
    Reply failed = merchant.imports().plan("p.csv", "x".repeat(MAX_BYTES));
    assertThat(failed.json().get("state").asString()).isEqualTo("failed");
    assertThat(merchant.imports().ask(id(failed), "cancel", "").status()).isEqualTo(200);
    assertThat(merchant.imports().ask(id(failed), "cancel", "").status()).isEqualTo(409);
    assertThat(pieces()).isZero();
  }

  @Test
  void usagePageShowsOpenImportsAndBytes() {
    merchant.imports().plan("p.csv", FILE);

    String page = Pages.of(TestPerson.of(merchant)).get("/console/usage").body();

    assertThat(page)
        .contains("Open imports", "1 of 2 in use")
        .contains("Import storage", FILE.length() + " B of " + MAX_BYTES + " B");
  }

  @Test
  void anAbandonedPlanExpires() throws Exception {
    TestMerchant patient = TestMerchant.fresh();
    int old = id(patient.imports().plan("old.csv", FILE));
    int fresh = id(patient.imports().plan("fresh.csv", FILE));
    Database database = TestServer.shared().database();
    database.write(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(
                """
                update import set begun_at = now() - case import_id when %d then interval '169 hours'
                  else interval '167 hours' end
                where merchant_id = %d"""
                    .formatted(old, patient.id()));
          }
        });

    try (Imports imports =
        new Imports(
            Cells.single(database),
            Clock.systemUTC(),
            Settings.with(Map.of()),
            _ -> EmbeddedPictures.NONE)) {
      imports.forgetOld();
    }

    assertThat(patient.imports().show(old).json().get("state").asString()).isEqualTo("expired");
    assertThat(patient.imports().show(fresh).json().get("state").asString()).isEqualTo("planned");
    assertThat(patient.texts("select import_id from import_piece where merchant_id = ?"))
        .containsExactly(Integer.toString(fresh));
    assertThat(patient.imports().ask(old, "apply", "{}").status()).isEqualTo(409);
    assertThat(
            Admin.of(TestServer.shared())
                .get("/admin/imports?state=expired&merchantId=" + patient.id())
                .json()
                .get("imports")
                .size())
        .isEqualTo(1);
    assertThat(
            Pages.of(TestPerson.of(patient))
                .get("/console/imports/%d/%d".formatted(patient.id(), old))
                .body())
        .contains("It expired and its file was deleted");
  }

  private JsonNode line(String name) {
    return Admin.of(server())
        .get("/admin/merchants/" + merchant.id() + "/usage")
        .json()
        .get("limits")
        .valueStream()
        .filter(line -> line.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private int pieces() {
    return Integer.parseInt(
        merchant.texts("select count(*) from import_piece where merchant_id = ?").getFirst());
  }

  private static int id(Reply reply) {
    return reply.json().get("importId").asInt();
  }

  private static TestServer server() {
    return TestServer.with(
        Map.of("import.max-open", "2", "import.max-bytes", Integer.toString(MAX_BYTES)));
  }
}
