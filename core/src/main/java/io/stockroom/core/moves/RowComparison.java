package io.stockroom.core.moves;

import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Compares the rows of a merchant in both cells. In a moment in which both cells have the same
 * rows, {@link #fix} takes a snapshot of each, and {@link #differing} compares their hashes while
 * the merchant is used. PostgreSQL applies later transactions in order, so in the last pause {@link
 * #differingCounts} need only compare how many rows there are, and the head of the log.
 */
final class RowComparison implements AutoCloseable {
  /** These tables have one row, which each change of a product or its stock updates. */
  private static final List<String> HEADS = List.of("log_head", "merchant_data");

  private final int merchantId;
  private final List<String> tables;
  private final CellSide ofSource;
  private final CellSide ofTarget;

  /** Connects; call it before the pause, because it takes time. */
  RowComparison(Move move, CellSide source, CellSide target) throws SQLException {
    this.merchantId = move.merchantId();
    this.tables = source.tables();
    this.ofSource = source.beside();
    try {
      this.ofTarget = target.beside();
    } catch (SQLException | RuntimeException failure) {
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
    List<String> different = differing(tables, tables, ofSource, ofTarget);
    ofSource.endSnapshot();
    ofTarget.endSnapshot();
    return different;
  }

  /** The tables with another number of rows. Call it while the merchant is paused. */
  List<String> differingCounts(CellSide source, CellSide target) throws SQLException {
    return differing(tables, HEADS, source, target);
  }

  private List<String> differing(
      List<String> counted, List<String> hashed, CellSide here, CellSide there)
      throws SQLException {
    CompletableFuture<List<String>> others = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                others.complete(sums(counted, hashed, there));
              } catch (SQLException | RuntimeException failure) {
                others.completeExceptionally(failure);
              }
            });
    List<String> own;
    try {
      own = sums(counted, hashed, here);
    } finally {
      // its connection is used again
      List<String> _ = others.exceptionally(_ -> List.of()).join();
    }
    try {
      List<String> different = new ArrayList<>(own);
      different.removeAll(others.join());
      return different.stream().map(line -> line.substring(0, line.indexOf(' '))).toList();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw failure;
    }
  }

  /** A line for each table: its name, its number of rows, and the sum of their hashes. */
  private List<String> sums(List<String> counted, List<String> hashed, CellSide side)
      throws SQLException {
    List<String> sums = new ArrayList<>();
    for (String table : counted) {
      String hash = hashed.contains(table) ? "coalesce(sum(hash_record_extended(t, 0)), 0)" : "''";
      sums.add(
          Sql.of(
                  "select '%1$s ' || count(*) || ' ' || %2$s as sum from %1$s t where merchant_id = :merchantId"
                      .formatted(table, hash))
              .on(side.connection())
              .set("merchantId", merchantId)
              .one(row -> row.getString("sum")));
    }
    return sums;
  }

  @Override
  public void close() throws SQLException {
    try (ofSource;
        ofTarget) {
      // closes both
    }
  }
}
