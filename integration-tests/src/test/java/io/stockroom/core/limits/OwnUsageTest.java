package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class OwnUsageTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void returnsTheUsageOfEveryLimit() {
    Nodes.setLimits(
        merchant,
        """
        "limits.detail-per-day":"10","limits.store-products":"5","limits.create-interval":"PT1H",
        "limits.publish-grace":"P0D","limits.publish-minimum":"3"\
        """);
    List<Integer> pids = merchant.products(3);
    Api api = merchant.token("\"boundStore\":\"shop\"");
    api.detail(pids.get(0));
    api.detail(pids.get(0));
    api.detail(pids.get(1));
    api.detail(pids.get(2));
    api.create(Stock.one(pids.get(0), "red", "36", 1));
    publish(api, "[{\"pid\":%d,\"result\":\"published\"}]".formatted(pids.get(0)));

    Reply reply = usage(api, "");

    assertThat(reply.success()).isTrue();
    assertThat(reply.msg()).isEmpty();
    JsonNode day = line(reply, "detail-per-day");
    assertThat(numbers(day)).containsExactly(10, 4, 6);
    assertThat(Instant.parse(day.get("resetsAt").asString())).isAfter(Instant.now());
    JsonNode store = line(reply, "store-products");
    assertThat(numbers(store)).containsExactly(5, 3, 2);
    assertThat(store.get("store").asString()).isEqualTo("shop");
    JsonNode share = line(reply, "publish-share");
    assertThat(share.get("limit").asInt()).isEqualTo(2);
    assertThat(share.get("used").asInt()).isEqualTo(1);
    assertThat(share.get("note").asString())
        .contains("1 of 3", "2/3", "have a publish result", "refused; 1 missing");
    assertThat(numbers(line(reply, "create-interval"))).containsExactly(1, 1, 0);
    assertThat(line(reply, "create-elements").get("limit").asInt()).isEqualTo(300);
    assertThat(unpublished(reply).get("total").asInt()).isEqualTo(2);
    assertThat(pids(reply)).containsExactly(pids.get(1), pids.get(2));
  }

  @Test
  void returnsTheLastResultOfAnUnpublishedProduct() {
    int pid = merchant.product();
    Api api = merchant.api();
    api.detail(pid);
    assertThat(unpublished(usage(api, "")).get("data").get(0).get("result").isNull()).isTrue();

    publish(api, "[{\"pid\":%d,\"result\":\"failed\"}]".formatted(pid));
    assertThat(unpublished(usage(api, "")).get("total").asInt()).isZero();

    Nodes.setLimits(merchant, "\"limits.publish-counts\":\"published\"");
    assertThat(
            unpublished(usage(merchant.application(), ""))
                .get("data")
                .get(0)
                .get("result")
                .asString())
        .isEqualTo("failed");
  }

  @Test
  void pagesTheProductsWithoutResultByFifty() {
    List<Integer> pids = merchant.products(51);
    DetailAt detail = new DetailAt(merchant, Map.of());
    Instant now = Instant.now();
    for (int pid : pids) {
      assertThat(detail.attempt(now, pid, "")).isNull();
    }
    Api api = merchant.api();

    Reply first = usage(api, "");
    Reply second = usage(api, "page=2");
    Reply beyond = usage(api, "page=3");

    assertThat(pids(first)).isEqualTo(pids.subList(0, 50));
    assertThat(pids(second)).isEqualTo(pids.subList(50, 51));
    assertThat(pids(beyond)).isEmpty();
    for (Reply reply : List.of(first, second, beyond)) {
      assertThat(unpublished(reply).get("totalPages").asInt()).isEqualTo(2);
      assertThat(unpublished(reply).get("total").asInt()).isEqualTo(51);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"page=0", "page=x", "page=1&page=1"})
  void rejectsAnInvalidPage(String form) {
    Reply reply = usage(merchant.api(), form);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("page");
  }

  @Test
  void acceptsATokenWithAnyScopes() {
    assertThat(usage(merchant.token("\"scopes\":[\"stock:read\"]"), "").success()).isTrue();
    assertThat(usage(merchant.token("\"scopes\":[\"publish:write\"]"), "").success()).isTrue();
  }

  @Test
  void requiresAuthentication() {
    assertThat(usage(merchant.api().withToken("srt_none"), "").codes())
        .containsExactly("CREDENTIALS_WRONG");
  }

  @Test
  void showsTheOperatorTheSame() {
    int pid = merchant.product();
    Api api = merchant.token("\"boundStore\":\"shop\"");
    api.detail(pid);

    Reply own = usage(api, "");
    Reply shown =
        Admin.of(TestServer.shared())
            .get("/admin/merchants/" + merchant.id() + "/usage?store=shop");

    JsonNode data = own.json().get("data");
    assertThat(shown.json().get("unpublished")).isEqualTo(data.get("unpublished"));
    // the operator also sees the imports, which no application can query
    assertThat(shown.json().get("limits"))
        .startsWith(data.get("limits").valueStream().toArray(JsonNode[]::new));
  }

  @Test
  void isFreeOfCharge() {
    int pid = merchant.product();
    merchant.api().detail(pid);

    usage(merchant.api(), "");

    assertThat(numbers(line(usage(merchant.api(), ""), "detail-per-day")))
        .containsExactly(300, 1, 299);
  }

  private static Reply usage(Api api, String form) {
    return form.isEmpty() ? api.call("/Usage").send() : api.call("/Usage").form(form).send();
  }

  private static void publish(Api api, String body) {
    assertThat(api.call("/Product/Publish").json(body).send().success()).isTrue();
  }

  private static JsonNode line(Reply reply, String name) {
    return reply
        .json()
        .get("data")
        .get("limits")
        .valueStream()
        .filter(line -> line.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> numbers(JsonNode line) {
    return List.of(
        line.get("limit").asInt(), line.get("used").asInt(), line.get("remaining").asInt());
  }

  private static JsonNode unpublished(Reply reply) {
    return reply.json().get("data").get("unpublished");
  }

  private static List<Integer> pids(Reply reply) {
    return unpublished(reply).get("data").valueStream().map(p -> p.get("pid").asInt()).toList();
  }
}
