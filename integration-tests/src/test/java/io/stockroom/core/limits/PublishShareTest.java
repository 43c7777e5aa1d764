package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishShareTest {
  private static final String FETCHED = "2026-03-01T12:00:00Z";
  private static final String AFTER_GRACE = "2026-03-08T12:00:00Z";

  private static final String KEPT =
      "select concat_ws(' ', due, due_reported, due_published) from detail_usage"
          + " where merchant_id = ?";
  private static final String COUNTED =
      """
      select concat_ws(' ', count(f.product_id), count(*) filter (where f.reported),
        count(*) filter (where f.published))
      from detail_usage a left join detail_fetch f on f.merchant_id = a.merchant_id
        and f.first_at <= a.grace_edge and f.last_at > a.publish_edge
      where a.merchant_id = ?
      """;

  private static final Sql FETCH_TEN_THOUSAND =
      Sql.of(
          """
          insert into detail_fetch
            (merchant_id, product_id, first_at, last_at, reported, published)
          select :id, n, '2026-03-01T12:00Z', '2026-03-01T12:00Z', true, true
          from generate_series(1, 10000) n
          """);

  private final TestMerchant merchant = TestMerchant.fresh();
  private final DetailAt detail = new DetailAt(merchant, Map.of());
  private final DetailAt strict =
      new DetailAt(merchant, Map.of("limits.publish-counts", "published"));

  @ParameterizedTest
  @CsvSource({
    "19, 0, true",
    "29, 0, true",
    "30, 19, false",
    "30, 20, true",
    "31, 20, false",
    "31, 21, true",
    "32, 21, false",
    "32, 22, true"
  })
  void requiresTwoThirdsFrom30ProductsOn(int fetched, int published, boolean open) {
    List<Integer> pids = fetch(fetched);
    if (published > 0) {
      report("published", pids.subList(0, published));
    }

    assertThat(detail.look(AFTER_GRACE)).isEqualTo(open ? null : ErrorCode.PUBLISH_SHARE);
  }

  @Test
  void waitsForTheGraceToEnd() {
    fetch(30);

    assertThat(detail.look("2026-03-08T11:59:59.999999Z")).isNull();
    assertThat(detail.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);
  }

  @Test
  void looksBack90Days() {
    fetch(30);

    assertThat(detail.look("2026-05-30T11:59:59.999999Z")).isEqualTo(ErrorCode.PUBLISH_SHARE);
    assertThat(detail.look("2026-05-30T12:00:00Z")).isNull();
  }

  @Test
  void countsAProductFetchedAgainFromItsFirstFetch() {
    List<Integer> pids = fetch(30);
    detail.fetch("2026-03-08T11:00:00Z", pids.getFirst());

    assertThat(detail.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);
  }

  @Test
  void grantsANewGracePeriodAfterTheWindow() {
    List<Integer> pids = fetch(30);
    assertThat(detail.fetch("2026-05-30T12:00:00Z", pids.getFirst())).isNull();

    assertThat(detail.look("2026-06-06T11:59:59Z")).isNull();
  }

  @Test
  void reopensWithALateResult() {
    List<Integer> pids = fetch(30);
    report("published", pids.subList(0, 19));
    assertThat(detail.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);

    report("published", pids.subList(19, 20));
    assertThat(detail.look(AFTER_GRACE)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"failed", "withdrawn"})
  void countsEveryReportedResult(String result) {
    List<Integer> pids = fetch(30);
    report("published", pids.subList(0, 10));
    report(result, pids.subList(10, 19));
    assertThat(detail.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);

    report(result, pids.subList(19, 20));
    report(result, pids.subList(0, 1));

    assertThat(detail.look(AFTER_GRACE)).isNull();
    assertThat(strict.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);
  }

  @Test
  void countsOnlyWhatIsPublishedIfTheSettingSaysSo() {
    List<Integer> pids = fetch(30);
    report("failed", pids.subList(20, 30));
    report("published", pids.subList(0, 19));
    assertThat(strict.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);

    report("published", pids.subList(19, 20));
    assertThat(strict.look(AFTER_GRACE)).isNull();

    report("withdrawn", pids.subList(19, 20));
    assertThat(strict.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);
    assertThat(detail.look(AFTER_GRACE)).isNull();
  }

  @Test
  void countsAResultReportedBeforeTheFetch() {
    List<Integer> pids = merchant.products(30);
    report("failed", pids.subList(0, 10));
    report("published", pids.subList(10, 20));
    pids.forEach(pid -> detail.fetch(FETCHED, pid));

    assertThat(detail.look(AFTER_GRACE)).isNull();
    assertThat(strict.look(AFTER_GRACE)).isEqualTo(ErrorCode.PUBLISH_SHARE);
  }

  @Test
  void staysPublishedWhileAnyStoreHasIt() {
    List<Integer> pids = fetch(30);
    report("published", pids.subList(0, 20));
    Api otherStore = merchant.token("\"boundStore\":\"second\"");

    report(otherStore, "withdrawn", pids.subList(0, 1));

    assertThat(strict.look(AFTER_GRACE)).isNull();
  }

  /** Fetches, reports and rejections in every order, on both sides of both edges of the window. */
  @Test
  void keepsTheCountsThatCountingWouldFind() {
    Random random = new Random(20);
    List<Integer> pids = merchant.products(12);
    List<DetailAt> settings =
        List.of(
            detail,
            strict,
            new DetailAt(merchant, Map.of("limits.publish-grace", "P0D")),
            new DetailAt(
                merchant, Map.of("limits.publish-grace", "P20D", "limits.publish-window", "P30D")),
            new DetailAt(merchant, Map.of("limits.zone", "Asia/Shanghai")),
            new DetailAt(merchant, Map.of("limits.publish-minimum", "1")));
    Instant now = Instant.parse(FETCHED);
    for (int step = 0; step < 300; step++) {
      // a clock that is set back, too
      now = now.plus(random.nextInt(-30, 150), ChronoUnit.HOURS);
      int pid = pids.get(random.nextInt(pids.size()));
      if (random.nextInt(4) == 0) {
        report(List.of("published", "failed").get(random.nextInt(2)), List.of(pid));
      } else {
        settings.get(random.nextInt(settings.size())).attempt(now, pid, "");
      }

      assertThat(merchant.texts(KEPT)).as("step %d", step).isEqualTo(merchant.texts(COUNTED));
    }
    assertThat(merchant.texts("select max(due) from detail_usage where merchant_id = ?"))
        .isNotEqualTo(List.of("0"));
  }

  @Test
  void savesWhatHasAgedWhenItRejects() {
    fetch(30);

    detail.attempt(Instant.parse(AFTER_GRACE), 1, "");

    assertThat(merchant.texts(KEPT)).containsExactly("30 0 0");
  }

  @Test
  void countsAFetchOnceHoweverManyThereAre() throws SQLException {
    int inserted =
        TestServer.shared()
            .database()
            .write(
                connection -> FETCH_TEN_THOUSAND.on(connection).set("id", merchant.id()).update());
    assertThat(inserted).isEqualTo(10_000);

    assertThat(detail.rowsRead(AFTER_GRACE, 20_001)).isGreaterThanOrEqualTo(10_000);
    assertThat(detail.rowsRead("2026-03-08T12:00:01Z", 20_002)).isLessThan(10);
    assertThat(merchant.texts(KEPT)).containsExactly("10000 10000 10000");
    // they leave the window together
    assertThat(detail.rowsRead("2026-05-30T12:00:00Z", 20_001)).isGreaterThanOrEqualTo(10_000);
    assertThat(detail.rowsRead("2026-05-30T12:00:01Z", 20_002)).isLessThan(10);
  }

  @Test
  void saysWhatIsMissingInBothLanguages() {
    judgeAtOnceFromThree();
    List<Integer> pids = merchant.products(4);
    pids.subList(0, 3).forEach(pid -> merchant.api().detail(pid));
    report("published", pids.subList(0, 1));

    Reply refused = merchant.api().detail(pids.get(3));
    Reply chinese =
        merchant.api().call("/Product/Detail").form("pid=" + pids.get(3)).language("zh").send();

    assertThat(refused.body())
        .isEqualTo(
            """
            {"success":false,"msg":"Products fetched more than 0 seconds ago (within 90 days): 3. Of \
            these, with a publish result: 1; needed: 2 (2/3). Report 1 more with POST \
            /Product/Publish and fetching opens again at once; POST /Usage lists the products.",\
            "data":""}\
            """);
    assertThat(refused.status()).isEqualTo(200);
    assertThat(refused.header("retry-after")).contains("3600");
    assertThat(refused.header("ratelimit").orElseThrow()).startsWith("\"detail-per-day\";r=297;");
    assertThat(chinese.msg()).contains("3 个商品中，有发布结果的 1 个，至少需要 2 个（2/3）", "上报 1 个");
  }

  @Test
  void saysWhenOnlyPublishedProductsCount() {
    Nodes.setLimits(
        merchant,
        "\"limits.publish-grace\":\"P7D\",\"limits.publish-minimum\":\"0\","
            + "\"limits.publish-counts\":\"published\"");
    Reply usage = merchant.api().call("/Usage").form("").send();

    assertThat(usage.body())
        .contains("0 of 0 fetched products are published (2/3 needed): enough")
        .contains("5000 of 5000 products within 3 months left for the store");
  }

  @Test
  void reopensOnEveryNodeImmediately() {
    judgeAtOnceFromThree();
    List<Integer> pids = merchant.products(4);
    pids.subList(0, 3).forEach(pid -> merchant.api().detail(pid));
    Api elsewhere = merchant.api().on(Nodes.three().get(2));
    assertThat(elsewhere.detail(pids.get(3)).success()).isFalse();

    report("published", pids.subList(0, 2));

    assertThat(elsewhere.detail(pids.get(3)).success()).isTrue();
  }

  private void judgeAtOnceFromThree() {
    Nodes.setLimits(merchant, "\"limits.publish-grace\":\"P0D\",\"limits.publish-minimum\":\"3\"");
  }

  private List<Integer> fetch(int count) {
    List<Integer> pids = merchant.products(count);
    for (int pid : pids) {
      assertThat(detail.attempt(Instant.parse(FETCHED), pid, "")).isNull();
    }
    return pids;
  }

  private void report(String result, List<Integer> pids) {
    report(merchant.api(), result, pids);
  }

  private static void report(Api api, String result, List<Integer> pids) {
    String body =
        pids.stream()
            .map(pid -> "{\"pid\":%d,\"result\":\"%s\"}".formatted(pid, result))
            .collect(Collectors.joining(",", "[", "]"));
    assertThat(api.call("/Product/Publish").json(body).send().success()).isTrue();
  }
}
