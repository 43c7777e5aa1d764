package io.stockroom.core.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProductDetailTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void returnsExactlyTheDocumentedFieldsInOrder() {
    merchant.importProducts(
        """
        {"artNo":"JF7012","title":"Court shoe","price":59,"video":"http://v.example/1.mp4",\
        "description":"<p>Fine \\"shoe\\"</p>","imgs":["http://p.example/1.jpg","http://p.example/2.jpg"],\
        "categoryIdTree":"1,12","categoryNameTree":"Shoes,Sneakers",\
        "attributes":[{"name":"Upper","value":"Leather"},{"name":"Sole","value":""}],\
        "skus":[{"color":"black","skuImg":"http://p.example/black.jpg"}]}"""
            .replace("\\\n", ""));
    int pid = merchant.productIds().getFirst();
    api.create(
        Stock.list(
            Stock.group(pid, "white", Stock.size("40", 7), Stock.size("38-39", 0)),
            Stock.group(pid, "black", Stock.size("9", 2), Stock.size("10", 3))));

    assertThat(api.detail(pid).body())
        .isEqualTo(
            """
            {"success":true,"msg":"","data":{"categoryIdTree":"1,12",\
            "categoryNameTree":"Shoes,Sneakers","description":"<p>Fine \\"shoe\\"</p>",\
            "imgs":["http://p.example/1.jpg","http://p.example/2.jpg"],"price":59.00,\
            "outerId":"%s/JF7012/59.00","picUrl":"http://p.example/1.jpg",\
            "attributes":[{"name":"Upper","value":"Leather"},{"name":"Sole","value":""}],\
            "skus":[{"color":"white","size":"38,39,40","stockNum":"0,0,7","skuImg":""},\
            {"color":"black","size":"9,10","stockNum":"2,3","skuImg":"http://p.example/black.jpg"}],\
            "storeUrl":"%s","storeName":"Store of Shoes","title":"Court shoe",\
            "video":"http://v.example/1.mp4"}}"""
                .formatted(merchant.storeUrl(), merchant.storeUrl()));
  }

  @Test
  void hasNoSkusWithoutStock() {
    assertThat(api.detail(merchant.product()).body()).contains("\"skus\":[],");
  }

  @ParameterizedTest
  @CsvSource({
    "59, 59.00",
    "59.9, 59.90",
    "0, 0.00",
    "0.1, 0.10",
    "19.990, 19.99",
    "9999999999.99, 9999999999.99",
    "1e2, 100.00"
  })
  void writesPricesWithExactlyTwoDecimals(String imported, String shown) {
    merchant.importProducts("{\"artNo\":\"P\",\"title\":\"t\",\"price\":%s}".formatted(imported));

    String body = api.detail(merchant.productIds().getFirst()).body();

    assertThat(body)
        .contains("\"price\":" + shown + ",")
        .contains("\"outerId\":\"" + merchant.storeUrl() + "/P/" + shown + "\"");
  }

  @Test
  void readsThePidFromFormQueryAndJson() {
    int pid = merchant.product();
    String wanted = api.detail(pid).body();
    String path = "/Product/Detail";

    assertThat(wanted).startsWith("{\"success\":true");
    assertThat(api.call(path).query("pid=" + pid).send().body()).isEqualTo(wanted);
    assertThat(api.call(path).json("{\"pid\":" + pid + "}").send().body()).isEqualTo(wanted);
    assertThat(api.call(path).json("{\"x\":[{}],\"pid\":\"" + pid + "\"}").send().body())
        .isEqualTo(wanted);
    assertThat(api.call(path).query("pid=" + pid).json("{\"pid\":" + pid + "}").send().body())
        .isEqualTo(wanted);
    assertThat(api.call(path).query("pid=" + pid).form("pid=" + pid).send().body())
        .isEqualTo(wanted);
  }

  @Test
  void rejectsDifferentPids() {
    assertThat(api.call("/Product/Detail").query("pid=1").json("{\"pid\":2}").send().codes())
        .containsExactly("FIELD_CONFLICT");
    assertThat(api.call("/Product/Detail").query("pid=1").form("pid=2").send().codes())
        .containsExactly("FIELD_CONFLICT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"pid\":1.0}",
        "{\"pid\":1e0}",
        "{\"pid\":true}",
        "{\"pid\":null}",
        "{\"pid\":[1]}",
        "{\"pid\":0}",
        "{\"pid\":-1}",
        "{\"pid\":\"\"}",
        "{\"pid\":\" 1\"}",
        "{\"pid\":2147483648}",
        "{\"pid\":99999999999999999999}",
        "{\"pid\":999999999999999999999999}",
        "{\"pid\":1,\"pid\":1}",
        "{\"PID\":1}",
        "{}",
        "[1]",
        "1",
        "{\"pid\":1} x",
        "{\"pid\":"
      })
  void rejectsAPidThatIsNotADecimalInteger(String json) {
    Reply reply = api.call("/Product/Detail").json(json).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).isNotEmpty();
  }

  @Test
  void requiresThePid() {
    assertThat(api.call("/Product/Detail").send().codes()).containsExactly("FIELD_MISSING");
    assertThat(api.call("/Product/Detail").form("pid=").send().codes())
        .containsExactly("FIELD_MISSING");
    assertThat(api.call("/Product/Detail").form("pid=1&pid=1").send().codes())
        .containsExactly("FIELD_REPEATED");
  }

  @Test
  void respondsToAMissingProductLikeTheStockList() {
    Reply reply = api.detail(2147483647);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":false,"msg":"The product does not exist: 2147483647.","data":""}""");
  }
}
