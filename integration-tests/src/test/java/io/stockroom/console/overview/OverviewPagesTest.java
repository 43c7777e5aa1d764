package io.stockroom.console.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverviewPagesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages pages = Pages.of(TestPerson.of(merchant));

  @Test
  void isTheHomePageOfMerchantsAndOperators() {
    assertThat(pages.get("/console").headers().firstValue("Location"))
        .hasValueSatisfying(path -> assertThat(path).endsWith("/console/overview"));
    assertThat(Pages.of(TestPerson.operator()).get("/console").headers().firstValue("Location"))
        .hasValueSatisfying(path -> assertThat(path).endsWith("/console/overview"));
    TestPerson developer =
        TestPerson.with("\"merchantId\":" + merchant.id() + ",\"roles\":[\"developer\"]");
    assertThat(Pages.of(developer).get("/console/overview").statusCode()).isEqualTo(404);
  }

  @Test
  void showsAMerchantWhatIsMissingAndWhatChanged() {
    assertThat(pages.get("/console/overview").body())
        .contains("First steps", "Nothing has changed today.");
    List<Integer> ids = merchant.products(4);
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(ids.get(0), "red", Stock.size("36", 0), Stock.size("37", 90)),
                Stock.group(ids.get(0), "blue", Stock.size("36", 0), Stock.size("37", 3))));
    merchant.api().create(Stock.one(ids.get(1), "red", "38", 0));
    merchant.api().create(Stock.one(ids.get(2), "red", "36", 50));

    String page = pages.get("/console/overview").body();

    assertThat(tile(page, "sold-out")).isEqualTo("1");
    assertThat(tile(page, "low")).isEqualTo("1");
    assertThat(tile(page, "in-stock")).isEqualTo("1");
    assertThat(tile(page, "none-yet")).isEqualTo("1");
    assertThat(page)
        .contains("2 colors sold out", "heat-4", "heat-1", "Product details today", "Resets")
        .contains("7 changes", "red 36: 0 → 50");
    String table = page.substring(page.indexOf("missing-title"));
    assertThat(table.indexOf(">A1</a>")).as("most missing").isLessThan(table.indexOf(">A2</a>"));
  }

  @Test
  void showsAMerchantTheImportsThatWait() {
    merchant.imports().plan("new.jsonl", TestMerchant.line("B1"));

    assertThat(pages.get("/console/overview").body())
        .contains("Imports awaiting your decision", "1 new, 0 changed, no errors");
  }

  /** On a server without other merchants, because the page shows only the busiest ones. */
  @Test
  void showsAnOperatorBusyMerchantsFullLimitsAndFailingWebhooks(@TempDir Path folder) {
    Settings settings = Settings.with(OwnDatabase.settings(OwnDatabase.withTables()));
    try (Stockroom stockroom = Stockroom.start(folder, settings)) {
      TestServer server = TestServer.of(stockroom);
      TestMerchant busy = TestMerchant.on(server);
      int product = busy.product();
      busy.api().products("page=x");
      busy.api().stock(product);
      Logged.awaitCalls(busy, 2);
      busy.texts(
          """
          with filled as (update detail_usage set day = current_date, used = 1000000
            where merchant_id = ? returning 1) select count(*) from filled
          """);
      Pages operator = Pages.of(TestPerson.operator(server));

      Pattern bothRejected =
          Pattern.compile("Merchant(?:(?!</tr>).)*\"Rejected\">2<", Pattern.DOTALL);
      assertThat(
              Eventually.within(
                  Duration.ofSeconds(20),
                  () ->
                      bothRejected
                          .matcher(operator.get("/console/overview?by=errors").body())
                          .find()))
          .as("one with status 400, one with status 200 and an error code")
          .isTrue();
      assertThat(operator.get("/console/overview").body())
          .contains("product details today", "✓ Online", "Failing webhooks");
    }
  }

  private static String tile(String page, String status) {
    Matcher tile =
        Pattern.compile("status=" + status + "\">\\s*<span class=\"much\">([^<]*)<").matcher(page);
    assertThat(tile.find()).as(status).isTrue();
    return tile.group(1);
  }
}
