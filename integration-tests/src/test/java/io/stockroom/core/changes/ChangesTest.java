package io.stockroom.core.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code POST /Changes}: fields, bounds and cursors. */
class ChangesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void showsEveryFieldOfAChange() {
    int product = merchant.importedProducts(1).getFirst();
    api.create(
        Stock.list(Stock.group(product, "red", Stock.size("37", 20, "690"), Stock.size("36", 5))));
    api.create(Stock.one(product, "red", "36", 7));

    Reply reply = Feed.changes(api, "");

    String guid36 = api.stock(product).data("guid").get(0);
    String guid37 = api.stock(product).data("guid").get(1);
    assertThat(shown(reply))
        .isEqualTo(
            """
            {"success":true,"msg":"","cursor":"%s","more":false,"changes":[\
            {"number":1,"at":"T","kind":"product","pid":%2$d,"artNo":"A1","source":"import",\
            "batch":"b_1","created":true,"fields":["title","description","price",\
            "categoryIdTree","categoryNameTree","imgs","video","attributes","colorImage"]},\
            {"number":2,"at":"T","kind":"stock","pid":%2$d,"artNo":"A1","source":"interface",\
            "batch":"b_2","entries":[\
            {"guid":"%3$s","barCode":null,"color":"red","size":36,"before":null,"after":5},\
            {"guid":"%4$s","barCode":"690","color":"red","size":37,"before":null,"after":20}]},\
            {"number":3,"at":"T","kind":"stock","pid":%2$d,"artNo":"A1","source":"interface",\
            "batch":"b_3","entries":[\
            {"guid":"%3$s","barCode":null,"color":"red","size":36,"before":5,"after":7}]}]}"""
                .formatted(Feed.latest(api), product, guid36, guid37));
  }

  private static String shown(Reply reply) {
    // merchants have audit entries before their first change
    String text =
        reply
            .body()
            .replaceAll(
                "\"at\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\"", "\"at\":\"T\"");
    List<String> batches =
        reply
            .json()
            .get("changes")
            .valueStream()
            .map(change -> change.get("batch").asString())
            .distinct()
            .toList();
    for (int i = 0; i < batches.size(); i++) {
      text = text.replace("\"" + batches.get(i) + "\"", "\"b_" + (i + 1) + "\"");
    }
    return text;
  }

  @Test
  void namesTheSourceOfEveryPath() {
    int product = merchant.importedProducts(1).getFirst();
    api.create(Stock.one(product, "red", "36", 5));
    Pages pages = Pages.of(TestPerson.of(merchant));
    String grid = "/console/products/" + product + "/stock";
    pages.json(grid, "[{\"color\":\"red\",\"size\":36,\"quantity\":[5,7]}]");
    pages.post(grid + "/history/3/undo", "others", "ask");

    assertThat(new Feed(api).next("").stream().map(change -> change.get("source").asString()))
        .containsExactly("import", "interface", "console", "undo");
  }

  @Test
  void changesOfOneRequestShareTheirBatchAndAreOrderedByProduct() {
    List<Integer> products = merchant.products(2);
    String cursor = Feed.latest(api);
    api.create(
        Stock.list(
            Stock.group(products.get(1), "red", Stock.size("36", 5)),
            Stock.group(products.get(0), "red", Stock.size("36", 5))));

    List<JsonNode> changes = new Feed(api, cursor).next("");

    assertThat(Feed.numbers(changes)).containsExactly(3L, 4L);
    assertThat(changes.get(0).get("pid").asInt()).isEqualTo(products.get(0));
    assertThat(changes.get(0).get("batch")).isEqualTo(changes.get(1).get("batch"));
  }

  @Test
  void continuesAtTheCursorAndSaysWhetherThereIsMore() {
    merchant.products(5);
    Feed feed = new Feed(api);

    Reply first = Feed.changes(api, "limit=4");
    assertThat(first.json().get("more").asBoolean()).isTrue();
    assertThat(Feed.numbers(feed.next("limit=4"))).containsExactly(1L, 2L, 3L, 4L);
    assertThat(Feed.numbers(feed.next("limit=4"))).containsExactly(5L);
    Reply end = Feed.changes(api, "after=" + feed.cursor());
    assertThat(end.json().get("more").asBoolean()).isFalse();
    assertThat(end.json().get("changes")).isEmpty();
    assertThat(end.json().get("cursor").asString()).isEqualTo(feed.cursor());
    assertThat(Feed.changes(api, "limit=5").json().get("more").asBoolean()).isFalse();
  }

  @Test
  void latestReturnsOnlyTheCursor() {
    assertThat(Feed.changes(api, "after=latest").json().get("changes")).isEmpty();
    merchant.products(2);

    Reply latest = Feed.changes(api, "after=latest&wait=25");

    assertThat(latest.json().get("changes")).isEmpty();
    assertThat(latest.json().get("more").asBoolean()).isFalse();
    Feed feed = new Feed(api, latest.json().get("cursor").asString());
    assertThat(feed.next("")).isEmpty();
    merchant.product();
    assertThat(Feed.numbers(feed.next(""))).containsExactly(3L);
  }

  @Test
  void takesItsFieldsFromTheQueryAndIgnoresEmptyOnes() {
    merchant.products(2);

    assertThat(api.call("/Changes").query("limit=1").send().json().get("changes")).hasSize(1);
    assertThat(Feed.changes(api, "after=&limit=&wait=").json().get("changes")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=1, 200",
    "limit=1000, 200",
    "limit=0, 400",
    "limit=1001, 400",
    "limit=x, 400",
    "limit=1.0, 400",
    "wait=0, 200",
    "wait=26, 400",
    "wait=-1, 400",
    "limit=1&limit=1, 400"
  })
  void limitIsFrom1To1000AndWaitFrom0To25(String fields, int status) {
    assertThat(Feed.changes(api, fields).status()).isEqualTo(status);
  }

  @Test
  void reportsAllProblemsOfARequestAtOnce() {
    Reply reply = Feed.changes(api, "after=17&limit=0&wait=99");

    assertThat(reply.places()).containsExactly("after", "limit", "wait");
    assertThat(reply.codes()).containsExactly("CURSOR_FORMAT", "NUMBER_FORMAT", "NUMBER_FORMAT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "c_", "LATEST", "c_AAAAAAAAAAAAAAAAAAAAAAAAAAA", "c_%20", "s_AAAA"})
  void rejectsAMalformedCursor(String cursor) {
    assertRefused(api, cursor);
  }

  @Test
  void rejectsTheCursorOfAnotherMerchant() {
    TestMerchant other = TestMerchant.fresh();
    other.product();
    merchant.product();

    assertRefused(api, Feed.latest(other.api()));
    assertThat(Feed.changes(api, "after=" + Feed.latest(api)).status()).isEqualTo(200);
  }

  @Test
  void rejectsACursorBeyondTheEnd() {
    merchant.product();
    Cursor latest = Objects.requireNonNull(Cursor.parse(Feed.latest(api)));
    assertThat(latest.number()).isEqualTo(1);

    assertRefused(api, new Cursor(latest.log(), 2).text());
    assertRefused(api, new Cursor(latest.log(), -1).text());
    assertThat(Feed.changes(api, "after=" + new Cursor(latest.log(), 0).text()).status())
        .isEqualTo(200);
  }

  /** A restore does the same. */
  @Test
  void rejectsACursorOfTheLogBeforeARestore() {
    String before = Feed.latest(api);
    assertThat(
            merchant.texts(
                """
                update log_head set log_id = gen_random_uuid() where merchant_id = ? returning 1
                """))
        .hasSize(1);

    assertRefused(api, before);
  }

  @Test
  void reportsThatChangesAfterTheCursorAreDeleted() throws Exception {
    merchant.products(5);
    Feed feed = new Feed(api);
    feed.next("limit=1");
    String first = feed.cursor();
    feed.next("limit=1");
    String second = feed.cursor();
    feed.next("limit=1");
    merchant.texts(
        """
        update change_log set at = now() - interval '91 days'
        where merchant_id = ? and number <= 3 returning 1
        """);
    new ChangeLog(merchant.server().cells()).deleteOld(90);

    for (String expired : List.of(first, second)) {
      Reply reply = Feed.changes(api, "after=" + expired);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.success()).isFalse();
      assertThat(reply.codes()).containsExactly("CURSOR_EXPIRED");
      assertThat(reply.header("x-error-code")).contains("CURSOR_EXPIRED");
      assertThat(reply.msg()).contains("/Stock/Snapshot").contains("number 4");
    }
    assertThat(Feed.numbers(feed.next(""))).containsExactly(4L, 5L);
    assertThat(Feed.numbers(new Feed(api).next(""))).containsExactly(4L, 5L);
  }

  @Test
  void aCursorAtTheEndIsValidAfterAllChangesAreDeleted() throws Exception {
    merchant.products(2);
    String end = Feed.latest(api);
    merchant.texts(
        """
        update change_log set at = now() - interval '91 days' where merchant_id = ? returning 1
        """);
    new ChangeLog(merchant.server().cells()).deleteOld(90);

    assertThat(new Feed(api, end).next("")).isEmpty();
    assertThat(Feed.latest(api)).isEqualTo(end);
    assertThat(Feed.changes(api, "").json().get("cursor").asString()).isEqualTo(end);
    merchant.product();
    assertThat(Feed.numbers(new Feed(api, end).next(""))).containsExactly(3L);
  }

  @Test
  void endsAPageEarlyAfterManyEntries() {
    int product = merchant.product();
    String cursor = Feed.latest(api);
    for (int quantity = 1; quantity <= 3; quantity++) {
      api.create(
          Stock.entries(product, 6_000).replace("\"stock\":1}", "\"stock\":" + quantity + "}"));
    }
    Feed feed = new Feed(api, cursor);

    assertThat(Feed.numbers(feed.next("limit=1000"))).containsExactly(2L, 3L);
    assertThat(Feed.changes(api, "after=" + cursor).json().get("more").asBoolean()).isTrue();
    assertThat(Feed.numbers(feed.next("limit=1000"))).containsExactly(4L);
  }

  private static void assertRefused(Api api, String cursor) {
    Reply reply = Feed.changes(api, "after=" + cursor);
    assertThat(reply.status()).as(cursor).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("CURSOR_FORMAT");
    assertThat(reply.places()).containsExactly("after");
  }
}
