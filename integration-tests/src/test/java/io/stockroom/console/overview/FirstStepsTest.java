package io.stockroom.console.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstStepsTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final FirstSteps steps = new FirstSteps(merchant.server().cells());

  @Test
  void aMerchantsStepsTickThemselvesAndTheListDisappears() throws SQLException {
    Pages pages = Pages.of(TestPerson.of(merchant));
    assertThat(done()).isEmpty();
    assertThat(overview(pages))
        .contains("0 of 4 done", "Add products", "sample")
        .doesNotContain("No products yet");

    int product = merchant.product();
    assertThat(done()).containsExactly("products");
    merchant.api().create(Stock.one(product, "red", "36", 5));
    assertThat(done()).contains("products", "stock");
    useToken();
    assertThat(done()).containsExactly("products", "stock", "connect");
    assertThat(overview(pages)).contains("3 of 4 done");
    pages.post("/console/products/" + product + "/low-stock", "below", "7");
    assertThat(done()).hasSize(4);

    assertThat(overview(pages)).doesNotContain("first-steps");
    // finished once, it stays away
    merchant.texts(
        """
        with gone as (delete from low_stock_threshold where merchant_id = ? returning 1)
        select count(*) from gone
        """);
    assertThat(overview(pages)).doesNotContain("first-steps");
    assertThat(overview(Pages.of(TestPerson.of(merchant)))).contains("3 of 4 done");
  }

  @Test
  void eachPersonHidesTheListForThemselves() {
    Pages pages = Pages.of(TestPerson.of(merchant));
    assertThat(overview(pages)).contains("first-steps");

    pages.post("/console/overview/first-steps/hide");

    assertThat(overview(pages)).contains("No products yet").doesNotContain("first-steps");
    assertThat(overview(Pages.of(TestPerson.of(merchant)))).contains("first-steps");
    assertThat(pages.withFormToken("wrong").post("/console/overview/first-steps/hide").statusCode())
        .isEqualTo(403);
  }

  @Test
  void anOperatorIsLedToTheFirstCallAndTheFirstBackup() throws SQLException {
    TestPerson.of(merchant);
    merchant.api();
    useToken();
    assertThat(List.of("merchant", "application", "token", "person", "call"))
        .allMatch(this::isDone);

    Audit audit = new Audit(merchant.server().cells());
    merchant
        .server()
        .database()
        .write(
            connection -> {
              audit.add(
                  connection,
                  Audit.SERVER,
                  Actor.operator("command line"),
                  "server.backup",
                  "a.zip",
                  "");
              return true;
            });

    assertThat(isDone("backup")).isTrue();
    assertThat(overview(Pages.of(TestPerson.operator()))).doesNotContain("first-steps");
  }

  /** As the server does some seconds after a call. */
  private void useToken() {
    merchant.inDirectory(
        """
        with used as (
          update access_token set last_used_at = now() where merchant_id = ? returning 1)
        select count(*) from used
        """);
  }

  private boolean isDone(String name) {
    try {
      return steps.ofOperator().steps().stream()
          .anyMatch(step -> step.name().equals(name) && step.done());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> done() {
    try {
      return steps.ofMerchant(merchant.id()).steps().stream()
          .filter(FirstSteps.Step::done)
          .map(FirstSteps.Step::name)
          .toList();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String overview(Pages pages) {
    return pages.with("Accept-Language", "en").get("/console/overview").body();
  }
}
