package io.stockroom.console.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import io.stockroom.server.testing.TwoCells;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator's page of cells, and the move on the page of a merchant, without a browser. */
class CellPagesTest {
  private static final String CELLS = "/console/cells";

  @TempDir static Path folder;

  private static TwoCells cells;
  private static TestServer server;
  private static TestMerchant copied;
  private static TestPerson operator;
  private static Pages pages;

  @BeforeAll
  static void start() throws Exception {
    cells = new TwoCells(folder);
    server = cells.server();
    copied = cells.copiedMerchant();
    operator = TestPerson.operator(server);
    pages = Pages.of(operator);
  }

  @AfterAll
  static void stop() {
    cells.close();
  }

  private static String place(TestMerchant merchant) {
    return "/console/merchants/" + merchant.id();
  }

  private static void assertRefused(HttpResponse<String> response, String reason) {
    assertThat(response.statusCode()).isEqualTo(422);
    assertThat(response.body()).contains("class=\"problem\"", reason);
  }

  private static void assertLeadsTo(String path, HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isBetween(302, 303);
    assertThat(response.headers().firstValue("Location").orElseThrow()).endsWith(path);
  }

  @Test
  void listsCellsAndMovesAndRefreshesItself() {
    assertThat(pages.get(CELLS).body())
        .contains(
            "<html", ">main</b>", ">east</b>", "in the database of the directory", "Drain a cell")
        .contains(">Load</th>", ">Lag</th>")
        .contains(place(copied), "main → east", "copying", "4,000 of 10,000", "value=\"40\"")
        .contains("hx-get=\"/console/cells\"");
    assertThat(Pages.of(operator).with("HX-Request", "true").get(CELLS).body())
        .contains("id=\"state\"", "4,000 of 10,000")
        .doesNotContain("<html", "Drain a cell");
  }

  @Test
  void saysThatACellCannotBeReached() throws Exception {
    server
        .directory()
        .write(
            connection ->
                Sql.of(
                        """
                        insert into cell (name, url, state)
                        values ('west', 'jdbc:postgresql://127.0.0.1:1/none', 'draining')
                        """)
                    .on(connection)
                    .update());

    assertThat(pages.get(CELLS).body()).contains(">west</b>", "unreachable", "Stop draining");
  }

  @Test
  void movesAMerchantAndCancelsTheMove() {
    TestMerchant merchant = TestMerchant.in("main", server);
    String place = place(merchant);
    assertThat(pages.get(place).body())
        .contains("in the cell main", "Move to", "<option value=\"east\">east</option>");

    assertRefused(pages.post(place + "/move", "to", "nowhere"), "There is no cell nowhere.");
    assertRefused(pages.post(place + "/move", "to", "main"), "it is in the cell main already.");
    assertLeadsTo(place + "?done=moving", pages.post(place + "/move", "to", "east"));
    assertThat(pages.get(place + "?done=moving").body())
        .contains("The move begins within a second.", "waiting", "main → east")
        .doesNotContain("<option value=\"east\">");
    assertRefused(pages.post(place + "/move", "to", "east"), "it is moving already");
    assertRefused(
        Pages.of(operator).with("Accept-Language", "zh-CN").post(place + "/move", "to", "east"),
        "无法迁移：该商家正在迁移");

    assertLeadsTo(CELLS + "?done=cancelled", pages.post(place + "/move/cancel"));
    assertThat(pages.get(CELLS + "?done=cancelled").body())
        .contains("The move is canceled.", ">canceled</span>");
    assertRefused(pages.post(place + "/move/cancel"), "no move of it is running");
    assertThat(Admin.of(server).get("/admin/audit?merchant=" + merchant.id()).body())
        .contains("\"merchant.move\"", "\"merchant.move-cancel\"", operator.email());
  }

  @Test
  void drainsACellAndStopsThat() {
    cells.add("south");
    TestMerchant merchant = TestMerchant.in("south", server);

    assertRefused(
        pages.post(CELLS + "/drain", "cell", "east", "to", "east"),
        "there is no other active cell that could take the merchants.");
    assertRefused(pages.post(CELLS + "/drain", "cell", "none"), "There is no cell none.");
    assertLeadsTo(
        CELLS + "?done=draining", pages.post(CELLS + "/drain", "cell", "south", "to", "east"));
    assertThat(pages.get(CELLS).body())
        .contains("/console/cells/south/activate", "south → east", place(merchant));
    assertRefused(
        pages.post(place(copied) + "/move", "to", "south"), "the cell south is draining.");

    assertLeadsTo(CELLS + "?done=active", pages.post(CELLS + "/south/activate"));
    assertThat(pages.get(CELLS).body()).doesNotContain("/console/cells/south/activate");
    assertThat(Admin.of(server).get("/admin/merchants/" + merchant.id() + "/move").body())
        .contains("\"phase\":\"cancelled\"");
    assertRefused(pages.post(CELLS + "/none/activate"), "There is no cell none.");
  }

  @Test
  void explainsCellsWhereThereIsOne() {
    TestMerchant merchant = TestMerchant.fresh();
    Pages single = Pages.of(TestPerson.operator());

    assertThat(single.get(CELLS).body())
        .contains("./stockroom cell add east", "/docs/operators/cells.html")
        .doesNotContain("Drain a cell", "hx-get=\"/console/cells\"");
    assertThat(single.get(place(merchant)).body()).doesNotContain("/move\"");
  }

  @Test
  void isNotForMerchants() {
    Pages merchant = Pages.of(TestPerson.of(TestMerchant.in("main", server)));

    assertThat(merchant.get(CELLS).statusCode()).isEqualTo(404);
    assertThat(merchant.post(CELLS + "/drain", "cell", "main").statusCode()).isEqualTo(404);
    assertThat(merchant.post(CELLS + "/main/activate").statusCode()).isEqualTo(404);
    assertThat(merchant.post(place(copied) + "/move", "to", "east").statusCode()).isEqualTo(404);
    assertThat(merchant.post(place(copied) + "/move/cancel").statusCode()).isEqualTo(404);
    assertThat(merchant.get("/console/products").body()).doesNotContain(CELLS);
  }
}
