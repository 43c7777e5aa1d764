package io.stockroom.core.moves;

import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Schema;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Looks whether PostgreSQL allows a move between two cells, and says what to change. */
final class MoveCheck {
  private static final Sql SOURCE =
      Sql.of(
          """
          select current_setting('wal_level') as wal_level, current_user as role,
            (select rolsuper or rolreplication from pg_roles where rolname = current_user)
              as may_replicate,
            current_setting('max_replication_slots')::int
              - (select count(*) from pg_replication_slots where not %1$s) as free_slots,
            current_setting('max_replication_slots') as slots,
            current_setting('max_wal_senders')::int
              - (select count(*) from pg_stat_replication where not %2$s) as free_senders,
            current_setting('max_wal_senders') as senders
          """
              .formatted(ofMoves("slot_name"), ofMoves("coalesce(application_name, '')")));

  /** Before PostgreSQL 16, only superusers create subscriptions. */
  private static final Sql TARGET =
      Sql.of(
          """
          select current_user as role, (
            select rolsuper or (
              exists (select 1 from pg_roles where rolname = 'pg_create_subscription')
              and pg_has_role(current_user, (
                select oid from pg_roles where rolname = 'pg_create_subscription'), 'usage'))
            from pg_roles where rolname = current_user) as may_subscribe,
            current_setting('max_logical_replication_workers') as workers, o.name as origin_setting,
            current_setting(o.name) as origins
          from (
            select case when current_setting('server_version_num')::int >= 180000
              then 'max_active_replication_origins' else 'max_replication_slots' end as name
          ) o
          """);

  /** One that copies a table, another one, and one that follows. */
  private static final int MIN_FREE = 3;

  /** One that applies, and one that copies. */
  private static final int MIN_WORKERS = 2;

  private final Cells cells;

  MoveCheck(Cells cells) {
    this.cells = cells;
  }

  /** Those of other moves: one move copies at a time, and the next one waits for it. */
  private static String ofMoves(String name) {
    return "(%1$s like 'stockroom%%move%%' or %1$s like 'pg%%sync%%')".formatted(name);
  }

  void require(CellTable.Row from, CellTable.Row to) throws MoveRejection, SQLException {
    requireSameSchema(from, to);
    try (CellSide source = new CellSide(cells.roles(from).owner())) {
      String problem = SOURCE.on(source.connection()).one(row -> inSource(row, from.name()));
      refuse(problem);
    }
    try (CellSide target = new CellSide(cells.roles(to).owner())) {
      String problem = TARGET.on(target.connection()).one(row -> inTarget(row, to.name()));
      refuse(problem);
    }
  }

  private static void refuse(String problem) throws MoveRejection {
    if (!problem.isEmpty()) {
      throw new MoveRejection(ErrorCode.MOVE_REFUSED, problem);
    }
  }

  private void requireSameSchema(CellTable.Row from, CellTable.Row to)
      throws MoveRejection, SQLException {
    String[] versions = new String[2];
    int i = 0;
    for (CellTable.Row row : new CellTable.Row[] {from, to}) {
      Cells.Cell cell = cells.byId(row.id());
      if (cell == null) {
        refuse("the cell %s cannot be used now.".formatted(row.name()));
        return;
      }
      versions[i++] = String.valueOf(Schema.CELL.version(cell.database()));
    }
    if (!versions[0].equals(versions[1])) {
      refuse(
          "the cell %s has schema version %s, and %s has %s. Start a server of the newer version."
              .formatted(from.name(), versions[0], to.name(), versions[1]));
    }
  }

  static String inSource(ResultSet row, String cell) throws SQLException {
    if (!row.getString("wal_level").equals("logical")) {
      return "PostgreSQL of the cell %s has wal_level = %s. Set wal_level = logical, and restart it."
          .formatted(cell, row.getString("wal_level"));
    }
    if (!row.getBoolean("may_replicate")) {
      return "in the cell %1$s, the role %2$s needs REPLICATION: ALTER ROLE %2$s REPLICATION."
          .formatted(cell, row.getString("role"));
    }
    if (row.getInt("free_slots") < MIN_FREE) {
      return "PostgreSQL of the cell %s has fewer than 3 free replication slots. Raise max_replication_slots, which is %s, and restart it."
          .formatted(cell, row.getString("slots"));
    }
    if (row.getInt("free_senders") < MIN_FREE) {
      return "PostgreSQL of the cell %s has fewer than 3 free WAL senders. Raise max_wal_senders, which is %s, and restart it."
          .formatted(cell, row.getString("senders"));
    }
    return "";
  }

  static String inTarget(ResultSet row, String cell) throws SQLException {
    if (!row.getBoolean("may_subscribe")) {
      return "in the cell %1$s, the role %2$s may not create subscriptions: GRANT pg_create_subscription TO %2$s, or before PostgreSQL 16 make it a superuser."
          .formatted(cell, row.getString("role"));
    }
    if (row.getInt("workers") < MIN_WORKERS) {
      return tooSmall(
          cell, "max_logical_replication_workers", row.getString("workers"), MIN_WORKERS);
    }
    if (row.getInt("origins") < MIN_FREE) {
      return tooSmall(cell, row.getString("origin_setting"), row.getString("origins"), MIN_FREE);
    }
    return "";
  }

  private static String tooSmall(String cell, String setting, String value, int min) {
    return "PostgreSQL of the cell %1$s has %2$s = %3$s, and a move needs %4$d. Set %2$s to %4$d or more, and restart it."
        .formatted(cell, setting, value, min);
  }
}
