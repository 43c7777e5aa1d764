package io.stockroom.server.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.check.Capture;
import io.stockroom.protocol.check.Known;
import io.stockroom.protocol.check.Report;
import io.stockroom.protocol.check.RequestCheck;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.TestMerchant;
import java.time.Instant;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The checker finds a mistake exactly where the server refuses, and none where it does not. */
class CheckAgreesTest {
  private static final TestMerchant MERCHANT = TestMerchant.fresh();
  private static final int PRODUCT = MERCHANT.product();
  private static final String GROUP =
      "{\"color\":\"red\",\"pid\":%d,\"param\":[{\"size\":\"36\",\"stock\":1}]}".formatted(PRODUCT);

  private static final String BARCODE = "\"barcode\":\"690\",";

  record Bent(String path, String body, UnaryOperator<Call> call) {}

  static Stream<Arguments> requests() {
    Api api = MERCHANT.api();
    return Stream.of(
        list("right", call -> call),
        list("lower case", call -> call.header("sign", lower(call, api))),
        list("16 characters", call -> call.header("sign", "0123456789ABCDEF")),
        list("no sign", call -> call.without("sign")),
        list("GET", call -> call.method("GET")),
        list("milliseconds", call -> call.at(Instant.now().toEpochMilli())),
        list("old", call -> call.at(Instant.now().getEpochSecond() - 4000)),
        list("other secret", call -> call.header("sign", "0".repeat(32))),
        list("Bearer", call -> call.header("accesstoken", "Bearer " + api.accesstoken())),
        list("clipped", call -> call.header("accesstoken", api.accesstoken().substring(0, 12))),
        list("unknown sign-method", call -> call.header("sign-method", "md5")),
        list("no type", call -> call.without("Content-Type")),
        list("json type", call -> call.header("Content-Type", "application/json")),
        of("path case", "/stock/LIST", "productid=" + PRODUCT, call -> call),
        of("slash", "/Stock/List/", "productid=" + PRODUCT, call -> call),
        of("unknown path", "/Stock/Lists", "productid=" + PRODUCT, call -> call),
        of("no field", "/Stock/List", "x=1", call -> call),
        of("field case", "/Stock/List", "productId=" + PRODUCT, call -> call),
        of("not a number", "/Stock/List", "productid=abc", call -> call),
        of("twice", "/Stock/List", "productid=1&productid=1", call -> call),
        of("broken escape", "/Stock/List", "productid=%1", call -> call),
        of("filter", "/Stock/Product", "page=1&stock=TRUE", call -> call),
        of("wrong filter", "/Stock/Product", "page=1&stock=1", call -> call),
        of("page zero", "/Stock/Product", "page=0", call -> call),
        of("usage", "/Usage", "", call -> call),
        list("identity", call -> call.header("Content-Encoding", "identity")),
        list("deflate", call -> call.header("Content-Encoding", "deflate")),
        list("nonce without HMAC", call -> call.header("sign-nonce", "0123456789abcdef")),
        create("create", "[" + GROUP + "]"),
        create("create list", "{\"list\":[" + GROUP + "]}"),
        create("wrapped", "{\"data\":[" + GROUP + "]}"),
        create("object", GROUP),
        create("trailing comma", "[" + GROUP + ",]"),
        create("single quotes", "[{'color':'red'}]"),
        create("comment", "[ /* x */ " + GROUP + "]"),
        create("duplicate", "[{\"pid\":1,\"pid\":1}]"),
        create("twice encoded", "\"[]\""),
        create("empty", "[]"),
        create("no body", ""),
        create("size number", "[" + GROUP.replace("\"36\"", "36") + "]"),
        create("size whole number as decimal", "[" + GROUP.replace("\"36\"", "36.0") + "]"),
        create("size number with exponent", "[" + GROUP.replace("\"36\"", "3.6e1") + "]"),
        create("size number too large", "[" + GROUP.replace("\"36\"", "1000") + "]"),
        create("stock text", "[" + GROUP.replace(":1}", ":\"1\"}") + "]"),
        create("stock fraction", "[" + GROUP.replace(":1}", ":1.0}") + "]"),
        create("range", "[" + GROUP.replace("36", "36-40") + "]"),
        create("backwards", "[" + GROUP.replace("36", "40-36") + "]"),
        create("leading zero", "[" + GROUP.replace("36", "036") + "]"),
        create("misspelt", "[" + GROUP.replace("color", "colour") + "]"),
        create("misspelt in case", "[" + GROUP.replace("pid", "Pid") + "]"),
        create("misspelt optional", "[" + GROUP.replace("\"stock\"", BARCODE + "\"stock\"") + "]"),
        create("misspelt beside", "[" + GROUP.replace("\"pid\"", "\"pids\":1,\"pid\"") + "]"),
        create("list in another case", "{\"List\":[" + GROUP + "]}"),
        create("unknown field", "[" + GROUP.replace("{\"color\"", "{\"note\":1,\"color\"") + "]"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void findsAMistakeExactlyWhereTheServerRefuses(String name, Bent bent) {
    Api api = MERCHANT.api();
    boolean json = bent.path.equals("/Stock/Creat");
    Call call =
        bent.call.apply(
            json ? api.call(bent.path).json(bent.body) : api.call(bent.path).form(bent.body));

    int status = call.send().status();
    Report report =
        RequestCheck.check(
            Capture.read(call.head() + bent.body),
            Known.nothing()
                .withAppid(api.appid())
                .withSecret(api.secret())
                .withAccesstoken(api.accesstoken())
                .withClock(new Known.Clock(Instant.now(), true, 300)));

    // 429 is the pace of creates, which says nothing of the request's form
    boolean taken = status == 200 || status == 429;
    assertThat(report.mistakes().isEmpty()).as("%d %s", status, report).isEqualTo(taken);
  }

  private static String lower(Call call, Api api) {
    String head = call.head();
    String timestamp = head.replaceAll("(?s).*timestamp: ([0-9]+).*", "$1");
    return api.sign(timestamp).toLowerCase(Locale.ROOT);
  }

  private static Arguments list(String name, UnaryOperator<Call> call) {
    return of(name, "/Stock/List", "productid=" + PRODUCT, call);
  }

  private static Arguments create(String name, String body) {
    return of(name, "/Stock/Creat", body, call -> call);
  }

  private static Arguments of(String name, String path, String body, UnaryOperator<Call> call) {
    return Arguments.of(name, new Bent(path, body, call));
  }
}
