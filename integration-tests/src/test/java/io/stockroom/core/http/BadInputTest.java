package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Invalid requests get 400 in the envelope, never 5xx, and write nothing, so that all tests share a
 * merchant.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTest {
  private static final String GOOD =
      "[{\"color\":\"red\",\"pid\":PID,\"param\":[{\"size\":\"36\",\"stock\":1}]}]";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @AfterEach
  void nothingWasWritten() {
    assertThat(merchant.entries()).isZero();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  static Stream<String> brokenJson() {
    return Stream.of(
        "",
        " ",
        "[",
        "]",
        "nul",
        "null",
        "true",
        "1",
        "\"list\"",
        GOOD.substring(0, GOOD.length() - 1),
        GOOD.substring(0, 30),
        GOOD + "]",
        GOOD + GOOD,
        GOOD + " x",
        GOOD + "\u0000",
        "\u0000" + GOOD,
        "// comment\n" + GOOD,
        GOOD.replace("\"", "'"),
        GOOD.replace("}]}]", "},]}]"),
        GOOD.replace("\"red\"", "\"red\",\"color\":\"red\""),
        GOOD.replace("\"stock\":1", "\"stock\":1,\"stock\":1"),
        GOOD.replace("\"red\"", "red"),
        GOOD.replace("\"red\"", "\"re\nd\""),
        GOOD.replace("\"red\"", "\"re\\xd\""),
        GOOD.replace("\"red\"", "\"\\uD83D\""),
        GOOD.replace("\"red\"", "\"\\uDC5F\\uD83D\""),
        GOOD.replace("\"red\"", "\"\\u0000\""),
        GOOD.replace("\"red\"", "\"" + "r".repeat(5000) + "\""),
        GOOD.replace("\"color\"", "\"" + "c".repeat(70) + "\":1,\"color\""),
        GOOD.replace("\"stock\":1", "\"stock\":" + "1".repeat(21)),
        GOOD.replace("\"stock\":1", "\"stock\":" + "9".repeat(100_000)),
        GOOD.replace("\"stock\":1", "\"stock\":1e999999999"),
        GOOD.replace("\"stock\":1", "\"stock\":01"),
        GOOD.replace("\"stock\":1", "\"stock\":NaN"),
        GOOD.replace("\"stock\":1", "\"stock\":-"),
        GOOD.replace("\"stock\":1", "\"stock\":1,\"x\":" + "[".repeat(8) + "]".repeat(8)),
        "[".repeat(100_000),
        "{\"list\":".repeat(100_000),
        "{\"list\":{\"list\":" + GOOD + "}}",
        "[" + GOOD + "]",
        GOOD.replace("\"36\"", "\"1-2147483647\""),
        GOOD.replace("\"36\"", "\"0-0\""),
        GOOD.replace("\"36\"", "\"" + "9".repeat(4000) + "-" + "9".repeat(90) + "\""));
  }

  @ParameterizedTest
  @MethodSource("brokenJson")
  void isRejectedAsJson(String body) {
    String json = body.replace("PID", "" + pid);

    isRefused(api.create(json));
    Reply detail = api.call("/Product/Detail").json(json).send();
    isRefused(detail);
  }

  @Test
  void isRejectedIfABodyIsNotUtf8() {
    byte[] latin = GOOD.replace("PID", "" + pid).replace("red", "caf\u00e9").getBytes(ISO_8859_1);
    byte[] overlong =
        GOOD.replace("PID", "" + pid).replace("red", "\u00c0\u0080").getBytes(ISO_8859_1);
    byte[] surrogate =
        GOOD.replace("PID", "" + pid).replace("red", "\u00ed\u00a0\u0080").getBytes(ISO_8859_1);

    isRefused(api.call("/Stock/Creat").body("application/json", latin).send());
    isRefused(api.call("/Stock/Creat").body("application/json", overlong).send());
    isRefused(api.call("/Stock/Creat").body("application/json", surrogate).send());
  }

  @Test
  void rejectsAHostileRangeCheaply() {
    String many = (Stock.size("1-2147483647", 1) + ",").repeat(30_000);
    String body = Stock.list(Stock.group(pid, "red", many + Stock.size("1-99999999", 1)));
    isRefused(api.create(body));
    long start = System.nanoTime();
    isRefused(api.create(Stock.one(pid, "red", "1-2147483647", 1)));

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void isRejectedBeyond2MebibytesWithAndWithoutContentLength() {
    String good = GOOD.replace("PID", "" + pid);
    byte[] huge = (good + " ".repeat((3 << 20) - good.length())).getBytes(UTF_8);

    Reply announced = api.call("/Stock/Creat").body("application/json", huge).send();
    Reply chunked = api.call("/Stock/Creat").body("application/json", huge).chunked().send();

    isRefused(announced);
    assertThat(announced.codes()).containsExactly("BODY_TOO_LARGE");
    assertThat(chunked.whole()).isEqualTo(announced.whole());
  }

  @Test
  void isRejectedOneByteBeyond2Mebibytes() {
    String bad = Stock.one(2147483647, "red", "36", 1);
    String full = bad + " ".repeat((2 << 20) - bad.length());

    assertThat(api.create(full).status()).isEqualTo(200);
    assertThat(api.create(full + " ").codes()).containsExactly("BODY_TOO_LARGE");
    assertThat(
            api.call("/Stock/Creat")
                .body("application/json", (full + " ").getBytes(UTF_8))
                .chunked()
                .send()
                .codes())
        .containsExactly("BODY_TOO_LARGE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "productid=%",
        "productid=%1",
        "productid=%zz",
        "productid=1&x=%ff",
        "%=1&productid=1",
        "productid=%00",
        "productid=1%00",
        "productid=%C0%80",
        "productid=%ED%A0%80",
        "&&&=",
        "=",
        "productid",
        "productid=1=2"
      })
  void isRejectedAsAForm(String form) {
    isRefused(api.call("/Stock/List").form(form).send());
  }

  @ParameterizedTest
  @ValueSource(strings = {"page=%", "page=%1", "page=%zz", "page=1&x=%ff", "page=1%00"})
  void isRejectedAsAQueryString(String query) {
    String head =
        api.call("/Stock/Product").query(query).head("Content-Length: 0", "Connection: close");

    isRefused(Http.rawReply(api.server(), head));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"page=<script>", "page=\"", "page=1|2", "page=1 2", "page=\u0001", "page=\u00ff"})
  void isRejectedAsARequestLine(String query) {
    String head =
        api.call("/Stock/Product").query(query).head("Content-Length: 0", "Connection: close");

    isRefused(Http.rawReply(api.server(), head));
  }

  @Test
  void isRejectedWithTooManyOrTooLargeHeaders() {
    String[] many = new String[70];
    Arrays.setAll(many, i -> "x" + i + ": 1");
    isRefused(Http.rawReply(api.server(), call().head(many)));
    isRefused(Http.rawReply(api.server(), call().head("x: " + "a".repeat(20_000))));
    isRefused(Http.rawReply(api.server(), call().query("x=" + "a".repeat(20_000)).head()));

    String[] some = new String[50];
    Arrays.setAll(some, i -> "x" + i + ": 1");
    some[0] = "Connection: close";
    some[1] = "x: " + "a".repeat(12_000);
    assertThat(Http.rawReply(api.server(), call().head(some)).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: -1",
        "Content-Length: x",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5, 6",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked, identity",
        "a b: c",
        "nocolon",
        ": empty",
        "bad\u0000name: x"
      })
  void isRejectedWithABrokenHeader(String line) {
    Reply reply = Http.rawReply(api.server(), call().head(line, "Connection: close") + "page=1");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("success").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET\r\n\r\n",
        "POST /Stock/List HTTP/9.9\r\nHost: x\r\n\r\n",
        "POST /Stock/List HTTP/1.1\r\n\r\n",
        "POST /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "POST /Stock%2fList HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "POST /Stock/List%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "P\u0001ST / HTTP/1.1\r\nHost: x\r\n\r\n",
        "\u0016\u0003\u0001\u0002\r\n\r\n"
      })
  void isRejectedAsHttp(String request) {
    Reply reply = Http.rawReply(api.server(), request);

    assertThat(reply.status()).isIn(400, 404);
    assertThat(reply.json().get("success").asBoolean()).isFalse();
    assertThat(reply.whole()).doesNotContainIgnoringCase("jetty").doesNotContain("Exception");
  }

  @Test
  void isRejectedIfTheBodyIsTruncated() {
    String head = api.call("/Stock/Creat").json("").head("Content-Length: 500");
    isRefused(Http.rawReply(api.server(), head + GOOD.replace("PID", "" + pid)));

    String chunk = api.call("/Stock/Creat").json("").head("Transfer-Encoding: chunked");
    isRefused(Http.rawReply(api.server(), chunk + "zz\r\n" + GOOD.replace("PID", "" + pid)));
  }

  @Test
  void isNeverReadAsASecondRequestWithTwoContentLengths() {
    String hidden = api.call("/Stock/Creat").json("").head("Content-Length: 0");
    String head =
        api.call("/Stock/Creat").json("").head("Transfer-Encoding: chunked", "Content-Length: 4");

    String answers = Http.raw(api.server(), head + "0\r\n\r\n" + hidden);

    assertThat(answers).startsWith("HTTP/1.1 400");
    assertThat(answers.split("HTTP/1.1 ", -1)).hasSize(2);
  }

  private Call call() {
    return api.call("/Stock/Product").query("page=1");
  }

  private static void isRefused(Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.json().get("success").asBoolean()).isFalse();
    assertThat(reply.msg()).isNotEmpty();
    assertThat(reply.codes()).isNotEmpty();
  }
}
