package io.stockroom.console.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator's page of a merchant: its status, its activity and its limits, without a browser.
 */
class MerchantStatusPagesTest {
  private final Pages pages = Pages.of(TestPerson.operator());

  @Test
  void suspendsResumesAndClosesWithATypedConfirmation() {
    TestMerchant merchant = TestMerchant.fresh();
    String place = "/console/merchants/" + merchant.id();

    HttpResponse<String> empty = pages.post(place + "/suspend", "reason", " ");
    assertThat(empty.statusCode()).isEqualTo(422);
    assertThat(empty.body()).contains("The text is empty.", "aria-invalid=\"true\"");
    pages.post(place + "/suspend", "reason", "invoice <4711>");
    assertThat(pages.get(place + "?done=suspended").body())
        .contains("Merchant suspended.", "Suspended since", "invoice &lt;4711&gt;", "Resume");
    assertThat(pages.get("/console/merchants?q=" + merchant.id()).body()).contains("Suspended");
    pages.post(place + "/resume");
    assertThat(pages.get(place).body()).doesNotContain("Suspended since");

    HttpResponse<String> unconfirmed = pages.post(place + "/close", "confirm", "typed <wrong>");
    assertThat(unconfirmed.statusCode()).isEqualTo(422);
    assertThat(unconfirmed.body())
        .contains("typed &lt;wrong&gt;", "This is not the short name of the store.");
    assertThat(pages.post(place + "/remove", "confirm", merchant.storeUrl()).statusCode())
        .isEqualTo(409);
    pages.post(place + "/close", "confirm", merchant.storeUrl());
    assertThat(pages.post(place + "/remove", "confirm", "other").statusCode()).isEqualTo(422);
    assertThat(pages.get(place).body())
        .contains("Closed on", "Remove this merchant’s data")
        .doesNotContain("Close this merchant permanently");
    assertThat(pages.post(place + "/resume").statusCode()).isEqualTo(409);
    assertThat(pages.post(place + "/limits", "limit", "limits.zone", "value", "UTC").statusCode())
        .isEqualTo(409);
  }

  @Test
  void renamesAMerchantAndAnApplication() {
    TestMerchant merchant = TestMerchant.fresh();
    String place = "/console/merchants/" + merchant.id();
    String application = "/console/applications/" + merchant.api().appid();

    assertThat(pages.post(place + "/name", "name", "x".repeat(101)).statusCode()).isEqualTo(422);
    assertThat(pages.post(application + "/name", "name", " ").statusCode()).isEqualTo(422);
    pages.post(place + "/name", "name", "x".repeat(100));
    pages.post(application + "/name", "name", "Sync 7");

    assertThat(pages.get(place).body()).contains("<h1>" + "x".repeat(100) + "</h1>");
    assertThat(pages.get(application).body()).contains("<h1>Sync 7</h1>");
  }

  @Test
  void showsWhatTheMerchantDoes() {
    TestMerchant merchant = TestMerchant.fresh();
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "red", "36", 0));
    merchant.api().products("page=x");
    String place = "/console/merchants/" + merchant.id();

    assertThat(
            Eventually.within(
                Duration.ofSeconds(20),
                () -> pages.get(place).body().contains("Error codes this month")))
        .isTrue();
    assertThat(pages.get(place).body())
        .contains(
            "Sold out",
            "This month",
            "1 active token",
            "No webhook is failing.",
            "Latest imports",
            "/console/applications/" + merchant.api().appid());
  }

  /** Defaults concern every merchant, so this test has its own database. */
  @Test
  void setsLimitsWithUnitsForAllMerchantsWithoutARestart(@TempDir Path folder) {
    try (ScratchDatabase database = ScratchDatabase.withTables();
        Stockroom stockroom = database.serve(folder)) {
      TestServer server = TestServer.of(stockroom);
      TestMerchant merchant = TestMerchant.on(server);
      Pages operator = Pages.of(TestPerson.operator(server));
      String own = "/console/merchants/" + merchant.id() + "/limits";

      HttpResponse<String> wrong =
          operator.post(
              "/console/limits", "limit", "limits.create-interval", "value", "2 lightyears");
      assertThat(wrong.statusCode()).isEqualTo(422);
      assertThat(wrong.body()).contains("2 lightyears", "such as 2 seconds, or no limit");
      operator.post("/console/limits", "limit", "limits.store-products", "value", "1,234 products");

      awaitPolicy(merchant, 1234);
      operator.post(own, "limit", "limits.store-products", "value", "77 个商品");
      awaitPolicy(merchant, 77);
      assertThat(operator.get("/console/merchants/" + merchant.id()).body())
          .contains("value=\"77 products\"", "Reset to 1,234 products", "Limit history");
      operator.post(own, "limit", "limits.store-products", "clear", "true");
      awaitPolicy(merchant, 1234);
      operator.post("/console/limits", "limit", "limits.store-products", "clear", "true");
      awaitPolicy(merchant, 5000);
      assertThat(operator.get("/console/limits").body())
          .containsSubsequence("Limit history", "1,234 products", "default", "1,234 products");
    }
  }

  /** Waits until calls of the merchant are counted against this limit. */
  private static void awaitPolicy(TestMerchant merchant, int storeProducts) {
    assertThat(
            Eventually.within(
                Duration.ofSeconds(20),
                () ->
                    merchant
                        .api()
                        .call("/Usage")
                        .form("page=1")
                        .send()
                        .json()
                        .toString()
                        .contains("\"limit\":" + storeProducts)))
        .isTrue();
  }
}
