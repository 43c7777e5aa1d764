package io.stockroom.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {
  private static final String[] PATHS = {
    "/Stock/Product", "/Stock/List", "/Stock/Creat", "/Product/Detail"
  };

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void ofA400NamesProblemLocationAndValue() {
    Reply reply = api.create(Stock.one(merchant.product(), "red", "36+", 1));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body())
        .isEqualTo(
            """
            {"success":false,"msg":"[0].param[0].size: \\"36+\\" is not a size: write a whole number \
            such as 36, or a range such as 36-40.","errors":[{"at":"[0].param[0].size",\
            "code":"SIZE_FORMAT","msg":"\\"36+\\" is not a size: write a whole number such as 36, or a \
            range such as 36-40."}]}\
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"})
  void respondsToOtherMethodsWith405AndAllow(String method) {
    for (String path : PATHS) {
      Reply reply = api.call(path).method(method).send();

      assertThat(reply.status()).isEqualTo(405);
      assertThat(reply.header("allow")).hasValue("POST");
      if (!method.equals("HEAD")) {
        assertThat(reply.codes()).containsExactly("METHOD_NOT_ALLOWED");
      }
    }
  }

  @Test
  void respondsToTraceWithoutEchoingItsHeaders() {
    Reply reply = api.call("/Stock/List").method("TRACE").send();

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.body()).doesNotContain(api.accesstoken());
  }

  @Test
  void ignoresCaseInPaths() {
    int pid = merchant.product();

    assertThat(api.call("/STOCK/product").form("page=1").send().success()).isTrue();
    assertThat(api.call("/stock/creat").json(Stock.one(pid, "red", "36", 1)).send().success())
        .isTrue();
    assertThat(api.call("/Stock/LIST").form("productid=" + pid).send().success()).isTrue();
    assertThat(api.call("/product/detail").form("pid=" + pid).send().success()).isTrue();
    assertThat(api.call("/stock/list").method("GET").send().header("allow")).hasValue("POST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/Stock/Create",
        "/Stock/List/",
        "/Stock",
        "/",
        "/Stock/Product/1",
        "/health/live",
        "/metrics",
        "/actuator",
        "/error",
        "/index.html",
        "/%E5%BA%93"
      })
  void respondsToAnotherPathWith404InTheEnvelope(String path) {
    Reply reply = api.call(path).form("page=1").send();

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.codes()).containsExactly("NOT_FOUND");
  }

  @ParameterizedTest
  @CsvSource({
    "zh-CN, 商品不存在",
    "'zh;q=0.9, fr', 商品不存在",
    "'fr, zh;q=0.5, en;q=0.4', 商品不存在",
    "'en;q=0.4, zh;q=0.5', 商品不存在",
    "en-GB, The product",
    "fr, The product",
    "'zh;q=0, fr', The product",
    "';;;', The product",
    "*, The product"
  })
  void respondsInTheRequestedLanguage(String header, String beginning) {
    Reply reply = api.call("/Product/Detail").form("pid=2147483647").language(header).send();

    assertThat(reply.msg()).startsWith(beginning);
  }

  @Test
  void writesProblemsInTheRequestedLanguage() {
    Reply reply = api.call("/Stock/Product").form("page=0").language("zh").send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.msg()).isEqualTo("page: “0”不是 1 到 2147483647 之间的整数。");
    assertThat(reply.places()).containsExactly("page");
  }

  @Test
  void usesTheConfiguredLanguageByDefault() {
    Api chinese = api.on(TestServer.other());

    assertThat(chinese.detail(2147483647).msg()).startsWith("商品不存在");
    assertThat(chinese.call("/Product/Detail").form("pid=2147483647").language("en").send().msg())
        .startsWith("The product");
  }

  @Test
  void hasDateAndRequestIdInEveryResponse() {
    for (Reply reply :
        List.of(api.products("page=1"), api.products("page=0"), api.call("/x").send())) {
      assertThat(reply.header("date")).isPresent();
      assertThat(reply.header("x-request-id").orElseThrow()).matches("[0-9a-f]{16}");
      assertThat(reply.header("server")).isEmpty();
    }
  }

  /** Each request also has problems of all later stages. */
  @Test
  void reportsOnlyTheProblemsOfTheFirstStage() {
    String path = "/Stock/Creat";
    Api wrong = api.withSecret("another");
    Api narrow = merchant.token("\"scopes\":[\"stock:read\"]");
    byte[] huge = new byte[3 << 20];
    String far = "1000000000";

    assertThat(wrong.call("/Stock/Create").method("GET").at("x").send().codes())
        .containsExactly("NOT_FOUND");
    assertThat(wrong.call(path).method("PUT").at("x").body("text/plain", "[").send().codes())
        .containsExactly("METHOD_NOT_ALLOWED");
    assertThat(wrong.call(path).at("x").body("text/plain", "[").send().codes())
        .containsExactly("TIMESTAMP_FORMAT");
    assertThat(wrong.call(path).at(far).body("text/plain", "[").send().codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(api.withToken("srt_wrong").call(path).at(far).body("text/plain", "[").send().codes())
        .containsExactly("TIMESTAMP_WINDOW");
    assertThat(api.withToken("srt_wrong").call(path).body("text/plain", "[").send().codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(narrow.call(path).body("text/plain", huge).send().codes())
        .containsExactly("SCOPE_MISSING");
    assertThat(api.call(path).body("application/json", huge).send().codes())
        .containsExactly("BODY_TOO_LARGE");
    assertThat(api.call(path).body("text/plain", "[").send().codes())
        .containsExactly("CONTENT_TYPE");
    assertThat(api.create("[{\"color\":\"\",\"pid\":0}] x").codes()).contains("JSON_BROKEN");
    assertThat(api.create(Stock.one(2147483647, "red", "0", 1)).codes())
        .containsExactly("SIZE_BOUNDS");
    assertThat(api.create(Stock.one(2147483647, "red", "1", 1)).status()).isEqualTo(200);
  }

  @Test
  void checksTheRateLimitBeforeTheBusiness() {
    int pid = merchant.product();
    Api paced = api.on(TestServer.paced("PT1M"));
    paced.create(Stock.one(pid, "red", "36", 1));
    String missing = Stock.one(2147483647, "red", "36", 1);

    assertThat(paced.create(missing).codes()).containsExactly("CREATE_RATE");
    assertThat(paced.create("[]").codes()).containsExactly("LIST_EMPTY");
  }
}
