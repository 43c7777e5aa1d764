package io.stockroom.console.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.changes.ChangeLog;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The grid's requests, without a browser. */
class GridRulesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final int product = merchant.product();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages pages = Pages.of(person).with("Accept-Language", "en");

  @Test
  void savesTheChangedCellsTogetherAndReturnsTheGrid() {
    create("36-37", 5);

    HttpResponse<String> saved = save(cell("black", 36, "[5,7]"), cell("red", 40, "[null,3]"));

    assertThat(saved.statusCode()).isEqualTo(200);
    assertThat(saved.body())
        .isEqualTo(
            """
            {"saved":2,"number":3,"grid":{"colors":["black","red"],"pictures":{},\
            "sizes":[["36","b36"],["37","b37"],["40","b40"]],\
            "cells":[["black","36",7,null],["black","37",5,null],["red","40",3,null]]}}""");
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("7", "5", "3");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void writesNothingIfSomeoneElseChangedACell() {
    create("36-37", 5);
    create("36", 9);

    HttpResponse<String> saved = save(cell("black", 37, "[5,1]"), cell("black", 36, "[5,7]"));

    assertThat(saved.statusCode()).isEqualTo(409);
    assertThat(saved.body()).isEqualTo("{\"conflicts\":[[\"black\",\"36\",9,null]]}");
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("9", "5");
    assertThat(save(cell("black", 37, "[5,1]"), cell("black", 36, "[9,7]")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void reportsAConflictForAConcurrentlyCreatedCellUnlessTheValuesMatch() {
    create("36", 5);

    assertThat(save(cell("black", 36, "[null,7]")).statusCode()).isEqualTo(409);
    assertThat(save(cell("black", 36, "[null,5]")).statusCode()).isEqualTo(200);
  }

  @Test
  void aConcurrentBarcodeChangeDoesNotBlockAQuantity() {
    create("36", 5);
    merchant.api().create(Stock.list(Stock.group(product, "black", Stock.size("36", 5, "690"))));

    assertThat(save(cell("black", 36, "[5,7]")).statusCode()).isEqualTo(200);
    assertThat(merchant.api().stock(product).data("barCode")).containsExactly("690");
  }

  @Test
  void addsMovesAndRemovesBarcodes() {
    create("36-37", 5);
    assertThat(save(barcode("black", 36, "[null,\"690\"]")).statusCode()).isEqualTo(200);

    HttpResponse<String> twice = save(barcode("black", 37, "[null,\"690\"]"));
    assertThat(twice.statusCode()).isEqualTo(422);
    assertThat(twice.body()).contains("\"at\":\"[0].barcode\"", "already used by product");

    assertThat(
            save(barcode("black", 36, "[\"690\",null]"), barcode("black", 37, "[null,\"690\"]"))
                .statusCode())
        .isEqualTo(200);
    assertThat(merchant.api().stock(product).data("barCode")).containsExactly("null", "690");
  }

  @Test
  void removesEntriesAndBringsThemBackWithTheirBarcodes() {
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(product, "black", Stock.size("36", 5, "690"), Stock.size("37", 6)),
                Stock.group(product, "red", Stock.size("36", 7))));
    String before = merchant.api().stock(product).body();

    HttpResponse<String> conflict = save(cell("black", 37, "[5,null]"));
    HttpResponse<String> saved =
        save(
            cell("black", 36, "[5,null]"),
            cell("red", 36, "[7,null]"),
            "{\"color\":\"black\",\"size\":37,\"quantity\":[6,8],\"barcode\":[null,\"690\"]}");

    assertThat(conflict.statusCode()).isEqualTo(409);
    assertThat(saved.body())
        .isEqualTo(
            "{\"saved\":3,\"number\":3,\"grid\":{\"colors\":[\"black\"],\"pictures\":{},"
                + "\"sizes\":[[\"37\",\"b37\"]],\"cells\":[[\"black\",\"37\",8,\"690\"]]}}");
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(pages.get(path() + "/history").body()).contains("removed");

    long change = lastChange();
    assertThat(pages.post(path() + "/history/" + change + "/undo", "others", "ask").statusCode())
        .isEqualTo(200);
    assertThat(merchant.api().stock(product).body()).isEqualTo(before);

    assertThat(
            pages.post(path() + "/history/" + lastChange() + "/undo", "others", "ask").statusCode())
        .isEqualTo(200);
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("8");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void aProductWithoutItsLastEntryHasNoStockAndCanGetSomeAgain() {
    create("36", 5);
    String guid = merchant.api().stock(product).data("guid").getFirst();

    save(cell("black", 36, "[5,null]"));

    assertThat(merchant.api().products("page=1&stock=true").data()).isEmpty();
    assertThat(merchant.api().stock(product).success()).isFalse();
    assertThat(merchant.inconsistencies()).isEmpty();

    merchant.imports().apply("p.csv", "artNo,color,36,37\nA1,black,3,4\n");

    assertThat(merchant.api().products("page=1&stock=true").data()).hasSize(1);
    assertThat(merchant.api().stock(product).data("guid").getFirst()).isEqualTo(guid);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private long lastChange() {
    return Long.parseLong(
        merchant
            .texts("select max(number) from change_log where merchant_id = ? and kind = 'stock'")
            .getFirst());
  }

  @Test
  void reportsTheCellOfEveryProblemAndWritesNothing() {
    create("36", 5);

    HttpResponse<String> saved =
        save(
            cell("black", 36, "[5,6]"),
            cell("black", 37, "[null,-1]"),
            cell("black", 38, "[null,2147483648]"),
            cell(" ", 36, "[null,1]"),
            "{\"color\":\"black\",\"size\":\"S,M\",\"quantity\":[null,1]}",
            barcode("black", 36, "[null,\"" + "9".repeat(65) + "\"]"));

    assertThat(saved.statusCode()).isEqualTo(422);
    assertThat(saved.body())
        .contains("[1].quantity", "[2].quantity", "[3].color", "[4].size", "[5].barcode")
        .doesNotContain("[0]");
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("5");
    assertThat(save(cell("black", 36, "[5,2147483647]")).statusCode()).isEqualTo(200);
    for (String broken : List.of("", "[]", "{}", "[1]", "[{]", "[{}]", "null")) {
      assertThat(pages.json(path(), broken).statusCode()).as(broken).isEqualTo(422);
    }
  }

  @Test
  void isHiddenFromOthersAndRejectsRequestsWithoutTheCsrfToken() {
    create("36", 5);
    Pages stranger = Pages.of(TestPerson.of(TestMerchant.fresh()));

    assertThat(stranger.get(path()).statusCode()).isEqualTo(404);
    assertThat(stranger.json(path(), "[" + cell("black", 36, "[5,7]") + "]").statusCode())
        .isEqualTo(404);
    assertThat(stranger.get(path() + "/history").statusCode()).isEqualTo(404);
    assertThat(stranger.get(path() + "/history/entry?color=black&size=36").statusCode())
        .isEqualTo(404);
    assertThat(stranger.post(path() + "/history/" + newest() + "/undo").statusCode())
        .isEqualTo(404);
    pages.withFormToken("wrong");
    assertThat(save(cell("black", 36, "[5,7]")).statusCode()).isEqualTo(403);
    assertThat(pages.post(path() + "/history/" + newest() + "/undo").statusCode()).isEqualTo(403);
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("5");
  }

  @Test
  void recordsActorSourceAndOnlyTheChanges() {
    create("36-37", 5);
    create("36-37", 5);
    save(cell("black", 36, "[5,7]"), barcode("black", 37, "[null,\"690\"]"));
    create("36", 7);

    assertThat(
            merchant.texts(
                """
                select concat_ws(' | ', a.actor, c.source, colors, sizes, quantities_before,
                  quantities_after, barcodes_before, barcodes_after)
                from change_log c join audit a on a.merchant_id = c.merchant_id and a.number = c.batch
                where c.merchant_id = ? and c.kind = 'stock' order by c.number
                """))
        .containsExactly(
            "application %s | interface | {0,0} | {b36,b37} | {NULL,NULL} | {5,5}"
                .formatted(merchant.api().appid()),
            "person %s | console | {0,0} | {b36,b37} | {5,5} | {7,5} | {NULL,NULL} | {NULL,690}"
                .formatted(person.email()));
    assertThat(pages.get(path() + "/history").body())
        .contains("application " + merchant.api().appid() + " through the API")
        .contains(person.email() + " in the console", ", from 127.0.0.1")
        .doesNotContain("person " + person.email());
    String entry = pages.get(path() + "/history/entry?color=black&size=36").body();
    assertThat(entry).contains(">7<").contains("data-color=\"black\"").doesNotContain("690");
  }

  @Test
  void undoesOneEntryOfABatchUnlessItChangedSince() {
    create("36-37", 5);
    save(cell("black", 36, "[5,7]"), cell("black", 37, "[5,8]"));
    String undo = path() + "/history/" + newest() + "/undo";

    assertThat(pages.post(undo, "color", "black", "size", "36").statusCode()).isEqualTo(200);

    assertThat(merchant.api().stock(product).data("stock")).containsExactly("5", "8");
    assertThat(pages.get(path() + "/history").body()).contains("undoing change");
    create("37", 9);
    HttpResponse<String> changed = pages.post(undo, "color", "black", "size", "37");
    assertThat(changed.statusCode()).isEqualTo(409);
    assertThat(changed.body()).isEqualTo("{\"conflicts\":[[\"black\",\"37\",9,null]]}");
    assertThat(pages.post(undo, "color", "black", "size", "38").statusCode()).isEqualTo(404);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void theHistoryLeadsToTheImportThatMadeAChange() {
    merchant.imports().apply("spring.csv", "artNo,color,36\nA1,black,3\n");
    String imported =
        merchant.texts("select max(import_id) from import where merchant_id = ?").getFirst();

    assertThat(pages.get(path() + "/history").body())
        .contains("href=\"/console/imports/%d/%s\"".formatted(merchant.id(), imported))
        .contains("import spring.csv", "Undo for this product");
  }

  @Test
  void recordsAReplayedCreateOnce() {
    long timestamp = merchant.api().nextTimestamp();
    String body = Stock.one(product, "black", "36", 5);
    merchant.api().call("/Stock/Creat").json(body).at(timestamp).send();
    save(cell("black", 36, "[5,7]"));

    assertThat(merchant.api().call("/Stock/Creat").json(body).at(timestamp).send().success())
        .isTrue();

    assertThat(
            merchant.texts(
                """
                select quantities_after[1] from change_log
                where merchant_id = ? and kind = 'stock' order by number
                """))
        .containsExactly("5", "7");
  }

  @Test
  void undoesABatchAndAsksAboutCellsThatChangedSince() {
    create("36-37", 5);
    save(cell("black", 36, "[5,7]"), cell("black", 37, "[5,8]"), cell("red", 36, "[null,3]"));
    long edited = newest();
    create("37", 9);

    HttpResponse<String> asked = undo(edited, "ask");
    assertThat(asked.statusCode()).isEqualTo(409);
    assertThat(asked.body()).isEqualTo("{\"conflicts\":[[\"black\",\"37\",9,null]]}");
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("7", "9", "3");

    assertThat(undo(edited, "leave").statusCode()).isEqualTo(200);
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("5", "9", "0");
    assertThat(merchant.texts("select undoes from change_log where merchant_id = ? order by 1"))
        .contains(Long.toString(edited));
    assertThat(undo(edited, "overwrite").statusCode()).isEqualTo(200);
    assertThat(merchant.api().stock(product).data("stock")).containsExactly("5", "5", "0");
    assertThat(undo(edited + 1_000_000, "ask").statusCode()).isEqualTo(404);
  }

  @Test
  void undoRestoresBarcodes() {
    create("36-37", 5);
    save(barcode("black", 36, "[null,\"1\"]"), barcode("black", 37, "[null,\"2\"]"));
    save(barcode("black", 36, "[\"1\",\"2\"]"), barcode("black", 37, "[\"2\",\"1\"]"));

    assertThat(undo(newest(), "ask").statusCode()).isEqualTo(200);

    assertThat(merchant.api().stock(product).data("barCode")).containsExactly("1", "2");
  }

  @Test
  void pagesTheHistoryByKey() {
    for (int i = 1; i <= 21; i++) {
      create("36", i);
    }

    String first = pages.get(path() + "/history").body();
    Matcher more = Pattern.compile("data-more=\"(\\d+)\"").matcher(first);
    assertThat(more.find()).isTrue();
    String second = pages.get(path() + "/history?before=" + more.group(1)).body();

    assertThat(first.split("data-change", -1)).hasSize(21);
    assertThat(second.split("data-change", -1)).hasSize(2);
    assertThat(second).doesNotContain("data-more");
  }

  @Test
  void deletesOnlyHistoryOlderThanTheSetting() throws SQLException {
    create("36", 5);
    create("36", 6);
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (var statement =
                  connection.prepareStatement(
                      """
                      update change_log set at = now() - case quantities_after[1]
                        when 5 then interval '90 days 1 minute' else interval '89 days' end
                      where merchant_id = ?
                      """)) {
                statement.setInt(1, merchant.id());
                return statement.executeUpdate();
              }
            });

    new ChangeLog(TestServer.shared().cells()).deleteOld(90);

    assertThat(
            merchant.texts(
                """
                select quantities_after[1] from change_log
                where merchant_id = ? and kind = 'stock'
                """))
        .containsExactly("6");
  }

  @Test
  void offersTheSizesOfTheCategory() throws Exception {
    merchant
        .imports()
        .apply(
            "p.csv",
            "artNo,title,price,categoryNameTree,color,size,quantity\nS1,t,1,Shirts,red,XL,1\n"
                + "S1,,,,red,S,1\nS2,t,1,Shirts,,,\nH1,t,1,Hats,red,58,1\n");
    pages.get("/console/products");
    int other =
        Integer.parseInt(
            merchant
                .texts("select product_id from product where art_no = 'S2' and merchant_id = ?")
                .getFirst());

    String page = pages.get("/console/products/" + other + "/stock").body();

    assertThat(page).contains("id=\"grid-sizes-offered\">S, XL</button>");
  }

  @Test
  void parsesSizesLikeTheInterface() {
    assertThat(pages.get("/console/stock/sizes?range=9-10").body())
        .isEqualTo("{\"sizes\":[[\"9\",\"a9\"],[\"10\",\"b10\"]]}");
    HttpResponse<String> backwards = pages.get("/console/stock/sizes?range=44-36");
    assertThat(backwards.statusCode()).isEqualTo(422);
    assertThat(backwards.body()).contains("did you mean 36-44?");
    pages.with("Accept-Language", "zh-CN");
    assertThat(pages.get("/console/stock/sizes?range=" + "x".repeat(21)).body()).contains("20");
    assertThat(pages.get("/console/stock/sizes?range=xl+S+M%2COne+size").body())
        .isEqualTo(
            "{\"sizes\":[[\"S\",\"u499 s\"],[\"M\",\"u500 m\"],[\"xl\",\"u502 xl\"],"
                + "[\"One size\",\"vone size\"]]}");
  }

  private void create(String sizes, int quantity) {
    assertThat(merchant.api().create(Stock.one(product, "black", sizes, quantity)).success())
        .isTrue();
  }

  private HttpResponse<String> save(String... cells) {
    return pages.json(path(), "[" + String.join(",", cells) + "]");
  }

  private HttpResponse<String> undo(long change, String others) {
    return pages.post(path() + "/history/" + change + "/undo", "others", others);
  }

  private long newest() {
    return Long.parseLong(
        merchant
            .texts("select coalesce(max(number), 0) from change_log where merchant_id = ?")
            .getFirst());
  }

  private String path() {
    return "/console/products/" + product + "/stock";
  }

  private static String cell(String color, int size, String quantity) {
    return "{\"color\":\"%s\",\"size\":%d,\"quantity\":%s}".formatted(color, size, quantity);
  }

  private static String barcode(String color, int size, String barcode) {
    return "{\"color\":\"%s\",\"size\":%d,\"barcode\":%s}".formatted(color, size, barcode);
  }
}
