package io.stockroom.core.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.PreparedStatement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountsTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void countsEveryCallByOutcomeAcrossAllNodes() {
    for (TestServer node : Nodes.three()) {
      api.on(node).products("page=1");
      api.on(node).products("page=x");
    }
    api.withSecret("wrong").products("page=1");
    api.stock(2_000_000_000);

    Logged.awaitCalls(merchant, 7);
    assertThat(
            merchant.texts(
                """
                select endpoint || ' ' || status || ' ' || code || ' ' || sum(calls) from traffic
                where merchant_id = ? group by endpoint, status, code order by 1
                """))
        .containsExactly(
            "/Stock/List 200 PRODUCT_MISSING 1",
            "/Stock/Product 200  3",
            "/Stock/Product 400 NUMBER_FORMAT 3");
    assertThat(
            merchant.texts(
                """
                select 'wrong' from traffic where merchant_id = ?
                  and (calls <> (select sum(b) from unnest(buckets) b) or longest_micros > micros)
                """))
        .isEmpty();
  }

  @Test
  void readsAHistoryWithItsCausesAndTimes() throws Exception {
    for (int i = 0; i < 5; i++) {
      api.products("page=1");
    }
    api.products("page=x");
    Logged.awaitCalls(merchant, 6);

    History history =
        new Histories(TestServer.shared().cells(), Clock.systemUTC())
            .read(merchant.id(), Period.HOUR);

    assertThat(history.points()).hasSize(60);
    assertThat(history.total().succeeded()).isEqualTo(5);
    assertThat(history.total().rejected()).isEqualTo(1);
    assertThat(history.total().failed()).isZero();
    assertThat(history.causes()).containsExactly(new History.Cause("NUMBER_FORMAT", 400, 1));
    assertThat(history.endpoints()).hasSize(1);
    assertThat(history.points().stream().mapToLong(History.Point::calls).sum()).isEqualTo(6);
    assertThat(history.total().p50()).isPositive().isLessThanOrEqualTo(history.total().p99());
  }

  @Test
  void rollsMinutesUpIntoHoursAndDeletesOldHours() throws Exception {
    Instant now = Instant.parse("2020-05-20T10:30:00Z");
    Instant hour = now.minus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
    put(hour.minusSeconds(3600), 1);
    put(hour.minusSeconds(3540), 2);
    put(hour.minusSeconds(60), 4);
    put(hour, 8);
    put(hour.plusSeconds(60), 16);
    put(now.minus(10, ChronoUnit.DAYS).plusSeconds(3600), 32);
    TrafficTable table =
        new TrafficTable(TestServer.shared().cells(), Clock.fixed(now, ZoneOffset.UTC), 10);

    table.tidy();
    table.tidy();

    assertThat(rows())
        .containsExactly(
            "2020-05-10 11:00:00 32 {0,32}",
            "2020-05-18 09:00:00 7 {0,7}",
            "2020-05-18 10:00:00 8 {0,8}",
            "2020-05-18 10:01:00 16 {0,16}");
    new TrafficTable(
            TestServer.shared().cells(), Clock.fixed(now.plusSeconds(3600), ZoneOffset.UTC), 10)
        .tidy();
    assertThat(rows())
        .containsExactly("2020-05-18 09:00:00 7 {0,7}", "2020-05-18 10:00:00 24 {0,24}");
  }

  private List<String> rows() {
    return merchant.texts(
        """
        select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' ' || calls || ' '
          || buckets::text
        from traffic where merchant_id = ? and at < '2021-01-01' order by at
        """);
  }

  private void put(Instant at, int calls) throws Exception {
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      insert into traffic values (?, ?, 1, '/Stock/List', 200, '', ?, 0, 100, 50,
                        array[0, ?])
                      """)) {
                statement.setInt(1, merchant.id());
                statement.setObject(2, at.atOffset(ZoneOffset.UTC));
                statement.setInt(3, calls);
                statement.setLong(4, calls);
                return statement.executeUpdate();
              }
            });
  }
}
