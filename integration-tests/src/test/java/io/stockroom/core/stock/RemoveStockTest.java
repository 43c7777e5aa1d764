package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class RemoveStockTest {
  private static final int MISSING = 2_000_000_000;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final List<Integer> products = merchant.products(2);
  private final int pid = products.getFirst();

  @BeforeEach
  void stock() {
    api.create(
        Stock.list(
            Stock.group(pid, "red", Stock.size("36", 20), Stock.size("37", 7, "690")),
            Stock.group(pid, "blue", Stock.size("36", 1), Stock.size("38", 0)),
            Stock.group(products.get(1), "red", Stock.size("40", 3, "691"))));
  }

  private Reply remove(String json) {
    return api.call("/Stock/Remove").json(json).send();
  }

  private List<String> left(int product) {
    Reply reply = api.stock(product);
    return reply.success()
        ? reply.data().stream()
            .map(one -> one.get("color").asString() + " " + one.get("size").asString())
            .toList()
        : List.of();
  }

  @Test
  void removesOneEntryAndSaysSoInTheLog() {
    String guid = api.stock(pid).data("guid").get(0);
    String cursor = Feed.latest(api);

    Reply reply = remove("[{\"pid\":%d,\"color\":\"red\",\"size\":36}]".formatted(pid));

    List<JsonNode> changes = new Feed(api, cursor).next("");
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"msg":"","number":%d,"entries":[{"guid":"%s","pid":%d,"color":"red",\
            "size":36,"barCode":null,"before":20}]}"""
                .formatted(changes.getLast().get("number").asLong(), guid, pid));
    assertThat(left(pid)).containsExactly("red 37", "blue 36", "blue 38");
    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().at("/entries/0/after").isNull()).isTrue();
    assertThat(changes.getFirst().get("source").asString()).isEqualTo("interface");
    assertThat(
            merchant.texts(
                """
                select concat_ws(' | ', action, subject, details) from audit
                where merchant_id = ? order by number desc limit 1
                """))
        .containsExactly("stock.remove | " + pid + " | 1 entries");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void removesAColorASizeAndABarcode() {
    Reply reply =
        remove(
            """
            [{"artNo":"A1","color":"blue"},{"pid":%d,"size":"36"},{"barCode":"691"}]"""
                .formatted(pid));

    assertThat(reply.json().get("entries")).hasSize(4);
    assertThat(left(pid)).containsExactly("red 37");
    assertThat(left(products.get(1))).isEmpty();
    assertThat(api.products("page=1&stock=true").data("id")).containsExactly(String.valueOf(pid));
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void anEntryThatIsAddedAgainHasItsGuid() {
    String guid = api.stock(pid).data("guid").get(0);
    remove("[{\"pid\":%d,\"color\":\"red\",\"size\":36}]".formatted(pid));

    merchant.application().create(Stock.one(pid, "red", "36", 1));

    assertThat(api.stock(pid).data("guid").get(0)).isEqualTo(guid);
  }

  @Test
  void removesAllOrNothingAndNamesEveryPlace() {
    Reply reply =
        remove(
            """
            [{"pid":%1$d,"color":"red"},
             {"pid":%1$d,"color":"green"},
             {"pid":%1$d,"color":"red","size":38},
             {"pid":%1$d,"size":99},
             {"pid":%2$d,"color":"red"},
             {"artNo":"B1","color":"red"},
             {"barCode":"699"}]"""
                .formatted(pid, MISSING));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("x-error-code")).hasValue("NOTHING_TO_REMOVE");
    assertThat(reply.codes())
        .containsExactly(
            "NOTHING_TO_REMOVE",
            "NOTHING_TO_REMOVE",
            "NOTHING_TO_REMOVE",
            "PRODUCT_MISSING",
            "PRODUCT_MISSING",
            "BARCODE_UNKNOWN");
    assertThat(reply.places())
        .containsExactly("[1]", "[2]", "[3]", "[4].pid", "[5].artNo", "[6].barCode");
    assertThat(left(pid)).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | '' | LIST_EMPTY",
        "[{\"color\":\"red\"}] | [0] | FIELD_CHOICE",
        "[{\"pid\":1}] | [0] | FIELD_MISSING",
        "[{\"pid\":1,\"artNo\":\"A\",\"color\":\"red\"}] | [0] | FIELD_CHOICE",
        "[{\"barCode\":\"1\",\"color\":\"red\"}] | [0].color | FIELD_CHOICE",
        "[{\"barCode\":\"1\",\"size\":36}] | [0].size | FIELD_CHOICE",
        "[{\"pid\":1,\"colour\":\"red\"}] | [0].colour | FIELD_MISSPELLED",
        "[{\"pid\":1,\"color\":\"\"}] | [0].color | TEXT_EMPTY",
      })
  void rejectsARequestThatCannotBe(String json, String place, String code) {
    Reply reply = remove(json);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).contains(code);
    assertThat(reply.places()).contains(place);
  }

  @Test
  void takes300ElementsAndNotOneMore() {
    String one = "{\"pid\":%d,\"color\":\"red\"}".formatted(pid);
    assertThat(remove("[" + (one + ",").repeat(300) + one + "]").codes())
        .containsExactly("LIST_TOO_LONG");
    assertThat(remove("[" + (one + ",").repeat(299) + one + "]").json().get("entries")).hasSize(2);
  }

  @Test
  void removesOnceWithAKey() {
    String json = "[{\"pid\":%d,\"color\":\"red\"}]".formatted(pid);
    Reply first = api.call("/Stock/Remove").json(json).header("Idempotency-Key", "r1").send();
    Reply again = api.call("/Stock/Remove").json(json).header("Idempotency-Key", "r1").send();

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(remove(json).codes()).containsExactly("NOTHING_TO_REMOVE");
  }
}
