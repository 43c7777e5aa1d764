package io.stockroom.console;

import com.microsoft.playwright.Page;
import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TwoCells;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The look of the operator's page of cells while merchants are moved. */
class CellLookTest {
  private static final Sql ENDED =
      Sql.of(
          """
          insert into merchant_move (merchant_id, from_cell, to_cell, phase, message,
            rows_copied, rows_total, pause_millis, actor, announced_at, ended_at)
          values
            (:first, 1, 2, 'cancelled', '', 0, 0, null, 'ops@example.com', null, now()),
            (:first, 1, 2, 'failed', 'the cells differ in stock_entry', 812, 812, null,
              'ops@example.com', now(), now()),
            (:second, 1, 2, 'done', '', 1204, 1204, 143, 'ops@example.com', now(), now())
          """);

  @Test
  void cellsLookAsTheyShould(@TempDir Path folder) throws Exception {
    try (TwoCells cells = new TwoCells(folder)) {
      cells.copiedMerchant();
      TestMerchant first = TestMerchant.in("main", cells.server());
      TestMerchant second = TestMerchant.in("east", cells.server());
      cells
          .server()
          .directory()
          .write(
              connection ->
                  ENDED
                      .on(connection)
                      .set("first", first.id())
                      .set("second", second.id())
                      .update());
      TestPerson operator = TestPerson.operator(cells.server());
      Looks.check(
          "cells",
          cells.server(),
          List.of(
              scene("cells", operator, "/console/cells").then(CellLookTest::stopRefreshing),
              scene("cells-moving", operator, "/console/cells").then(CellLookTest::stopRefreshing),
              scene("cells-drain", operator, "/console/cells").then(CellLookTest::drain),
              // the page of a merchant in its first state is checked by axe elsewhere
              scene("merchant-cell", operator, "/console/merchants/" + first.id())
                  .then(CellLookTest::showOnlyTheMove)
                  .withoutAxe()));
    }
  }

  private static LookScene scene(String name, TestPerson operator, String path) {
    return LookScene.of(name, operator, path)
        .measured(DeveloperLookTest.MEASURED + ", .cells .measured, .cells .meaning");
  }

  private static void drain(Page page) {
    page.locator("select[name=to]").selectOption("main");
    page.locator("button.danger").click();
    page.locator("main .problem").waitFor();
    stopRefreshing(page);
  }

  private static void showOnlyTheMove(Page page) {
    page.evaluate(
        "document.querySelectorAll('main > :not(#move)').forEach(other => other.remove())");
  }

  /** Replaces the live part by a copy, so that it does not change while its picture is taken. */
  private static void stopRefreshing(Page page) {
    page.evaluate(
        """
        const live = document.getElementById('state');
        const copy = live.cloneNode(true);
        ['hx-get', 'hx-trigger', 'hx-swap'].forEach(name => copy.removeAttribute(name));
        live.replaceWith(copy);
        """);
  }
}
