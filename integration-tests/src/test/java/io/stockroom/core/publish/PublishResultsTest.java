package io.stockroom.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishResultsTest {
  private static final String STORED =
      """
      select product_id || ' ' || bound_store || ' ' || result || ' ' || url || ' ' || msg
      from publish_result where merchant_id = ? order by product_id, bound_store
      """;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @ParameterizedTest
  @ValueSource(strings = {"published", "failed", "withdrawn"})
  void storesEachResultWithUrlAndMessage(String result) {
    int pid = merchant.product();

    Reply reply =
        report(
            api,
            "[{\"pid\":%d,\"result\":\"%s\",\"url\":\"https://shop/1\",\"msg\":\"fine\"}]"
                .formatted(pid, result));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .isEqualTo("{\"success\":true,\"msg\":\"\",\"accepted\":1,\"errors\":[]}");
    assertThat(merchant.texts(STORED))
        .containsExactly(pid + "  " + result + " https://shop/1 fine");
  }

  @Test
  void readsTheListOfAnObjectToo() {
    int pid = merchant.product();

    assertThat(report(api, "{\"list\":[" + item(pid, "published") + "]}").success()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{\"pid\":1,\"result\":\"live\"}] | [0].result | RESULT_FORMAT",
        "[{\"pid\":1,\"result\":\"Published\"}] | [0].result | RESULT_FORMAT",
        "[{\"pid\":1}] | [0].result | FIELD_MISSING",
        "[{\"result\":\"failed\"}] | [0].pid | FIELD_MISSING",
        "[{\"pid\":\"1\",\"result\":\"failed\"}] | [0].pid | FIELD_TYPE",
        "[{\"pid\":0,\"result\":\"failed\"}] | [0].pid | NUMBER_RANGE",
        "[{\"pid\":1,\"result\":null}] | [0].result | FIELD_TYPE",
        "[{\"pid\":1,\"result\":\"failed\",\"url\":7}] | [0].url | FIELD_TYPE",
        "[7] | [0] | FIELD_TYPE",
        "[{\"pid\":1,\"result\":\"failed\"},{\"pid\":1,\"result\":\"failed\"}] | [1].pid |"
            + " PRODUCT_REPEATED",
        "{\"items\":[]} | '' | FIELD_TYPE"
      })
  void namesTheLocationOfEachProblem(String body, String place, String code) {
    Reply reply = report(api, body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly(place);
    assertThat(reply.codes()).containsExactly(code);
  }

  @Test
  void listsAllProblemsAtOnceAndStoresNothing() {
    int pid = merchant.product();

    Reply reply =
        report(
            api,
            "[" + item(pid, "published") + ",{\"pid\":-1,\"result\":\"live\"},{\"result\":5}]");

    assertThat(reply.places())
        .containsExactlyInAnyOrder("[1].pid", "[1].result", "[2].result", "[2].pid");
    assertThat(merchant.texts(STORED)).isEmpty();
  }

  @Test
  void rejectsAnEmptyListAndInvalidJson() {
    assertThat(report(api, "[]").codes()).containsExactly("LIST_EMPTY");
    assertThat(report(api, "[{").codes()).containsExactly("JSON_BROKEN");
    assertThat(report(api, "").codes()).containsExactly("JSON_BROKEN");
    assertThat(api.call("/Product/Publish").form("pid=1").send().codes())
        .containsExactly("CONTENT_TYPE");
  }

  @Test
  void accepts300ResultsAndRejects301() {
    List<Integer> pids = merchant.products(300);
    String most = pids.stream().map(pid -> item(pid, "published")).collect(Collectors.joining(","));

    Reply inside = report(api, "[" + most + "]");
    Reply outside = report(api, "[" + most + "," + item(1, "published") + "]");

    assertThat(inside.json().get("accepted").asInt()).isEqualTo(300);
    assertThat(outside.status()).isEqualTo(400);
    assertThat(outside.codes()).containsExactly("LIST_TOO_LONG");
    assertThat(outside.msg()).contains("301", "300");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"javascript:alert(1)", "data:text/html,x", "//shop/1", "shop/1", "https://", "x"})
  void rejectsAUrlThatIsNoWebAddress(String url) {
    Reply reply = reportUrl(url);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("TEXT_FORMAT");
    assertThat(reply.places()).containsExactly("[0].url");
    assertThat(reply.msg()).contains("send a whole http:// or https:// address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://shop/1", "HTTPS://店铺.example/商品?a=b c#d"})
  void acceptsWebAddresses(String url) {
    assertThat(reportUrl(url).success()).isTrue();
  }

  private Reply reportUrl(String url) {
    return report(
        api,
        "[{\"pid\":%d,\"result\":\"published\",\"url\":\"%s\"}]"
            .formatted(merchant.product(), url));
  }

  @Test
  void limitsTheLengthOfUrlAndMessage() {
    int pid = merchant.product();
    String format = "[{\"pid\":%d,\"result\":\"failed\",\"url\":\"%s\",\"msg\":\"%s\"}]";

    String url = "https://" + "u".repeat(1992);
    assertThat(report(api, format.formatted(pid, url, "m".repeat(1000))).success()).isTrue();
    assertThat(report(api, format.formatted(pid, url + "u", "m".repeat(1001))).places())
        .containsExactly("[0].url", "[0].msg");
  }

  @Test
  void acceptsTheOtherResultsIfAProductIsMissing() {
    List<Integer> pids = merchant.products(2);

    Reply reply =
        report(
            api,
            "[%s,%s,%s]"
                .formatted(
                    item(pids.get(0), "published"),
                    item(2147483647, "published"),
                    item(pids.get(1), "failed")));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.success()).isFalse();
    assertThat(reply.json().get("accepted").asInt()).isEqualTo(2);
    assertThat(reply.places()).containsExactly("[1].pid");
    assertThat(reply.codes()).containsExactly("PRODUCT_MISSING");
    assertThat(merchant.texts(STORED)).hasSize(2);
  }

  @Test
  void respondsToAnotherMerchantsProductLikeToAMissingOne() {
    TestMerchant other = TestMerchant.fresh();
    int another = other.product();

    Reply foreign = report(api, "[" + item(another, "published") + "]");
    Reply missing = report(api, "[" + item(2147483647, "published") + "]");

    assertThat(foreign.whole().replace("" + another, "PID"))
        .isEqualTo(missing.whole().replace("2147483647", "PID"));
    assertThat(other.texts(STORED)).isEmpty();
    assertThat(merchant.texts(STORED)).isEmpty();
  }

  @Test
  void isIdempotent() {
    int pid = merchant.product();
    String when = "select reported_at from publish_result where merchant_id = ?";
    report(api, "[" + item(pid, "published") + "]");
    List<String> first = merchant.texts(when);

    Reply again = report(api, "[" + item(pid, "published") + "]");

    assertThat(again.success()).isTrue();
    assertThat(again.json().get("accepted").asInt()).isEqualTo(1);
    assertThat(merchant.texts(when)).isEqualTo(first);
    report(api, "[" + item(pid, "failed") + "]");
    assertThat(merchant.texts(STORED)).containsExactly(pid + "  failed  ");
  }

  @Test
  void storesTheResultsOfEachBoundStoreSeparately() {
    int pid = merchant.product();
    report(merchant.token("\"boundStore\":\"first\""), "[" + item(pid, "published") + "]");
    report(merchant.token("\"boundStore\":\"second\""), "[" + item(pid, "failed") + "]");

    assertThat(merchant.texts(STORED))
        .containsExactly(pid + " first published  ", pid + " second failed  ");
  }

  @Test
  void requiresItsScope() {
    int pid = merchant.product();
    String body = "[" + item(pid, "published") + "]";

    assertThat(report(merchant.token("\"scopes\":[\"publish:write\"]"), body).success()).isTrue();
    assertThat(report(merchant.token("\"scopes\":[\"detail:read\"]"), body).codes())
        .containsExactly("SCOPE_MISSING");
  }

  @Test
  void listsAtMost100Problems() {
    String body =
        IntStream.range(0, 101).mapToObj(i -> "7").collect(Collectors.joining(",", "[", "]"));

    assertThat(report(api, body).places()).hasSize(100);
    assertThat(report(api, body).msg()).endsWith("(and 98 more)");
  }

  private static Reply report(Api api, String body) {
    return api.call("/Product/Publish").json(body).send();
  }

  private static String item(int pid, String result) {
    return "{\"pid\":%d,\"result\":\"%s\"}".formatted(pid, result);
  }
}
