package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreProductsTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void rejectsANewProductButNotACountedOne() {
    DetailAt detail = most(2);

    assertThat(detail.fetch("2026-01-01T00:00:00Z", 1, "shop")).isNull();
    assertThat(detail.fetch("2026-01-01T00:00:01Z", 2, "shop")).isNull();
    assertThat(detail.fetch("2026-01-01T00:00:02Z", 3, "shop")).isEqualTo(ErrorCode.STORE_PRODUCTS);
    assertThat(detail.fetch("2026-01-01T00:00:03Z", 1, "shop")).isNull();
    assertThat(detail.fetch("2026-01-01T00:00:04Z", 2, "shop")).isNull();
  }

  @Test
  void countsEachBoundStoreSeparately() {
    DetailAt detail = most(1);
    assertThat(detail.fetch("2026-01-01T00:00:00Z", 1, "shop")).isNull();

    assertThat(detail.fetch("2026-01-01T00:00:01Z", 2, "other shop")).isNull();
    assertThat(detail.fetch("2026-01-01T00:00:02Z", 2, "shop")).isEqualTo(ErrorCode.STORE_PRODUCTS);
    assertThat(detail.fetch("2026-01-01T00:00:03Z", 1, "other shop"))
        .isEqualTo(ErrorCode.STORE_PRODUCTS);
  }

  @ParameterizedTest
  @CsvSource({
    "UTC, 2026-01-15T12:00:00Z, 2026-04-15T11:59:59.999999Z, 2026-04-15T12:00:00Z",
    "UTC, 2027-02-28T12:00:00Z, 2027-05-28T11:59:59.999999Z, 2027-05-28T12:00:00Z",
    "UTC, 2027-02-28T12:00:00Z, 2027-05-28T11:59:59.999999Z, 2027-05-31T00:00:00Z",
    "UTC, 2027-03-01T00:00:00Z, 2027-05-31T23:59:59.999999Z, 2027-06-01T00:00:00Z",
    "UTC, 2028-02-29T12:00:00Z, 2028-05-29T11:59:59.999999Z, 2028-05-29T12:00:00Z",
    "UTC, 2028-02-29T12:00:00Z, 2028-05-29T11:59:59.999999Z, 2028-05-31T00:00:00Z",
    "UTC, 2027-11-30T12:00:00Z, 2028-02-29T23:59:59.999999Z, 2028-03-01T00:00:00Z",
    "UTC, 2026-11-30T12:00:00Z, 2027-02-28T23:59:59.999999Z, 2027-03-01T00:00:00Z",
    "Asia/Shanghai, 2027-02-28T15:59:59Z, 2027-05-28T15:59:58.999999Z, 2027-05-28T15:59:59Z",
    "Asia/Shanghai, 2027-02-28T16:00:00Z, 2027-05-31T15:59:59.999999Z, 2027-05-31T16:00:00Z",
    // noon in winter to noon in summer
    "Europe/Berlin, 2026-01-15T11:00:00Z, 2026-04-15T09:59:59.999999Z, 2026-04-15T10:00:00Z"
  })
  void countsAProductForThreeCalendarMonths(String zone, String at, String inside, String outside) {
    DetailAt detail =
        new DetailAt(merchant, Map.of("limits.store-products", "1", "limits.zone", zone));
    assertThat(detail.fetch(at, 1, "shop")).isNull();

    assertThat(detail.fetch(inside, 2, "shop")).isEqualTo(ErrorCode.STORE_PRODUCTS);
    assertThat(detail.fetch(outside, 2, "shop")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-15T12:00:00Z, 2026-04-15T11:00:00Z, 2026-04-15T12:00:00Z",
    "2027-02-28T12:00:00Z, 2027-05-01T00:00:00Z, 2027-05-28T12:00:00Z",
    "2027-11-30T12:00:00Z, 2028-02-29T18:00:00Z, 2028-03-01T00:00:00Z",
    "2026-11-29T12:00:00Z, 2027-02-28T18:00:00Z, 2027-03-01T00:00:00Z"
  })
  void returnsTheExactTimeWhenTheQuotaRecovers(String at, String refusedAt, String opens) {
    DetailAt detail = most(1);
    detail.fetch(at, 1, "shop");

    DetailAt.Refusal refusal = detail.attempt(Instant.parse(refusedAt), 2, "shop");

    assertThat(Objects.requireNonNull(refusal).code()).isEqualTo(ErrorCode.STORE_PRODUCTS);
    assertThat(refusal.retryAt()).isEqualTo(opens);
    assertThat(refusal.problem().arguments()).contains(Instant.parse(opens));
    assertThat(detail.fetch(opens, 2, "shop")).isNull();
  }

  @Test
  void countsFromTheLastFetchOfAProduct() {
    DetailAt detail = most(1);
    detail.fetch("2026-01-15T12:00:00Z", 1, "shop");
    detail.fetch("2026-02-15T12:00:00Z", 1, "shop");

    assertThat(detail.fetch("2026-04-15T12:00:00Z", 2, "shop")).isEqualTo(ErrorCode.STORE_PRODUCTS);
    assertThat(detail.fetch("2026-05-15T12:00:00Z", 2, "shop")).isNull();
  }

  @Test
  void countsAProductThatReturns() {
    DetailAt detail = most(2);
    detail.fetch("2026-01-15T12:00:00Z", 1, "shop");
    detail.fetch("2026-01-15T12:00:00Z", 2, "shop");

    assertThat(detail.fetch("2026-04-15T12:00:00Z", 1, "shop")).isNull();
    assertThat(detail.fetch("2026-04-15T12:00:00Z", 3, "shop")).isNull();
    assertThat(detail.fetch("2026-04-15T12:00:00Z", 2, "shop")).isEqualTo(ErrorCode.STORE_PRODUCTS);
    assertThat(merchant.texts("select products from store_usage where merchant_id = ?"))
        .containsExactly("2");
  }

  @Test
  void forgetsProductsThatHaveLeftTheWindowAlsoWhenItRejects() {
    DetailAt detail = most(1);
    detail.fetch("2026-01-15T12:00:00Z", 1, "shop");
    DetailAt none = most(0);

    assertThat(none.fetch("2026-04-15T12:00:00Z", 1, "shop")).isEqualTo(ErrorCode.STORE_PRODUCTS);

    assertThat(merchant.texts("select products from store_usage where merchant_id = ?"))
        .containsExactly("0");
    assertThat(merchant.texts("select product_id from store_product where merchant_id = ?"))
        .isEmpty();
    assertThat(detail.fetch("2026-04-15T12:00:00Z", 1, "shop")).isNull();
  }

  @Test
  void countsStoresSeparatelyAfterRebinding() {
    Nodes.setLimits(merchant, "\"limits.store-products\":\"2\"");
    List<Integer> pids = merchant.products(3);
    Api first = merchant.token("\"boundStore\":\"first\"");
    Api second = merchant.token("\"boundStore\":\"second\"");
    first.detail(pids.get(0));
    first.detail(pids.get(1));

    Reply refused = first.detail(pids.get(2));

    assertThat(refused.status()).isEqualTo(200);
    assertThat(refused.body())
        .matches(
            """
            \\{"success":false,"msg":"The bound store \\\\"first\\\\" has reached its limit: 2 of 2 products \
            within 3 months\\. Products that are counted already can still be fetched; room for another \
            opens at [0-9T:.Z-]+\\.","data":""\\}""");
    assertThat(Integer.parseInt(refused.header("retry-after").orElseThrow()))
        .isBetween(88 * 86_400, 93 * 86_400);
    assertThat(refused.header("ratelimit").orElseThrow()).endsWith("\"store-products\";r=0");
    assertThat(first.detail(pids.get(0)).success()).isTrue();
    assertThat(second.detail(pids.get(2)).success()).isTrue();
    assertThat(merchant.token("\"boundStore\":\"first\"").detail(pids.get(2)).success()).isFalse();
    assertThat(merchant.texts("select used from detail_usage where merchant_id = ?"))
        .containsExactly("4");
  }

  @Test
  void rejectsInChinese() {
    Nodes.setLimits(merchant, "\"limits.store-products\":\"0\"");
    int pid = merchant.product();

    Reply refused =
        merchant
            .token("\"boundStore\":\"店铺\"")
            .call("/Product/Detail")
            .form("pid=" + pid)
            .language("zh")
            .send();

    assertThat(refused.msg()).startsWith("绑定店铺“店铺”已达上限：3 个月内 0 个商品（上限 0 个）");
  }

  private DetailAt most(int products) {
    return new DetailAt(merchant, Map.of("limits.store-products", "" + products));
  }
}
