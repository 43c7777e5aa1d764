package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreateStockTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @ParameterizedTest
  @ValueSource(strings = {"id", "pic", "sid", "PID", "colors", "Color", "params"})
  void ignoresANameLikeAKnownOneBesideTheKnownOne(String other) {
    String group = Stock.group(pid, "red", Stock.size("36", 1));

    for (String body :
        List.of(
            group.replaceFirst("\\{", "{\"" + other + "\":7,"),
            group.replaceFirst("}$", ",\"" + other + "\":7}"))) {
      assertThat(api.create(Stock.list(body)).success()).as(body).isTrue();
    }
    String size = "{\"size\":\"36\",\"sizes\":\"37\",\"stock\":1,\"Stock\":2}";
    assertThat(api.create(Stock.list(Stock.group(pid, "red", size))).success()).isTrue();
  }

  @Test
  void theAuditLogNamesTenProducts() {
    assertThat(CreateStock.products(IntStream.of(7, 3, 7))).isEqualTo("3, 7");
    assertThat(CreateStock.products(IntStream.rangeClosed(1, 10)))
        .isEqualTo("1, 2, 3, 4, 5, 6, 7, 8, 9, 10");
    assertThat(CreateStock.products(IntStream.rangeClosed(1, 12)))
        .isEqualTo("1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");
  }

  @Test
  void returnsSuccessWithAnEmptyMessage() {
    Reply reply = api.create(Stock.one(pid, "red", "36", 5));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"success\":true,\"msg\":\"\"}");
  }

  @Test
  void acceptsTheListBareOrWrapped() {
    assertThat(api.create(Stock.one(pid, "red", "36", 1)).success()).isTrue();
    assertThat(
            api.create("{\"x\":1,\"list\":" + Stock.one(pid, "red", "37", 1) + ",\"y\":[]}")
                .success())
        .isTrue();
    assertThat(api.stock(pid).data("size")).containsExactly("36", "37");
  }

  @Test
  void namesTheLocationOfAProblemInAWrappedList() {
    assertThat(api.create("{\"list\":" + Stock.one(pid, "red", "36+", 1) + "}").places())
        .containsExactly("list[0].param[0].size");
    assertThat(api.create("{\"list\":3}").codes()).containsExactly("FIELD_TYPE");
    assertThat(api.create("{\"List\":[]}").codes()).containsExactly("FIELD_MISSPELLED");
    assertThat(api.create("{\"List\":[]}").places()).containsExactly("List");
  }

  @Test
  void createsAnEntryForEachSizeOfARangeWithTheFullStock() {
    api.create(Stock.one(pid, "red", "36-40", 7));

    assertThat(api.stock(pid).data("size")).containsExactly("36", "37", "38", "39", "40");
    assertThat(api.stock(pid).data("stock")).containsExactly("7", "7", "7", "7", "7");
  }

  @Test
  void acceptsSizesThatAreWholeNumbers() {
    for (int size : new int[] {1, 36, 999}) {
      String number = "{\"size\":" + size + ",\"stock\":3}";
      assertThat(api.create(Stock.list(Stock.group(pid, "red", number))).success()).isTrue();
    }

    assertThat(api.stock(pid).data("size")).containsExactly("1", "36", "999");
  }

  @Test
  void ignoresUnknownFields() {
    assertThat(
            api.create(
                    """
                    [{"color":"red","pid":%d,"x":{"color":[1]},"param":[{"size":"36","stock":1,"y":{}}]}]\
                    """
                        .formatted(pid))
                .success())
        .isTrue();
  }

  @Test
  void setsTheQuantityOfAnExistingEntryAndKeepsItsGuid() {
    api.create(Stock.one(pid, "red", "36", 5));
    String guid = api.stock(pid).data("guid").getFirst();

    assertThat(api.create(Stock.one(pid, "red", "35-36", 9)).success()).isTrue();

    Reply reply = api.stock(pid);
    assertThat(reply.data("stock")).containsExactly("9", "9");
    assertThat(reply.data("guid").get(1)).isEqualTo(guid);
  }

  @Test
  void changesABarcodeOnlyWhenOneIsSent() {
    api.create(Stock.list(Stock.group(pid, "red", Stock.size("36", 5, "A"))));
    api.create(Stock.one(pid, "red", "36", 6));
    assertThat(api.stock(pid).data("barCode")).containsExactly("A");

    api.create(
        Stock.list(Stock.group(pid, "red", "{\"size\":\"36\",\"stock\":7,\"barCode\":null}")));
    assertThat(api.stock(pid).data("barCode")).containsExactly("A");

    api.create(Stock.list(Stock.group(pid, "red", Stock.size("36", 8, ""))));
    assertThat(api.stock(pid).data("barCode")).containsExactly("A");

    api.create(Stock.list(Stock.group(pid, "red", Stock.size("36", 8, "B"))));
    assertThat(api.stock(pid).data("barCode")).containsExactly("B");
    assertThat(api.stock(pid).data("stock")).containsExactly("8");
  }

  @Test
  void rejectsTheWholeRequestForOneBadElement() {
    Reply reply =
        api.create(
            Stock.list(
                Stock.group(pid, "red", Stock.size("36", 1)),
                Stock.group(pid, "blue", Stock.size("36", 1), Stock.size("0", 1))));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("[1].param[1].size");
    assertThat(merchant.entries()).isZero();
  }

  @Test
  void rejectsTheWholeRequestForMissingProductsAndNamesThem() {
    Reply reply =
        api.create(
            Stock.list(
                Stock.group(2147483647, "red", Stock.size("36", 1)),
                Stock.group(pid, "red", Stock.size("36", 1)),
                Stock.group(2147483646, "red", Stock.size("36", 1)),
                Stock.group(2147483647, "blue", Stock.size("36", 1))));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .isEqualTo(
            "{\"success\":false,\"msg\":\"The product does not exist: 2147483646, 2147483647.\"}");
    assertThat(merchant.entries()).isZero();
    assertThat(api.products("page=1&stock=true").data()).isEmpty();
  }

  @Test
  void reportsFormatErrorsBeforeMissingProducts() {
    Reply reply =
        api.create(
            Stock.list(
                Stock.group(2147483647, "red", Stock.size("36", 1)),
                Stock.group(pid, "red", Stock.size("x", 1))));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("SIZE_FORMAT");
  }

  @Test
  void rejectsTheSameColorAndSizeTwiceAndNamesBoth() {
    Reply reply =
        api.create(
            Stock.list(
                Stock.group(pid, "red", Stock.size("36", 1)),
                Stock.group(pid, " red ", Stock.size("37", 1), Stock.size("36", 1))));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("ENTRY_REPEATED");
    assertThat(reply.places()).containsExactly("[1].param[1]");
    assertThat(reply.msg()).contains("[0].param[0]");
  }

  @Test
  void rejectsOverlappingRangesButNotAdjacentOnes() {
    Reply overlapping =
        api.create(
            Stock.list(Stock.group(pid, "red", Stock.size("36-40", 1), Stock.size("40-44", 1))));
    assertThat(overlapping.codes()).containsExactly("ENTRY_REPEATED");
    assertThat(overlapping.msg()).contains("size 40", "[0].param[0]", "[0].param[1]");

    assertThat(
            api.create(
                    Stock.list(
                        Stock.group(pid, "red", Stock.size("36-40", 1), Stock.size("41-44", 1))))
                .success())
        .isTrue();
  }

  @Test
  void acceptsTheSameSizeInAnotherColorOrProduct() {
    int other = merchant.product();

    assertThat(
            api.create(
                    Stock.list(
                        Stock.group(pid, "red", Stock.size("36", 1)),
                        Stock.group(pid, "Red", Stock.size("36", 1)),
                        Stock.group(other, "red", Stock.size("36", 1))))
                .success())
        .isTrue();
    assertThat(merchant.entries()).isEqualTo(3);
  }

  @Test
  void requiresTheJsonMediaType() {
    String body = Stock.one(pid, "red", "36", 1);
    for (String type :
        List.of(
            "text/plain", "application/x-www-form-urlencoded", "application/json; charset=gbk")) {
      Reply reply = api.call("/Stock/Creat").body(type, body).send();
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.codes()).containsExactly("CONTENT_TYPE");
    }
    assertThat(api.call("/Stock/Creat").json(body).without("Content-Type").send().codes())
        .containsExactly("CONTENT_TYPE");
    assertThat(merchant.entries()).isZero();

    assertThat(
            api.call("/Stock/Creat")
                .body("Application/JSON ; Charset=\"UTF-8\"", body)
                .send()
                .success())
        .isTrue();
  }

  @Test
  void keepsTheCountsOfProductsWithStock() {
    List<Integer> ids = merchant.products(3);
    api.create(Stock.one(ids.get(0), "red", "36", 0));
    api.create(Stock.one(ids.get(0), "blue", "36", 0));
    api.create(
        Stock.list(
            Stock.group(ids.get(2), "red", Stock.size("1", 1)),
            Stock.group(ids.get(0), "red", Stock.size("1", 1))));

    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(api.products("page=1&stock=true").data("id"))
        .containsExactly("" + ids.get(0), "" + ids.get(2));
  }
}
