package io.stockroom.core.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A move that PostgreSQL does not allow is refused, with the setting that is missing. */
class MoveCheckTest {
  @Test
  void saysWhichSettingOfTheOldCellIsMissing() throws SQLException {
    assertThat(inSource("logical", true, 3, 3)).isEmpty();
    assertThat(inSource("replica", true, 3, 3))
        .contains("wal_level = replica", "wal_level = logical");
    assertThat(inSource("logical", false, 3, 3)).contains("ALTER ROLE owner REPLICATION");
    assertThat(inSource("logical", true, 2, 3)).contains("max_replication_slots, which is 10");
    assertThat(inSource("logical", true, 3, 2)).contains("max_wal_senders, which is 5");
  }

  @Test
  void saysWhichSettingOfTheNewCellIsMissing() throws SQLException {
    assertThat(inTarget(true, 2, 3)).isEmpty();
    assertThat(inTarget(false, 2, 3)).contains("GRANT pg_create_subscription TO owner");
    assertThat(inTarget(true, 1, 3)).contains("max_logical_replication_workers to 2 or more");
    assertThat(inTarget(true, 2, 2)).contains("Set max_replication_slots to 3 or more");
  }

  private static String inSource(String level, boolean mayReplicate, int slots, int senders)
      throws SQLException {
    return TestServer.shared()
        .directory()
        .read(
            connection ->
                Sql.of(
                        """
                        select :level as wal_level, 'owner' as role,
                          :mayReplicate as may_replicate, :slots as free_slots, '10' as slots,
                          :senders as free_senders, '5' as senders
                        """)
                    .on(connection)
                    .set("level", level)
                    .set("mayReplicate", mayReplicate)
                    .set("slots", slots)
                    .set("senders", senders)
                    .one(row -> MoveCheck.inSource(row, "east")));
  }

  private static String inTarget(boolean maySubscribe, int workers, int origins)
      throws SQLException {
    return TestServer.shared()
        .directory()
        .read(
            connection ->
                Sql.of(
                        """
                        select 'owner' as role, :maySubscribe as may_subscribe,
                          :workers as workers, 'max_replication_slots' as origin_setting,
                          :origins as origins
                        """)
                    .on(connection)
                    .set("maySubscribe", maySubscribe)
                    .set("workers", workers)
                    .set("origins", origins)
                    .one(row -> MoveCheck.inTarget(row, "west")));
  }
}
