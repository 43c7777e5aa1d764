package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The look of the operator's pages. They list everything, so this test has its own database. */
class OperatorLookTest {
  /** Selects what differs from run to run: host names, measured times, hashes. */
  private static final String MEASURED =
      DeveloperLookTest.MEASURED
          + ", .health .tiles p, .health td, .health tbody th, .card.check p, .overview .rows .code, .node-load, .cells .measured";

  @Test
  void pagesOfOperatorsLookAsTheyShould(@TempDir Path folder) {
    try (ScratchDatabase database = ScratchDatabase.withTables();
        Stockroom stockroom = database.serve(folder)) {
      TestServer server = TestServer.of(stockroom);
      Looks.check("operators", server, scenes(server));
    }
  }

  private static List<LookScene> scenes(TestServer server) {
    TestMerchant merchant = TestMerchant.on(server);
    TestPerson person = TestPerson.of(merchant);
    TestPerson operator = TestPerson.operator(server);
    String application = "/console/applications/" + merchant.api().appid();
    merchant
        .imports()
        .plan("products.csv", "货号,标题,价格,颜色,尺码,库存\nA1,Shoe,59,red,36,5\nA2,Boot,x,red,36,5\n");
    merchant.imports().plan("other.csv", "Ref,Text\nA1,Shoe\n");
    Admin.of(server)
        .send(
            "PUT",
            "/admin/merchants/%d/limits".formatted(merchant.id()),
            "{\"limits.detail-per-day\":7}");
    TestMerchant suspended = TestMerchant.on(server);
    Admin.of(server)
        .post(
            "/admin/merchants/%d/suspend".formatted(suspended.id()),
            "{\"reason\":\"Invoice 4711 is unpaid\"}");
    TestMerchant removed = removed(server);
    TestPerson viewer = TestPerson.operator(server);
    Pages.of(viewer).post("/console/merchants/" + merchant.id() + "/view");
    return List.of(
            LookScene.of("operator-overview", operator, "/console/overview"),
            LookScene.of("operator-first-call", operator, "/console/overview")
                .same(server.port(), "8080")
                .then(page -> page.locator(".first-steps details summary").click()),
            LookScene.of("merchants", operator, "/console/merchants"),
            LookScene.of("merchant", operator, "/console/merchants/" + merchant.id()),
            LookScene.of("merchant-suspended", operator, "/console/merchants/" + suspended.id()),
            LookScene.of("merchant-removed", operator, "/console/merchants/" + removed.id()),
            LookScene.of("view-as-merchant", viewer, "/console/products"),
            LookScene.of("suspended-console", TestPerson.of(suspended), "/console/imports"),
            LookScene.of("merchant-audit", person, "/console/audit"),
            LookScene.of("navigation-more", operator, "/console/limits")
                .then(page -> page.evaluate("document.querySelector('.pages .more').open = true")),
            LookScene.of("people", operator, "/console/people"),
            LookScene.of("people-add", operator, "/console/people")
                .then(page -> page.locator("details.fold summary").click())
                .withoutAxe(),
            LookScene.of("person", operator, "/console/people/" + person.id()),
            LookScene.of("limits", operator, "/console/limits"),
            LookScene.of("audit", operator, "/console/audit"),
            LookScene.of("operator-imports", operator, "/console/imports"),
            LookScene.of("operator-applications", operator, "/console/applications").withoutAxe(),
            LookScene.of("operator-application", operator, application),
            LookScene.of("operator-rotate", operator, application + "/rotate"),
            LookScene.of("health", operator, "/console/health"),
            LookScene.of("cells-one", operator, "/console/cells"),
            LookScene.of("operator-requests", operator, "/console/requests"),
            LookScene.of("secret-once", operator, application + "/rotate")
                .then(OperatorLookTest::rotate)
                .withoutAxe())
        .stream()
        .map(scene -> scene.measured(MEASURED))
        .toList();
  }

  /** A closed merchant whose data is gone. */
  private static TestMerchant removed(TestServer server) {
    TestMerchant merchant = TestMerchant.on(server);
    String path = "/admin/merchants/" + merchant.id();
    String confirm = "{\"confirm\":\"%s\"}".formatted(merchant.storeUrl());
    merchant.product();
    Admin.of(server).post(path + "/close", confirm);
    Admin.of(server).post(path + "/remove", confirm);
    boolean isRemoved =
        Eventually.within(
            Duration.ofSeconds(30),
            () -> Admin.of(server).get(path).json().get("removedAt").isString());
    assertThat(isRemoved).isTrue();
    return merchant;
  }

  private static void rotate(Page page) {
    page.locator("main button.main").click();
    page.locator("#once-value").waitFor();
  }
}
