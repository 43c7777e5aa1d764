package io.stockroom.core.moves;

import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * Compares the rows of a merchant in both cells. In a moment in which both cells have the same
 * rows, {@link #fix} takes a snapshot of each. {@link #differing} compares all rows of the
 * snapshots, while the merchant is used. In a later pause, {@link #differingSince} compares the
 * rows that were written after the snapshots: a stream of changes of the old cell names them.
 */
final class RowComparison implements AutoCloseable {
  /** The types of the columns of primary keys. */
  private static final Sql TYPES =
      Sql.of(
          """
          select a.attname, format_type(a.atttypid, null) as type
          from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
          where i.indisprimary and i.indrelid = cast(:table as regclass)
          """);

  /** Work on one of the two cells. */
  private interface Sums {
    List<String> of(CellSide side) throws SQLException;
  }

  private final int merchantId;
  private final List<String> tables;
  private final ChangeStream changes;
  private final CellSide ofSource;
  private final CellSide ofTarget;

  /**
   * Connects, and begins to follow the changes; call it before the pause, because it takes time.
   */
  RowComparison(Move move, CellSide source, CellSide target, Replication replication)
      throws SQLException {
    this.merchantId = move.merchantId();
    this.tables = source.tables();
    this.changes = new ChangeStream(source, replication.name());
    try {
      this.ofSource = source.beside();
    } catch (SQLException | RuntimeException failure) {
      changes.close();
      throw failure;
    }
    try {
      this.ofTarget = target.beside();
    } catch (SQLException | RuntimeException failure) {
      changes.close();
      ofSource.close();
      throw failure;
    }
  }

  /** Call it while the merchant is paused, and the new cell has applied everything. */
  void fix() throws SQLException {
    ofSource.beginSnapshot();
    ofTarget.beginSnapshot();
  }

  /** The tables whose rows are not the same in both snapshots. Takes its time. */
  List<String> differing() throws SQLException {
    List<String> different = new ArrayList<>();
    for (String table : tables) {
      Sql sum =
          Sql.of(
              """
              select '%1$s' as name,
                count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)), 0) as sum
              from %1$s t where merchant_id = :merchantId
              """
                  .formatted(table));
      different.addAll(
          differing(
              side ->
                  sum.on(side.connection()).set("merchantId", merchantId).list(RowComparison::line),
              ofSource,
              ofTarget));
      changes.readPending();
    }
    ofSource.endSnapshot();
    ofTarget.endSnapshot();
    return different;
  }

  /** Whether so many rows were written since the snapshots that a new comparison is faster. */
  boolean isOld() throws SQLException {
    changes.readPending();
    return changes.isLong();
  }

  /**
   * The tables of which one cell has other rows than the other one, if they had the same rows at
   * the time of the snapshots. Call it while the merchant is paused.
   */
  List<String> differingSince(CellSide source, CellSide target, Duration limit)
      throws SQLException {
    WrittenRows written = changes.upToNow(limit);
    List<String> different = new ArrayList<>();
    for (Map.Entry<WrittenRows.Table, Set<List<String>>> each : written.keys().entrySet()) {
      Sql sum = Sql.of(written(each.getKey(), source));
      different.addAll(
          differing(side -> sums(sum, side, each.getKey(), each.getValue()), source, target));
    }
    return different;
  }

  private static String written(WrittenRows.Table table, CellSide side) throws SQLException {
    Map<String, String> types = new HashMap<>();
    TYPES
        .on(side.connection())
        .set("table", table.name())
        .forEach(row -> types.put(row.getString("attname"), row.getString("type")));
    List<String> columns = table.columns();
    return """
        select '%1$s' as name,
          count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)), 0) as sum
        from %1$s t join unnest(%2$s) as k (%3$s) on %4$s
        """
        .formatted(
            table.name(),
            columns.stream()
                .map(column -> "cast(:%s as %s[])".formatted(column, types.get(column)))
                .collect(Collectors.joining(", ")),
            String.join(", ", columns),
            columns.stream()
                .map(column -> "t.%1$s = k.%1$s".formatted(column))
                .collect(Collectors.joining(" and ")));
  }

  private static List<String> sums(
      Sql sum, CellSide side, WrittenRows.Table table, Set<List<String>> keys) throws SQLException {
    Sql.Call call = sum.on(side.connection());
    for (int i = 0; i < table.columns().size(); i++) {
      int column = i;
      call.set(
          table.columns().get(i), keys.stream().map(key -> key.get(column)).toArray(String[]::new));
    }
    return call.list(RowComparison::line);
  }

  private static String line(ResultSet row) throws SQLException {
    return row.getString("name") + " " + row.getString("sum");
  }

  private static List<String> differing(Sums sums, CellSide here, CellSide there)
      throws SQLException {
    CompletableFuture<List<String>> others = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                others.complete(sums.of(there));
              } catch (SQLException | RuntimeException failure) {
                others.completeExceptionally(failure);
              }
            });
    List<String> different;
    try {
      different = new ArrayList<>(sums.of(here));
    } finally {
      // its connection is used again
      List<String> _ = others.exceptionally(_ -> List.of()).join();
    }
    try {
      different.removeAll(others.join());
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw failure;
    }
    return different.stream().map(line -> line.substring(0, line.indexOf(' '))).toList();
  }

  @Override
  public void close() throws SQLException {
    try (changes;
        ofSource;
        ofTarget) {
      // closes all of them
    }
  }
}
