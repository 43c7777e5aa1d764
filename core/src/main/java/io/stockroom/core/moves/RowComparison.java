package io.stockroom.core.moves;

import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * Compares the rows of a merchant in both cells. In a moment in which both cells have the same rows,
 * {@link #fix} takes a snapshot of each. {@link #differing} compares all rows of the snapshots, while
 * the merchant is used. In a later pause, {@link #differingSince} compares the rows that were
 * written after the snapshots, and the number of all rows.
 */
final class RowComparison implements AutoCloseable {
  private static final Sql NEXT_TRANSACTION =
      Sql.of("select pg_snapshot_xmax(pg_current_snapshot())::xid::text as id");

  private static final String ALL =
      """
      select '%1$s' as name,
        count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)), 0) as sum
      from %1$s t where merchant_id = :merchantId
      """;

  /** Transaction ids begin again after four billion: rows of the distant past have an age below 0. */
  private static final String WRITTEN_SINCE =
      """
      select '%1$s' as name,
        (select count(*) from %1$s where merchant_id = :merchantId)
          || ' ' || count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)), 0) as sum
      from %1$s t where merchant_id = :merchantId
        and age(xmin) <= (select age('%2$s'::xid)) and age(xmin) >= 0
      """;

  /** One of the two snapshots; {@code next} is the first transaction that it does not show. */
  private record Snapshot(CellSide side, String next) {}

  private final Move move;
  private final List<String> tables;
  private final CellSide ofSource;
  private final CellSide ofTarget;
  private Snapshot before;
  private Snapshot after;

  /** Connects; call it before the pause, because that takes time. */
  RowComparison(Move move, CellSide source, CellSide target) throws SQLException {
    this.move = move;
    this.tables = source.tables();
    this.ofSource = source.beside();
    try {
      this.ofTarget = target.beside();
    } catch (SQLException | RuntimeException failure) {
      ofSource.close();
      throw failure;
    }
    this.before = new Snapshot(ofSource, "");
    this.after = new Snapshot(ofTarget, "");
  }

  boolean isOf(Move other) {
    return move.id() == other.id();
  }

  /** Call it while the merchant is paused, and the new cell has applied everything. */
  void fix() throws SQLException {
    before = snapshot(ofSource);
    after = snapshot(ofTarget);
  }

  private static Snapshot snapshot(CellSide side) throws SQLException {
    side.beginSnapshot();
    return new Snapshot(side, NEXT_TRANSACTION.on(side.connection()).one(row -> row.getString("id")));
  }

  /** The tables whose rows are not the same in both snapshots. Takes its time. */
  List<String> differing() throws SQLException {
    List<String> different = new ArrayList<>();
    for (String table : tables) {
      different.addAll(differing(ALL, List.of(table), before, after));
    }
    return different;
  }

  /**
   * The tables of which one cell has other rows than the other one, if they had the same rows at
   * the time of the snapshots.
   */
  List<String> differingSince(CellSide source, CellSide target) throws SQLException {
    return differing(
        WRITTEN_SINCE,
        tables,
        new Snapshot(source, before.next),
        new Snapshot(target, after.next));
  }

  private List<String> differing(String sum, List<String> of, Snapshot here, Snapshot there)
      throws SQLException {
    CompletableFuture<List<String>> others = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                others.complete(sums(sum, of, there));
              } catch (SQLException | RuntimeException failure) {
                others.completeExceptionally(failure);
              }
            });
    List<String> different;
    try {
      different = new ArrayList<>(sums(sum, of, here));
    } finally {
      // this connection is used again
      others.exceptionally(_ -> List.of()).join();
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

  private List<String> sums(String sum, List<String> of, Snapshot at) throws SQLException {
    String all =
        of.stream()
            .map(table -> sum.formatted(table, at.next))
            .collect(Collectors.joining(" union all "));
    return Sql.of(all)
        .on(at.side.connection())
        .set("merchantId", move.merchantId())
        .list(row -> row.getString("name") + " " + row.getString("sum"));
  }

  /** Ends the snapshots; {@link #differingSince} needs only their time. */
  @Override
  public void close() throws SQLException {
    try (ofSource;
        ofTarget) {
      // closes both
    }
  }
}
