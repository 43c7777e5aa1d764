package io.stockroom.core.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * {@code /Product/Find}, {@code /Product/Save}, {@code /Product/Archive}, {@code /Product/Restore}.
 */
class ProductCallsTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  private Reply save(String json) {
    return api.call("/Product/Save").json(json).send();
  }

  private Reply find(String form) {
    return api.call("/Product/Find").form(form).send();
  }

  private static List<String> values(Reply reply, String field) {
    return reply
        .json()
        .get("products")
        .valueStream()
        .map(one -> one.get(field).asString())
        .toList();
  }

  private List<String> audited() {
    return merchant.texts(
        """
        select concat_ws(' | ', action, subject, details) from audit
        where merchant_id = ? order by number
        """);
  }

  @Test
  void savesAWholeProductAsTheDetailShowsIt() {
    Reply reply =
        save(
            """
            [{"artNo":"S1","title":"Canvas shoe","price":59,"description":"<p onclick='x'>Soft</p>",
              "imgs":["https://img.example/1.jpg","http://img.example/2.jpg"],
              "categoryIdTree":"1,2","categoryNameTree":"Shoes,Canvas",
              "attributes":[{"name":"Season","value":"Summer"},{"name":"Sole"}],
              "video":"https://v.example/1.mp4"}]""");

    int pid = reply.json().at("/products/0/pid").asInt();
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"msg":"","number":1,"products":[{"pid":%d,"artNo":"S1","created":true,\
            "fields":[],"removed":["<p onclick>"]}]}"""
                .formatted(pid));
    Reply shown = api.detail(pid);
    JsonNode detail = shown.json().get("data");
    assertThat(detail.get("title").asString()).isEqualTo("Canvas shoe");
    assertThat(shown.body()).contains("\"price\":59.00,");
    assertThat(detail.get("description").asString()).isEqualTo("<p>Soft</p>");
    assertThat(detail.get("imgs").toString())
        .isEqualTo("[\"https://img.example/1.jpg\",\"http://img.example/2.jpg\"]");
    assertThat(detail.get("categoryIdTree").asString()).isEqualTo("1,2");
    assertThat(detail.get("categoryNameTree").asString()).isEqualTo("Shoes,Canvas");
    assertThat(detail.get("attributes").toString())
        .isEqualTo(
            "[{\"name\":\"Season\",\"value\":\"Summer\"},{\"name\":\"Sole\",\"value\":\"\"}]");
    assertThat(detail.get("video").asString()).isEqualTo("https://v.example/1.mp4");
    assertThat(api.products("page=1").data("pic")).containsExactly("https://img.example/1.jpg");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void changesOnlyWhatIsSentAndSaysWhat() {
    int pid = merchant.product();
    String cursor = Feed.latest(api);

    Reply reply =
        save(
            """
            [{"pid":%d,"price":"49.90","title":"Shoe A1","description":null,"imgs":[]},
             {"artNo":"S2","title":"New","price":1.5}]"""
                .formatted(pid));

    assertThat(reply.json().at("/products/0/fields").toString()).isEqualTo("[\"price\",\"imgs\"]");
    assertThat(reply.json().at("/products/0/created").asBoolean()).isFalse();
    assertThat(reply.json().at("/products/1/created").asBoolean()).isTrue();
    List<JsonNode> changes = new Feed(api, cursor).next("");
    assertThat(changes).hasSize(2);
    assertThat(changes).allMatch(change -> change.get("source").asString().equals("interface"));
    assertThat(changes.stream().map(change -> change.get("batch").asString()).distinct())
        .hasSize(1);
    assertThat(changes.getFirst().get("fields").toString()).isEqualTo("[\"price\",\"imgs\"]");
    assertThat(changes.getLast().get("created").asBoolean()).isTrue();
    assertThat(reply.json().get("number").asLong())
        .isEqualTo(changes.getLast().get("number").asLong());
    assertThat(audited().getLast())
        .startsWith("product.save | " + pid + ", ")
        .endsWith(" | 1 created, 1 changed");
    Reply shown = api.detail(pid);
    JsonNode detail = shown.json().get("data");
    assertThat(detail.get("title").asString()).isEqualTo("Shoe A1");
    assertThat(shown.body()).contains("\"price\":49.90,");
    assertThat(detail.get("imgs").isEmpty()).isTrue();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void recordsNothingIfNothingChanges() {
    int pid = merchant.product();
    List<String> before = audited();

    Reply reply = save("[{\"pid\":%d,\"title\":\"Shoe A1\"}]".formatted(pid));

    assertThat(reply.json().get("number").isNull()).isTrue();
    assertThat(reply.json().at("/products/0/fields").isEmpty()).isTrue();
    assertThat(audited()).isEqualTo(before);
  }

  @Test
  void savesAllOrNothingAndNamesEveryProductThatFails() {
    int archived = merchant.product();
    api.call("/Product/Archive").json("[{\"pid\":%d}]".formatted(archived)).send();

    Reply reply =
        save(
            """
            [{"artNo":"N1","title":"Good","price":1},
             {"artNo":"N2"},
             {"artNo":"N3","price":1},
             {"pid":2000000000,"price":1},
             {"artNo":"A1","price":1}]""");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("x-error-code")).hasValue("PRODUCT_INCOMPLETE");
    assertThat(reply.places()).containsExactly("[1]", "[2]", "[3].pid", "[4].artNo");
    assertThat(reply.codes())
        .containsExactly(
            "PRODUCT_INCOMPLETE", "PRODUCT_INCOMPLETE", "PRODUCT_MISSING", "PRODUCT_ARCHIVED");
    assertThat(reply.msg()).contains("N2", "title, price", "N3");
    assertThat(find("").json().get("products").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | '' | FIELD_TYPE",
        "[] | '' | LIST_EMPTY",
        "[7] | [0] | FIELD_TYPE",
        "[{\"title\":\"x\"}] | [0] | FIELD_CHOICE",
        "[{\"pid\":1,\"artNo\":\"x\"}] | [0] | FIELD_CHOICE",
        "[{\"pid\":0}] | [0].pid | NUMBER_RANGE",
        "[{\"artNo\":\"x\",\"titl\":\"y\"}] | [0].titl | FIELD_MISSPELLED",
        "[{\"artNo\":\"x\",\"title\":\" \"}] | [0].title | TEXT_EMPTY",
        "[{\"artNo\":\"x\",\"price\":1.005}] | [0].price | CELL_FORMAT",
        "[{\"artNo\":\"x\",\"price\":-1}] | [0].price | CELL_FORMAT",
        "[{\"artNo\":\"x\",\"price\":10000000000}] | [0].price | CELL_FORMAT",
        "[{\"artNo\":\"x\",\"price\":\"1,5\"}] | [0].price | FIELD_TYPE",
        "[{\"artNo\":\"x\",\"price\":true}] | [0].price | FIELD_TYPE",
        "[{\"artNo\":\"x\",\"imgs\":\"http://a.example\"}] | [0].imgs | FIELD_TYPE",
        "[{\"artNo\":\"x\",\"imgs\":[\"a.jpg\"]}] | [0].imgs[0] | CELL_FORMAT",
        "[{\"artNo\":\"x\",\"imgs\":[\"\"]}] | [0].imgs[0] | TEXT_EMPTY",
        "[{\"artNo\":\"x\",\"video\":\"ftp://a.example/1\"}] | [0].video | CELL_FORMAT",
        "[{\"artNo\":\"x\",\"attributes\":[{\"value\":\"y\"}]}] | [0].attributes[0].name |"
            + " FIELD_MISSING",
        "[{\"artNo\":\"x\",\"categoryIdTree\":\"1,2\",\"categoryNameTree\":\"A\"}] |"
            + " [0].categoryNameTree | PARTS_DIFFER",
        "[{\"artNo\":\"x\"},{\"artNo\":\"x\"}] | [1].artNo | PRODUCT_REPEATED",
      })
  void rejectsAProductThatCannotBe(String json, String place, String code) {
    Reply reply = save(json);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly(code);
    assertThat(reply.places()).containsExactly(place);
  }

  @Test
  void listsEveryProblemOfARequest() {
    Reply reply =
        save("[{\"artNo\":\"x\",\"price\":\"a\",\"title\":\"\"},{\"pid\":\"1\",\"imgs\":{}}]");

    assertThat(reply.places()).containsExactly("[0].price", "[0].title", "[1].pid", "[1].imgs");
  }

  @Test
  void rejectsAProductThatIsNamedInTwoWays() {
    int pid = merchant.product();

    Reply reply = save("[{\"pid\":%d,\"price\":1},{\"artNo\":\"A1\",\"price\":2}]".formatted(pid));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("PRODUCT_REPEATED");
    assertThat(reply.places()).containsExactly("[1].artNo");
  }

  @Test
  void saves100ProductsAndRejectsOneMore() {
    assertThat(save(products(101)).codes()).containsExactly("LIST_TOO_LONG");

    Reply reply = save(products(100));

    assertThat(reply.success()).isTrue();
    assertThat(reply.json().get("products")).hasSize(100);
    assertThat(api.products("page=2").data("artNo")).hasSize(50).endsWith("P99");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  private static String products(int count) {
    return IntStream.range(0, count)
        .mapToObj("{\"artNo\":\"P%1$d\",\"title\":\"T%1$d\",\"price\":1}"::formatted)
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void acceptsALongDescription() {
    String text = "长".repeat(500_000);

    Reply reply =
        save(
            "[{\"artNo\":\"L1\",\"title\":\"Long\",\"price\":1,\"description\":\"%s\"}]"
                .formatted(text));

    assertThat(reply.success()).isTrue();
    int pid = reply.json().at("/products/0/pid").asInt();
    assertThat(api.detail(pid).json().at("/data/description").asString()).isEqualTo(text);
  }

  @Test
  void savesOnceWithAKey() {
    String json = "[{\"artNo\":\"K1\",\"title\":\"Key\",\"price\":1}]";
    Reply first = api.call("/Product/Save").json(json).header("Idempotency-Key", "save-1").send();
    Reply again = api.call("/Product/Save").json(json).header("Idempotency-Key", "save-1").send();

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(save(json).json().at("/products/0/created").asBoolean()).isFalse();
    assertThat(
            api.call("/Product/Save")
                .json(json.replace("Key", "Lock"))
                .header("Idempotency-Key", "save-1")
                .send()
                .codes())
        .containsExactly("IDEMPOTENCY_MISMATCH");
  }

  @Test
  void findsByItemNumberBarcodeAndWords() {
    List<Integer> pids = merchant.products(3);
    api.create(
        Stock.list(
            Stock.group(pids.get(0), "red", Stock.size("36", 9, "690")),
            Stock.group(pids.get(1), "blue", Stock.size("36", 0), Stock.size("37", 1, "691"))));

    assertThat(find("artNo=A3&artNo=A1&artNo=missing&artNo=").json().get("products").toString())
        .isEqualTo(
            """
            [{"pid":%d,"artNo":"A1","title":"Shoe A1","status":"in-stock"},\
            {"pid":%d,"artNo":"A3","title":"Shoe A3","status":"none-yet"}]"""
                .formatted(pids.get(0), pids.get(2)));
    assertThat(values(find("barCode=690&barCode=691"), "artNo")).containsExactly("A1", "A2");
    assertThat(values(find("barCode=691"), "status")).containsExactly("low");
    assertThat(values(find("words=shoe+BLUE"), "artNo")).containsExactly("A2");
    assertThat(values(find("words=shoe"), "artNo")).containsExactly("A1", "A2", "A3");
    assertThat(values(find("words=shoe&artNo=A2"), "artNo")).containsExactly("A2");
    assertThat(values(find("words=sandal"), "artNo")).isEmpty();
    assertThat(values(find("barCode=690&artNo=A2"), "artNo")).isEmpty();
    assertThat(values(find(""), "artNo")).containsExactly("A1", "A2", "A3");
  }

  @Test
  void findsWhatChangedAfterACursor() {
    List<Integer> pids = merchant.products(3);
    String cursor = find("").json().get("cursor").asString();
    assertThat(values(find("changedAfter=" + cursor), "artNo")).isEmpty();

    api.create(Stock.one(pids.get(1), "red", "36", 1));
    save("[{\"artNo\":\"N1\",\"title\":\"New\",\"price\":1}]");
    Reply reply = find("changedAfter=" + cursor);

    assertThat(values(reply, "artNo")).containsExactly("A2", "N1");
    String next = reply.json().get("cursor").asString();
    assertThat(values(find("changedAfter=" + next), "artNo")).isEmpty();
    assertThat(Feed.changes(api, "after=" + next).json().get("changes").isEmpty()).isTrue();
  }

  @Test
  void findsPageByPage() {
    save(products(7));
    List<String> seen = new ArrayList<>();
    String next = "";
    int pages = 0;
    do {
      Reply page = find("limit=3&after=" + next);
      seen.addAll(values(page, "artNo"));
      next = page.json().get("next").asString();
      pages++;
    } while (!next.isEmpty());

    assertThat(seen).containsExactly("P0", "P1", "P2", "P3", "P4", "P5", "P6");
    assertThat(pages).isEqualTo(3);
    assertThat(find("limit=7").json().get("next").asString()).isEmpty();
    assertThat(find("limit=6").json().get("next").asString()).isNotEmpty();
  }

  @Test
  void rejectsASearchThatCannotBe() {
    merchant.products(2);
    String next = find("limit=1").json().get("next").asString();
    String cursor = find("").json().get("cursor").asString();
    Api stranger = TestMerchant.fresh().api();

    assertThat(find("limit=0").codes()).containsExactly("NUMBER_FORMAT");
    assertThat(find("limit=501").codes()).containsExactly("NUMBER_FORMAT");
    assertThat(find("after=x").codes()).containsExactly("CURSOR_FORMAT");
    assertThat(find("after=" + cursor).codes()).containsExactly("CURSOR_FORMAT");
    assertThat(find("changedAfter=latest").codes()).containsExactly("CURSOR_FORMAT");
    assertThat(find("changedAfter=" + next).codes()).containsExactly("CURSOR_FORMAT");
    assertThat(find("words=" + "x".repeat(201)).codes()).containsExactly("TEXT_TOO_LONG");
    assertThat(find("artNo=x&".repeat(301)).codes()).containsExactly("LIST_TOO_LONG");
    assertThat(find("artNo=x&".repeat(300)).success()).isTrue();
    for (String form : List.of("after=" + next, "changedAfter=" + cursor)) {
      assertThat(stranger.call("/Product/Find").form(form).send().codes())
          .containsExactly("CURSOR_FORMAT");
    }
  }

  @Test
  void saysThatACursorIsTooOld() {
    merchant.products(1);
    String cursor = find("").json().get("cursor").asString();
    merchant.products(2);
    assertThat(
            merchant.texts(
                "delete from change_log where merchant_id = ? and number <= 2 returning number"))
        .hasSize(2);

    Reply reply = find("changedAfter=" + cursor);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.codes()).containsExactly("CURSOR_EXPIRED");
  }

  @Test
  void archivesAndRestoresManyAtOnce() {
    List<Integer> pids = merchant.products(3);
    api.create(
        Stock.list(
            Stock.group(pids.get(0), "red", Stock.size("36", 5, "690")),
            Stock.group(pids.get(2), "红", Stock.size("36", 0))));
    String cursor = Feed.latest(api);
    String json = "[{\"artNo\":\"A3\"},{\"pid\":%d}]".formatted(pids.get(0));

    Reply archived = api.call("/Product/Archive").json(json).send();

    assertThat(archived.json().get("products").toString())
        .isEqualTo(
            "[{\"pid\":%d,\"artNo\":\"A3\",\"changed\":true},{\"pid\":%d,\"artNo\":\"A1\",\"changed\":true}]"
                .formatted(pids.get(2), pids.get(0)));
    assertThat(merchant.productIds()).containsExactly(pids.get(1));
    List<JsonNode> changes = new Feed(api, cursor).next("");
    assertThat(changes).hasSize(4);
    assertThat(changes).allMatch(change -> change.get("source").asString().equals("interface"));
    assertThat(audited().getLast())
        .isEqualTo("product.archive | %d, %d | ".formatted(pids.get(0), pids.get(2)));
    assertThat(merchant.inconsistencies()).isEmpty();

    Reply again = api.call("/Product/Archive").json(json).send();
    assertThat(values(again, "changed")).containsExactly("false", "false");
    assertThat(again.json().get("number").isNull()).isTrue();

    Reply restored = api.call("/Product/Restore").json(json).send();
    assertThat(values(restored, "changed")).containsExactly("true", "true");
    assertThat(merchant.productIds()).isEqualTo(pids);
    assertThat(api.stock(pids.get(0)).data("barCode")).containsExactly("690");
    assertThat(api.stock(pids.get(2)).data("stock")).containsExactly("0");
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void archivesAllOrNothing() {
    int pid = merchant.product();

    Reply reply =
        api.call("/Product/Archive")
            .json("[{\"pid\":%d},{\"artNo\":\"missing\"}]".formatted(pid))
            .send();

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.codes()).containsExactly("PRODUCT_MISSING");
    assertThat(reply.places()).containsExactly("[1].artNo");
    assertThat(merchant.productIds()).containsExactly(pid);
  }

  @Test
  void restoresNoProductWhoseBarcodeIsUsed() {
    List<Integer> pids = merchant.products(2);
    for (int pid : pids) {
      merchant
          .application()
          .create(Stock.list(Stock.group(pid, "red", Stock.size("36", 1, "690"))));
      assertThat(
              api.call("/Product/Archive").json("[{\"pid\":%d}]".formatted(pid)).send().success())
          .isTrue();
    }
    String both = "[{\"pid\":%d},{\"pid\":%d}]".formatted(pids.get(0), pids.get(1));

    Reply together = api.call("/Product/Restore").json(both).send();
    assertThat(together.codes()).containsExactly("PRODUCT_RESTORE_BARCODE");
    assertThat(together.places()).containsExactly("[1].pid");

    assertThat(api.call("/Product/Restore").json("[{\"artNo\":\"A1\"}]").send().success()).isTrue();
    Reply other = api.call("/Product/Restore").json("[{\"artNo\":\"A2\"}]").send();
    assertThat(other.status()).isEqualTo(200);
    assertThat(other.codes()).containsExactly("PRODUCT_RESTORE_BARCODE");
    assertThat(other.places()).containsExactly("[0].artNo");
    assertThat(merchant.inconsistencies()).isEmpty();
  }
}
