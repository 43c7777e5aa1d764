package io.stockroom.core.moves;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.MoverConnection;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of the mover to one of the two cells, as the owner of the tables. */
final class CellSide implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CellSide.class);
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql://([^/?]+)/([^?]*)(?:\\?(.*))?");
  private static final Pattern SSL = Pattern.compile("(?:^|&)(sslmode=[a-z-]+)");
  private static final int ROWS_AT_ONCE = 5000;
  private static final int MIN_VACUUMED = 10_000;
  private static final String TIMEOUT = "57014";

  /** Tables that others refer to come after them. */
  private static final Sql TABLES =
      Sql.of(
          """
          select relname from pg_class c
          where relnamespace = 'public'::regnamespace and relkind = 'r'
            and relname <> 'absent_merchant'
            and obj_description(c.oid, 'pg_class') like 'Merchant data:%'
          order by (
            select count(*) from pg_constraint where contype = 'f' and confrelid = c.oid
          ), relname
          """);

  private static final Sql MARK =
      Sql.of(
          """
          insert into absent_merchant (merchant_id, state, until)
          values (:merchantId, :state, 'infinity')
          on conflict (merchant_id) do update set state = excluded.state, until = excluded.until
          """);

  /** Waits for the end of each session; without a row, there was none. */
  private static final Sql END_OTHERS =
      Sql.of(
          """
          select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity
          where application_name = current_setting('application_name')
            and datname = current_database() and pid <> pg_backend_pid()
          """);

  /** More than a fifth of the rows: by default, autovacuum also waits for so many. */
  private static final Sql IS_LARGE_PART =
      Sql.of(
          """
          select 1 from pg_class where oid = cast(:table as regclass) and reltuples < :deleted * 5
          """);

  private static final Sql UNMARK =
      Sql.of("delete from absent_merchant where merchant_id = :merchantId");

  private final DatabaseAddress address;
  private final String name;
  private final Connection connection;

  /** Looks at a cell before a move. */
  CellSide(DatabaseAddress address) throws SQLException {
    this(address, "stockroom move");
  }

  private CellSide(DatabaseAddress address, String name) throws SQLException {
    this.address = address;
    this.name = name;
    connection = MoverConnection.open(address, name);
  }

  /**
   * Connects for a step of a move, and ends the connections of earlier movers. One that was
   * suspended for longer than its lease can do nothing more here.
   */
  static CellSide of(Move move, DatabaseAddress address) throws SQLException {
    CellSide side = new CellSide(address, "stockroom move " + move.id());
    try {
      if (END_OTHERS.on(side.connection).list(row -> row.getBoolean("ended")).contains(false)) {
        throw new SQLTransientException("an earlier mover is still connected", "55006");
      }
      return side;
    } catch (SQLException | RuntimeException failure) {
      side.close();
      throw failure;
    }
  }

  Connection connection() {
    return connection;
  }

  /** Another connection of the same mover. */
  CellSide beside() throws SQLException {
    return new CellSide(address, name);
  }

  /** From now on, this connection sees the rows of this moment. */
  void beginSnapshot() throws SQLException {
    connection.setAutoCommit(false);
    execute("set transaction isolation level repeatable read, read only");
    // the first statement takes the snapshot
    execute("select 1");
  }

  void endSnapshot() throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  /** Cancels statements that take longer. */
  void limit(long millis) throws SQLException {
    execute("set statement_timeout = " + millis);
  }

  /** What libpq understands; the other cell logs in with it. */
  String conninfo() throws SQLException {
    Matcher url = URL.matcher(address.jdbcUrl());
    if (!url.matches()) {
      throw new SQLException("no host in " + address, "08001");
    }
    StringBuilder hosts = new StringBuilder();
    StringBuilder ports = new StringBuilder();
    for (String place : url.group(1).split(",")) {
      int colon = place.lastIndexOf(':');
      boolean hasPort = colon > 0 && !place.endsWith("]");
      hosts.append(hosts.isEmpty() ? "" : ",").append(hasPort ? place.substring(0, colon) : place);
      ports.append(ports.isEmpty() ? "" : ",").append(hasPort ? place.substring(colon + 1) : 5432);
    }
    Matcher ssl = SSL.matcher(url.group(3) == null ? "" : url.group(3));
    return "host=%s port=%s dbname=%s user=%s password=%s connect_timeout=5 %s"
        .formatted(
            quoted(hosts.toString()),
            ports,
            quoted(url.group(2)),
            quoted(address.user()),
            quoted(address.password()),
            ssl.find() ? ssl.group(1).toLowerCase(Locale.ROOT) : "");
  }

  private static String quoted(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Executes a statement that ends in the login of another cell. PostgreSQL writes statements to
   * its log, with {@code log_statement} and if they fail, and their parameters too. So the login
   * arrives as a row of {@code COPY}, which it never writes, and the statement is put together
   * there. A failure is raised again, without the statement as context.
   *
   * @param before what to execute before, in the same transaction
   */
  void executeWithLogin(String before, String statement, String conninfo) throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute(before);
      execute("create temporary table other_cell (login text) on commit drop");
      MoverConnection.copyIn(connection, "pg_temp.other_cell", conninfo);
      execute(
          """
          do $do$ begin
            execute $statement$%s $statement$
              || (select quote_literal(login) from pg_temp.other_cell);
          exception when others or query_canceled then
            raise exception using errcode = sqlstate, message = case
              when sqlerrm like '%%password=%%' then 'its message contains the login' else sqlerrm end;
          end $do$
          """
              .formatted(statement));
      connection.commit();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /** The tables with data of merchants. */
  List<String> tables() throws SQLException {
    return TABLES.on(connection).list(row -> row.getString(1));
  }

  /** Says that the merchant's rows here must not be used. */
  void mark(int merchantId, String state) throws SQLException {
    MARK.on(connection).set("merchantId", merchantId).set("state", state).update();
  }

  void unmark(int merchantId) throws SQLException {
    UNMARK.on(connection).set("merchantId", merchantId).update();
  }

  /** Deletes everything of an absent merchant, in small transactions. */
  void deleteRows(int merchantId) throws SQLException {
    deleteRows(merchantId, Set.of());
  }

  /** As {@link #deleteRows(int)}, except for these tables. */
  void deleteRows(int merchantId, Set<String> kept) throws SQLException {
    for (String table : tables()) {
      if (kept.contains(table)) {
        continue;
      }
      Sql delete =
          Sql.of(
              """
              delete from %1$s where merchant_id = :merchantId and ctid = any (array(
                  select ctid from %1$s where merchant_id = :merchantId limit %2$d))
                and exists (
                  select 1 from absent_merchant
                  where merchant_id = :merchantId and until = 'infinity')
              """
                  .formatted(table, ROWS_AT_ONCE));
      long all = 0;
      int deleted = ROWS_AT_ONCE;
      while (deleted == ROWS_AT_ONCE) {
        deleted = delete.on(connection).set("merchantId", merchantId).update();
        all += deleted;
      }
      vacuum(table, all);
    }
  }

  /**
   * Removes many dead rows at once: if the merchant comes back, each of its keys would meet a dead
   * one in the indexes. Autovacuum begins up to a minute later, and takes its time.
   */
  private void vacuum(String table, long deleted) throws SQLException {
    if (deleted < MIN_VACUUMED
        || !IS_LARGE_PART.on(connection).set("table", table).set("deleted", deleted).exists()) {
      return;
    }
    try {
      execute("vacuum (skip_locked, truncate false) " + table);
    } catch (SQLException failure) {
      if (!TIMEOUT.equals(failure.getSQLState())) {
        throw failure;
      }
      log.debug("leaves the dead rows of {} to autovacuum", table, failure);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
