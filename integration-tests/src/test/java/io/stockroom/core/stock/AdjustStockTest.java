package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.LongTransaction;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdjustStockTest {
  private static final int MISSING = 2_000_000_000;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final List<Integer> products = merchant.products(2);
  private final int pid = products.getFirst();

  @BeforeEach
  void stock() {
    api.create(
        Stock.list(
            Stock.group(
                pid, "red", Stock.size("36", 20), Stock.size("37", 7), Stock.size("38", 1, "690")),
            Stock.group(products.get(1), "蓝", Stock.size("40", 3, "691"))));
  }

  @Test
  void adjustsEntriesByEachKindOfNameInTheOrderOfTheRequest() {
    long number = lastChange();
    Reply reply =
        api.adjust(
            """
            [{"barCode":"691","change":10},
             {"pid":%d,"color":"red","size":36,"change":-2},
             {"artNo":"A1","color":"red","size":37,"set":5,"expect":7}]\
            """
                .formatted(pid));

    List<String> guids = api.stock(pid).data("guid");
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"msg":"","number":%d,"entries":[\
            {"guid":"%s","pid":%d,"color":"蓝","size":40,"before":3,"after":13},\
            {"guid":"%s","pid":%d,"color":"red","size":36,"before":20,"after":18},\
            {"guid":"%s","pid":%d,"color":"red","size":37,"before":7,"after":5}]}"""
                .formatted(
                    number + 2,
                    api.stock(products.get(1)).data("guid").getFirst(),
                    products.get(1),
                    guids.get(0),
                    pid,
                    guids.get(1),
                    pid));
    assertThat(api.stock(pid).data("stock")).containsExactly("18", "5", "1");
    assertThat(api.stock(products.get(1)).data("stock")).containsExactly("13");
    assertThat(api.stock(pid).data("barCode")).containsExactly("null", "null", "690");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void recordsTheChangesAndTheAuditEntry() {
    api.adjust(red(36, "\"change\":-2"));

    assertThat(
            merchant.texts(
                """
                select concat_ws(' ', source, product_id, quantities_before, quantities_after)
                from change_log where merchant_id = ? order by number desc limit 1
                """))
        .containsExactly("interface " + pid + " {20} {18}");
    assertThat(
            merchant.texts(
                """
                select concat_ws(' ', action, subject, details) from audit
                where merchant_id = ? order by number desc limit 1
                """))
        .containsExactly("stock.adjust " + pid + " 1 entries");
  }

  @Test
  void succeedsWithoutAChangeAndReturnsTheLastNumber() {
    long number = lastChange();

    Reply reply = api.adjust(red(36, "\"set\":20,\"expect\":20"));

    assertThat(reply.success()).isTrue();
    assertThat(reply.json().get("number").asLong()).isEqualTo(number);
    assertThat(reply.json().at("/entries/0/before").asInt()).isEqualTo(20);
    assertThat(reply.json().at("/entries/0/after").asInt()).isEqualTo(20);
    assertThat(lastChange()).isEqualTo(number);
  }

  @Test
  void sellsTheLastPairAndNotOneMore() {
    assertThat(api.adjust(red(38, "\"change\":-1")).success()).isTrue();

    Reply reply = api.adjust(red(38, "\"change\":-1"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("x-error-code")).contains("STOCK_INSUFFICIENT");
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":false,"msg":"[0].change: The quantity is 0; a change of -1 would make it \
            negative.","errors":[{"at":"[0].change","code":"STOCK_INSUFFICIENT","msg":"The \
            quantity is 0; a change of -1 would make it negative.","current":0}]}""");
    assertThat(api.stock(pid).data("stock")).containsExactly("20", "7", "0");
  }

  @Test
  void checksTheExpectationOfAChangeToo() {
    assertThat(api.adjust(red(36, "\"change\":-1,\"expect\":20")).success()).isTrue();

    Reply reply = api.adjust(red(36, "\"change\":-1,\"expect\":20"));

    assertThat(reply.codes()).containsExactly("STOCK_CHANGED");
    assertThat(reply.places()).containsExactly("[0].expect");
    assertThat(reply.json().at("/errors/0/current").asInt()).isEqualTo(19);
    assertThat(api.stock(pid).data("stock")).containsExactly("19", "7", "1");
  }

  @Test
  void acceptsTheLargestQuantityAndRejectsOneMore() {
    assertThat(api.adjust(red(36, "\"set\":2147483646")).success()).isTrue();
    assertThat(api.adjust(red(36, "\"change\":1")).success()).isTrue();

    Reply reply = api.adjust(red(36, "\"change\":1"));

    assertThat(reply.codes()).containsExactly("STOCK_TOO_LARGE");
    assertThat(reply.json().at("/errors/0/current").asInt()).isEqualTo(2147483647);
    assertThat(api.adjust(red(36, "\"change\":-2147483647")).success()).isTrue();
    assertThat(api.stock(pid).data("stock")).containsExactly("0", "7", "1");
  }

  @Test
  void listsEveryFailureWithItsCurrentValueAndWritesNothing() {
    Reply reply =
        api.adjust(
            """
            [{"pid":%1$d,"color":"red","size":36,"change":-1},
             {"pid":%1$d,"color":"red","size":37,"change":-8},
             {"barCode":"690","set":5,"expect":2},
             {"pid":%1$d,"color":"red","size":39,"set":1},
             {"pid":%1$d,"color":"green","size":36,"set":1},
             {"pid":%2$d,"color":"red","size":36,"change":1},
             {"artNo":"B1","color":"red","size":36,"change":1},
             {"barCode":"699","change":1}]\
            """
                .formatted(pid, MISSING));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.success()).isFalse();
    assertThat(reply.places())
        .containsExactly(
            "[1].change", "[2].expect", "[3]", "[4]", "[5].pid", "[6].artNo", "[7].barCode");
    assertThat(reply.codes())
        .containsExactly(
            "STOCK_INSUFFICIENT",
            "STOCK_CHANGED",
            "ENTRY_MISSING",
            "ENTRY_MISSING",
            "PRODUCT_MISSING",
            "PRODUCT_MISSING",
            "BARCODE_UNKNOWN");
    assertThat(reply.json().get("errors").valueStream().map(e -> e.get("current").asString("null")))
        .containsExactly("7", "1", "null", "null", "null", "null", "null");
    assertThat(reply.msg()).contains("(and 4 more)");
    assertThat(api.stock(pid).data("stock")).containsExactly("20", "7", "1");
    assertThat(merchant.texts("select 1 from audit where merchant_id = ? and action ~ 'adjust'"))
        .isEmpty();
  }

  @Test
  void saysWhatFailedInChinese() {
    Reply reply = api.call("/Stock/Adjust").json(red(38, "\"change\":-2")).language("zh-CN").send();

    assertThat(reply.msg()).isEqualTo("[0].change: 当前库存为 1，变化 -2 后将小于零。");
  }

  @Test
  void rejectsAnEntryThatIsNamedInTwoWays() {
    for (String body :
        List.of(
            """
            [{"pid":%1$d,"color":"red","size":38,"change":1},{"barCode":"690","change":1}]""",
            """
            [{"barCode":"690","change":1},{"artNo":"A1","color":"red","size":38,"change":1}]""",
            """
            [{"pid":%1$d,"color":"red","size":38,"change":1},\
            {"artNo":"A1","color":"red","size":38,"change":1}]""",
            """
            [{"pid":%1$d,"color":"none","size":38,"change":1},\
            {"artNo":"A1","color":"none","size":38,"change":1}]""")) {
      Reply reply = api.adjust(body.formatted(pid));

      assertThat(reply.status()).as(body).isEqualTo(400);
      assertThat(reply.codes()).containsExactly("ENTRY_REPEATED");
      assertThat(reply.places()).containsExactly("[1]");
      assertThat(reply.msg()).contains("already occurs at [0]");
    }
    assertThat(api.stock(pid).data("stock")).containsExactly("20", "7", "1");
  }

  @Test
  void rejectsABarcodeOfSeveralEntries() {
    Api shared = api.on(TestServer.other());
    shared.create(Stock.list(Stock.group(pid, "red", Stock.size("39", 4, "690"))));

    Reply reply = api.adjust("[{\"barCode\":\"690\",\"change\":1}]");

    assertThat(reply.codes()).containsExactly("BARCODE_AMBIGUOUS");
    assertThat(reply.places()).containsExactly("[0].barCode");
    assertThat(api.stock(pid).data("stock")).containsExactly("20", "7", "1", "4");
  }

  @Test
  void followsABarcodeThatMovesToAnotherProductMeanwhile() throws Exception {
    try (ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Reply> reply;
      try (LongTransaction held = merchant.server().database().begin();
          Statement statement = held.connection().createStatement()) {
        statement.execute(
            "select 1 from product where merchant_id = %d order by product_id for no key update"
                .formatted(merchant.id()));
        reply = caller.submit(() -> adjustUntilAnswered("[{\"barCode\":\"690\",\"set\":9}]"));
        assertThat(Eventually.within(Duration.ofSeconds(30), this::isWaitingForAProduct)).isTrue();
        statement.execute(
            """
            update stock_entry set barcode = case when barcode = '690' then '691' else '690' end
            where merchant_id = %d and barcode is not null
            """
                .formatted(merchant.id()));
        held.commit();
      }
      assertThat(reply.get().json().at("/entries/0/pid").asInt()).isEqualTo(products.get(1));
    }
    assertThat(api.stock(products.get(1)).data("stock")).containsExactly("9");
    assertThat(api.stock(pid).data("stock")).containsExactly("20", "7", "1");
  }

  /** A lock may time out on a busy machine, which changes nothing. */
  private Reply adjustUntilAnswered(String body) {
    Reply reply = api.adjust(body);
    while (reply.status() == 503) {
      reply = api.adjust(body);
    }
    return reply;
  }

  private boolean isWaitingForAProduct() {
    return !merchant
        .texts(
            """
            select 1 from pg_stat_activity
            where wait_event_type = 'Lock' and query like 'select product_id, number%'
            """)
        .isEmpty();
  }

  @Test
  void answersForAnotherMerchantsNamesAsForMissingOnes() {
    Api stranger = TestMerchant.fresh().api();

    assertSame(stranger.adjust(element("pid", pid)), stranger.adjust(element("pid", MISSING)), pid);
    assertSame(
        stranger.adjust(element("artNo", "\"A1\"")),
        stranger.adjust(element("artNo", "\"ZZ\"")),
        "A1");
    assertSame(
        stranger.adjust("[{\"barCode\":\"690\",\"change\":1}]"),
        stranger.adjust("[{\"barCode\":\"000\",\"change\":1}]"),
        "690");
    assertThat(api.stock(pid).data("stock")).containsExactly("20", "7", "1");
  }

  @Test
  void adjusts300EntriesAndRejects301() {
    api.create(Stock.entries(pid, 301));

    Reply refused = api.adjust(elements(301));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.codes()).containsExactly("LIST_TOO_LONG");

    Reply reply = api.adjust(elements(300));
    assertThat(reply.success()).isTrue();
    assertThat(reply.json().get("entries")).hasSize(300);
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void listsTheProblemsOfTheRequestWith400() {
    Reply reply = api.adjust("[{\"pid\":%d,\"color\":\"red\",\"change\":0}]".formatted(pid));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("[0].change", "[0].size");
    assertThat(reply.codes()).containsExactly("CHANGE_ZERO", "FIELD_MISSING");
  }

  @Test
  void requiresItsScope() {
    Api reader = merchant.token("\"scopes\":[\"stock:read\"]");

    assertThat(reader.adjust(red(36, "\"change\":1")).codes()).containsExactly("SCOPE_MISSING");
  }

  private long lastChange() {
    return Long.parseLong(
        merchant.texts("select last_change from log_head where merchant_id = ?").getFirst());
  }

  private String red(int size, String amount) {
    return "[{\"pid\":%d,\"color\":\"red\",\"size\":%d,%s}]".formatted(pid, size, amount);
  }

  private static String element(String field, Object value) {
    return "[{\"%s\":%s,\"color\":\"red\",\"size\":36,\"change\":-1}]".formatted(field, value);
  }

  private String elements(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "{\"pid\":%d,\"color\":\"c%d\",\"size\":%d,\"change\":1}"
                    .formatted(pid, i / 100, i % 100 + 1))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** Compares two responses without the name that the caller sent. */
  private static void assertSame(Reply others, Reply missing, Object name) {
    String word = name.toString();
    String unknown = name instanceof Integer ? "" + MISSING : word.equals("A1") ? "ZZ" : "000";
    assertThat(others.status()).isEqualTo(200);
    assertThat(others.success()).isFalse();
    assertThat(others.body().replace(word, "N")).isEqualTo(missing.body().replace(unknown, "N"));
    assertThat(others.header("x-error-code")).isEqualTo(missing.header("x-error-code"));
  }
}
