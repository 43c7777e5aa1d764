package io.stockroom.core.moves;

import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Logical replication of one merchant from cell to cell: a publication and a slot in the old cell,
 * a subscription in the new one. Every step may be repeated.
 */
final class Replication {
  private static final Sql PUBLICATION =
      Sql.of("select 1 from pg_publication where pubname = :name");
  private static final Sql SLOT =
      Sql.of("select active_pid from pg_replication_slots where slot_name = :name");
  private static final Sql CREATE_SLOT =
      Sql.of("select 1 from pg_create_logical_replication_slot(:name, 'pgoutput')");
  private static final Sql DROP_SLOT =
      Sql.of(
          """
          select pg_drop_replication_slot(slot_name) from pg_replication_slots
          where slot_name = :name and not active
          """);
  private static final Sql STOP_SENDER = Sql.of("select pg_terminate_backend(:pid)");
  private static final Sql SUBSCRIPTION =
      Sql.of(
          """
          select 1 from pg_subscription
          where subname = :name
            and subdbid = (select oid from pg_database where datname = current_database())
          """);
  private static final Sql BEHIND =
      Sql.of(
          """
          select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint as bytes
          from pg_replication_slots where slot_name = :name
          """);
  private static final Sql END = Sql.of("select pg_current_wal_lsn()::text as position");
  private static final Sql HAS_REACHED =
      Sql.of(
          """
          select 1 from pg_replication_slots
          where slot_name = :name and confirmed_flush_lsn >= :position::pg_lsn
          """);

  /** Tables that are not ready yet count the rows of a running copy. */
  private static final Sql TABLES =
      Sql.of(
          """
          select c.relname, r.srsubstate = 'r' as ready,
            coalesce((select sum(tuples_processed) from pg_stat_progress_copy p
              where p.relid = r.srrelid and p.command = 'COPY FROM'), 0)::bigint as rows
          from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
          join pg_class c on c.oid = r.srrelid
          where s.subname = :name
            and s.subdbid = (select oid from pg_database where datname = current_database())
          """);

  private static final Sql ERRORS =
      Sql.of(
          """
          select apply_error_count + sync_error_count as errors
          from pg_stat_subscription_stats where subname = :name
          """);

  /** A table of the subscription. */
  record Table(String name, boolean isReady, long rows) {}

  private final CellSide source;
  private final CellSide target;
  private final int merchantId;
  private final String name;

  Replication(CellSide source, CellSide target, Move move) {
    this.source = source;
    this.target = target;
    this.merchantId = move.merchantId();
    // one subscription's name is used once: PostgreSQL keeps what a slot of this name received
    this.name = "stockroom_move_" + move.id();
  }

  /** Begins to copy, or continues. */
  void start() throws SQLException {
    if (!exists(source, PUBLICATION)) {
      String tables =
          source.tables().stream()
              .map(table -> "public.%s where (merchant_id = %d)".formatted(table, merchantId))
              .collect(Collectors.joining(", "));
      source.execute(
          "create publication %s for table %s with (publish = 'insert, update, delete')"
              .formatted(name, tables));
    }
    boolean isSubscribed = exists(target, SUBSCRIPTION);
    if (!exists(source, SLOT)) {
      if (isSubscribed) {
        // the source was restored, or its slot was dropped by hand: copy again
        dropSubscription();
        isSubscribed = false;
      }
      CREATE_SLOT.on(source.connection()).set("name", name).one(row -> row.getInt(1));
    }
    if (!isSubscribed) {
      target.deleteRows(merchantId);
      // not with the login: PostgreSQL warns that this does not connect, and logs the statement
      target.execute(
          """
          create subscription %1$s connection 'password=unused' publication %1$s
            with (connect = false, slot_name = '%1$s', binary = true)
          """
              .formatted(name));
    }
    target.executeWithLogin(
        // takes the lock: the statement with the login must not wait for it
        "alter subscription %s set (binary = true)".formatted(name),
        "alter subscription %s connection".formatted(name),
        source.conninfo());
    target.execute("alter subscription %s enable".formatted(name));
    target.execute("alter subscription %s refresh publication".formatted(name));
  }

  List<Table> tables() throws SQLException {
    return TABLES
        .on(target.connection())
        .set("name", name)
        .list(
            row ->
                new Table(row.getString("relname"), row.getBoolean("ready"), row.getLong("rows")));
  }

  /** How often PostgreSQL failed to copy or to apply; its log says why. */
  long errors() throws SQLException {
    Long errors =
        ERRORS.on(target.connection()).set("name", name).first(row -> row.getLong("errors"));
    return errors == null ? 0 : errors;
  }

  /** How many bytes of the log are not applied yet; of all merchants of the old cell. */
  long behind() throws SQLException {
    Long bytes =
        BEHIND.on(source.connection()).set("name", name).first(row -> row.getLong("bytes"));
    return bytes == null ? Long.MAX_VALUE : bytes;
  }

  /** The end of the log. */
  String end() throws SQLException {
    return END.on(source.connection()).one(row -> row.getString("position"));
  }

  boolean hasReached(String position) throws SQLException {
    return HAS_REACHED.on(source.connection()).set("name", name).set("position", position).exists();
  }

  /** Returns false if the old cell still sends; then try again. */
  boolean drop() throws SQLException {
    if (exists(target, SUBSCRIPTION)) {
      dropSubscription();
    }
    Integer sender =
        SLOT.on(source.connection()).set("name", name).first(row -> row.getInt("active_pid"));
    if (sender != null && sender > 0) {
      STOP_SENDER.on(source.connection()).set("pid", sender).one(row -> row.getBoolean(1));
    }
    DROP_SLOT.on(source.connection()).set("name", name).exists();
    if (exists(source, SLOT)) {
      return false;
    }
    source.execute("drop publication if exists " + name);
    return true;
  }

  private void dropSubscription() throws SQLException {
    // without its slot, so that this does not depend on the other cell
    target.execute("alter subscription %s disable".formatted(name));
    target.execute("alter subscription %s set (slot_name = none)".formatted(name));
    target.execute("drop subscription " + name);
  }

  private boolean exists(CellSide side, Sql query) throws SQLException {
    return query.on(side.connection()).set("name", name).exists();
  }
}
