package io.stockroom.core.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.TestMerchant;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The cursor of a time, from which changes are delivered again. */
class RecentChangesTest {
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final RecentChanges changes = new RecentChanges(merchant.server().cells());

  /** Changes 1 to 7; 3, 4 and 5 were made at the same time. */
  private void fill() {
    merchant.products(7);
    assertThat(
            merchant.texts(
                """
                update change_log set at = '2026-01-01T00:00:00Z'::timestamptz
                  + (case when number between 3 and 5 then 3 else number end - 1)
                  * interval '1 minute'
                where merchant_id = ? returning number
                """))
        .hasSize(7);
  }

  private long before(Instant time) throws SQLException {
    return changes.since(merchant.id(), time).number();
  }

  private static Instant minute(int minute) {
    return FIRST.plusSeconds(60L * minute);
  }

  @Test
  void findsTheFirstChangeAtATimeOrLater() throws Exception {
    fill();

    assertThat(before(Instant.EPOCH)).isZero();
    assertThat(before(minute(0))).isZero();
    assertThat(before(minute(0).plusMillis(1))).isEqualTo(1);
    assertThat(before(minute(2).minusMillis(1))).isEqualTo(2);
    assertThat(before(minute(2))).isEqualTo(2);
    assertThat(before(minute(2).plusMillis(1))).isEqualTo(5);
    assertThat(before(minute(6))).isEqualTo(6);
    assertThat(before(minute(6).plusMillis(1))).isEqualTo(7);
  }

  @Test
  void beginsWithTheOldestChangeThatIsKept() throws Exception {
    fill();
    merchant.texts("delete from change_log where merchant_id = ? and number < 3 returning 1");

    assertThat(before(Instant.EPOCH)).isEqualTo(2);
    assertThat(before(minute(6))).isEqualTo(6);
    merchant.texts("delete from change_log where merchant_id = ? returning 1");
    assertThat(before(minute(6))).isEqualTo(7);
  }

  @Test
  void isTheEndOfAnEmptyLog() throws Exception {
    assertThat(before(Instant.EPOCH)).isZero();
  }
}
