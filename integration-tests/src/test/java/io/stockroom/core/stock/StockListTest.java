package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StockListTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @Test
  void returnsExactlyTheDocumentedFieldsInOrder() {
    api.create(
        Stock.list(Stock.group(pid, "red", Stock.size("36", 5), Stock.size("37", 0, "69012"))));
    Reply reply = api.stock(pid);
    List<String> guids = reply.data("guid");

    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":true,"data":[\
            {"guid":"%s","barCode":null,"color":"red","size":36,"stock":5},\
            {"guid":"%s","barCode":"69012","color":"red","size":37,"stock":0}],"msg":""}"""
                .formatted(guids.get(0), guids.get(1)));
  }

  @Test
  void saysThatStockHasNotBeenAdded() {
    Reply reply = api.stock(pid);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .isEqualTo(
            "{\"success\":false,\"data\":\"\",\"msg\":\"Stock has not been added for product %d.\"}"
                .formatted(pid));
  }

  @Test
  void saysThatAProductDoesNotExist() {
    assertThat(api.stock(2147483647).body())
        .isEqualTo(
            "{\"success\":false,\"data\":\"\",\"msg\":\"The product does not exist: 2147483647.\"}");
  }

  @Test
  void guidsAreTimeOrderedAnd32LowercaseHexadecimals() {
    long before = Instant.now().toEpochMilli();
    api.create(Stock.one(pid, "red", "36-40", 1));
    long after = Instant.now().toEpochMilli();

    assertThat(api.stock(pid).data("guid"))
        .hasSize(5)
        .doesNotHaveDuplicates()
        .allMatch(guid -> guid.matches("[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}"))
        .allSatisfy(
            guid -> assertThat(Long.parseLong(guid.substring(0, 12), 16)).isBetween(before, after));
  }

  @Test
  void ordersEntriesByColorCreationThenSize() {
    api.create(
        Stock.list(
            Stock.group(pid, "white", Stock.size("100", 1), Stock.size("9", 1)),
            Stock.group(pid, "black", Stock.size("37", 1))));
    api.create(
        Stock.list(
            Stock.group(pid, "amber", Stock.size("36", 1)),
            Stock.group(pid, "black", Stock.size("36", 1)),
            Stock.group(pid, "white", Stock.size("10", 1))));

    Reply reply = api.stock(pid);

    assertThat(reply.data("color"))
        .containsExactly("white", "white", "white", "black", "black", "amber");
    assertThat(reply.data("size")).containsExactly("9", "10", "100", "36", "37", "36");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "productid=0",
        "productid=",
        "productid=1.5",
        "productid=2147483648",
        "productid=1&productid=1",
        "productId=1",
        ""
      })
  void rejectsAProductIdThatIsMissingRepeatedOrNotAWholeNumber(String form) {
    Reply reply = api.call("/Stock/List").form(form).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("productid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/plain", "multipart/form-data", "x"})
  void rejectsAnotherMediaType(String type) {
    Reply reply = api.call("/Stock/List").body(type, "productid=" + pid).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("CONTENT_TYPE");
    assertThat(reply.msg()).contains(type, "application/x-www-form-urlencoded");
  }

  @Test
  void requiresTheMediaTypeEvenWithTheProductIdInTheQueryString() {
    assertThat(api.call("/Stock/List").query("productid=" + pid).send().codes())
        .containsExactly("CONTENT_TYPE");
    assertThat(api.call("/Stock/List").query("productid=" + pid).form("").send().status())
        .isEqualTo(200);
  }
}
