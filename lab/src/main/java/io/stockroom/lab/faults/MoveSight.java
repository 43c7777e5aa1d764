package io.stockroom.lab.faults;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What the databases know about a move of a merchant. */
final class MoveSight {
  private final Postgres directory;

  MoveSight(Postgres directory) {
    this.directory = directory;
  }

  String cellOf(int merchantId) throws SQLException {
    return directory.text(
        "select cell.name from merchant join cell using (cell_id) where merchant_id = "
            + merchantId);
  }

  boolean isMoving(int merchantId) throws SQLException {
    return directory
        .text(
            "select count(*) from merchant_move where ended_at is null and merchant_id = "
                + merchantId)
        .equals("1");
  }

  int lastMove(int merchantId) throws SQLException {
    return Integer.parseInt(
        directory.text("select max(move_id) from merchant_move where merchant_id = " + merchantId));
  }

  String phase(int move) throws SQLException {
    return column("phase", move);
  }

  String message(int move) throws SQLException {
    return column("message", move);
  }

  String show(int move) throws SQLException {
    return column("concat_ws(' ', phase, nullif(message, ''), pause_millis || ' ms paused')", move);
  }

  /** The node that drives the move; empty if none does now. */
  String holder(int move) throws SQLException {
    return column("coalesce(holder::text, '')", move);
  }

  private String column(String column, int move) throws SQLException {
    return directory.text(
        "select %s from merchant_move where move_id = %d".formatted(column, move));
  }

  boolean hasEnded(int move) {
    try {
      return column("ended_at is not null", move).equals("t");
    } catch (SQLException down) {
      return false;
    }
  }

  void awaitHolder(int move, Duration limit) {
    boolean _ =
        Await.withinSeldom(
            limit,
            () -> {
              try {
                return !holder(move).isEmpty();
              } catch (SQLException down) {
                return false;
              }
            });
  }

  /** Returns when the merchant lives in the new cell, or the move has ended without this. */
  void awaitSwitch(int move, Duration limit) {
    boolean _ =
        Await.withinSeldom(
            limit,
            () -> {
              try {
                return !column("coalesce(switched_at, ended_at)::text", move).equals("null");
              } catch (SQLException down) {
                return false;
              }
            });
  }

  /** Returns when the merchant's writes wait, or the move has ended without this being seen. */
  void awaitPause(Postgres old, int move, int merchantId, Duration limit) throws SQLException {
    try (var connection = old.connect();
        var statement =
            connection.prepareStatement(
                "select 1 from absent_merchant where state = 'left' and merchant_id = ?")) {
      statement.setInt(1, merchantId);
      boolean _ =
          Await.within(
              limit,
              () -> {
                try (var rows = statement.executeQuery()) {
                  return rows.next() || hasEnded(move);
                } catch (SQLException failure) {
                  throw new IllegalStateException(failure);
                }
              });
    }
  }

  /** The tables of a cell that have rows of a merchant, with their number. */
  static List<String> rowsOf(Postgres cell, int merchantId) throws SQLException {
    String counts =
        cell.text(
            """
            select string_agg(
              format('select %L as name, count(*) as rows from %I where merchant_id = %s',
                relname, relname, $1), ' union all ')
            from pg_class c
            where relnamespace = 'public'::regnamespace and relkind = 'r'
              and relname <> 'absent_merchant'
              and obj_description(c.oid, 'pg_class') like 'Merchant data:%'
            """
                .replace("$1", Integer.toString(merchantId)));
    return lines(
        cell,
        "select string_agg(name || ': ' || rows, ',') from (%s) c where rows > 0"
            .formatted(counts));
  }

  /** Slots, publications and subscriptions, which moves leave nowhere. */
  static List<String> replication(Postgres database) throws SQLException {
    return lines(
        database,
        """
        select string_agg(name, ',') from (
          select 'slot ' || slot_name as name from pg_replication_slots
          union all select 'publication ' || pubname from pg_publication
          union all select 'subscription ' || subname from pg_subscription
          union all select 'origin ' || roname from pg_replication_origin) r
        """);
  }

  private static List<String> lines(Postgres database, String sql) throws SQLException {
    String found = database.text(sql);
    return found.equals("null") ? List.of() : List.of(found.split(","));
  }
}
