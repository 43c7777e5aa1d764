package io.stockroom.core.moves;

import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.MovingMerchants;
import io.stockroom.core.database.Sql;
import io.stockroom.core.moves.Move.Phase;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a move in short steps. Any node can repeat a step, because each step first checks what is
 * already done.
 */
final class Mover {
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration OFTEN = Duration.ofMillis(500);
  private static final Duration LATER = Duration.ofSeconds(3);
  private static final long NEAR = 4L << 20;
  private static final int MAX_ATTEMPTS = 20;
  private static final int MAX_ERRORS = 200;
  private static final int MAX_PAUSES = 3;
  private static final long ID_GAP = 1_000_000;
  private static final String LONG_TRANSACTION =
      "waits for a long transaction in the old cell, such as an import";

  private static final Sql LAST_ID =
      Sql.of("select last_value from pg_sequences where sequencename = 'request_log_id_seq'");

  private static final Sql RAISE_ID =
      Sql.of(
          """
          select setval('request_log_id_seq', greatest(
            :least, (select last_value from request_log_id_seq)))
          """);

  /**
   * What comes next.
   *
   * @param message what the move waits for; empty: nothing
   */
  record Step(Duration pause, String message) {
    static final Step AGAIN = new Step(Duration.ZERO, "");
    static final Step WAIT = new Step(SOON, "");
  }

  private final Cells cells;
  private final MoveTable moves;
  private final Map<String, Long> counts = new HashMap<>();

  Mover(Cells cells, MoveTable moves) {
    this.cells = cells;
    this.moves = moves;
  }

  Step step(Move move) throws SQLException, LostLease {
    if (move.phase() == Phase.WAITING) {
      moves.advance(move, Phase.COPYING, "");
      counts.clear();
      return Step.AGAIN;
    }
    try (CellSide source = side(move, move.fromCell());
        CellSide target = side(move, move.toCell())) {
      // after connecting: who takes over later ends these connections
      moves.require(move);
      Replication replication = new Replication(source, target, move);
      return switch (move.phase()) {
        case COPYING -> copy(move, source, target, replication);
        case CATCHING_UP -> switchOver(move, source, target, replication);
        case CLEANING -> clean(move, source, target, replication);
        case CANCELLING -> cancel(move, source, target, replication);
        default -> throw new IllegalStateException(move.phase().text());
      };
    }
  }

  private CellSide side(Move move, int cellId) throws SQLException {
    for (CellTable.Row row : cells.directory().read(CellTable::withMerchants)) {
      if (row.id() == cellId && cells.byId(cellId) != null) {
        return CellSide.of(move, cells.roles(row).owner());
      }
    }
    throw new SQLTransientConnectionException("cell " + cellId + " cannot be used now", "08006");
  }

  private Step copy(Move move, CellSide source, CellSide target, Replication replication)
      throws SQLException, LostLease {
    List<Replication.Table> tables = replication.tables();
    if (tables.isEmpty() || counts.isEmpty()) {
      source.unmark(move.merchantId());
      target.mark(move.merchantId(), "arriving");
      replication.start();
      count(move, source);
      tables = replication.tables();
    }
    long total = counts.values().stream().mapToLong(Long::longValue).sum();
    long copied = 0;
    boolean isReady = !tables.isEmpty();
    for (Replication.Table table : tables) {
      copied += table.isReady() ? counts.getOrDefault(table.name(), 0L) : table.rows();
      isReady &= table.isReady();
    }
    long errors = replication.errors();
    String message = errors > 0 ? failed(move, errors) : "";
    moves.progress(move.id(), copied, total, message);
    if (errors >= MAX_ERRORS) {
      return giveUp(move, message);
    }
    if (!isReady) {
      return new Step(SOON, message);
    }
    target.execute("analyze " + String.join(", ", target.tables()));
    moves.advance(move, Phase.CATCHING_UP, "");
    return Step.AGAIN;
  }

  private static String failed(Move move, long errors) {
    return "PostgreSQL of the cell %s could not copy or apply %d times; its log says why"
        .formatted(move.to(), errors);
  }

  private void count(Move move, CellSide source) throws SQLException {
    for (String table : source.tables()) {
      counts.put(
          table,
          Sql.of("select count(*) from %s where merchant_id = :merchantId".formatted(table))
              .on(source.connection())
              .set("merchantId", move.merchantId())
              .one(row -> row.getLong(1)));
    }
  }

  private Step switchOver(Move move, CellSide source, CellSide target, Replication replication)
      throws SQLException, LostLease {
    // of a mover that has not come back
    source.unmark(move.merchantId());
    Duration sinceFenced = moves.sinceNotice(move.id()).minus(MovingMerchants.NOTICE);
    if (sinceFenced.isNegative()) {
      return Step.WAIT;
    }
    long behind = replication.behind();
    if (behind > NEAR) {
      long errors = replication.errors();
      if (errors >= MAX_ERRORS || behind == Long.MAX_VALUE) {
        return giveUp(move, errors > 0 ? failed(move, errors) : "its replication slot is gone");
      }
      return new Step(SOON, "the new cell catches up");
    }
    long last = LAST_ID.on(source.connection()).<Long>one(row -> row.getLong(1));
    RAISE_ID.on(target.connection()).set("least", last + ID_GAP).one(row -> row.getLong(1));
    Cells.Cell old = cells.byId(move.fromCell());
    if (old == null) {
      return new Step(LATER, "the old cell cannot be used now");
    }
    Pause pause = new Pause(source, old.database(), replication, move.merchantId());
    Instant fencedSince = pause.now().minus(sinceFenced);
    if (pause.mustWait(fencedSince)) {
      return new Step(OFTEN, LONG_TRANSACTION);
    }
    String obstacle;
    try (RowComparison rows = new RowComparison(move, source, target)) {
      obstacle = compareAll(rows, pause, fencedSince);
      for (int i = 0; obstacle == null && i < MAX_PAUSES; i++) {
        // the comparison may have taken longer than the lease
        moves.require(move);
        if (pause.mustWait(fencedSince)) {
          return new Step(OFTEN, LONG_TRANSACTION);
        }
        obstacle = switchOver(move, target, pause, fencedSince, rows);
        if (obstacle == null) {
          target.unmark(move.merchantId());
          return Step.AGAIN;
        }
        if (obstacle.equals(Pause.LATE) && i + 1 < MAX_PAUSES) {
          obstacle = null;
        }
      }
    }
    return again(move, obstacle == null ? Pause.LATE : obstacle);
  }

  private @Nullable String switchOver(
      Move move, CellSide target, Pause pause, Instant fencedSince, RowComparison rows)
      throws SQLException, LostLease {
    String obstacle = pause.begin(fencedSince);
    if (obstacle != null) {
      return obstacle;
    }
    obstacle = pause.compare(rows, target);
    if (obstacle == null && !pause.keep()) {
      obstacle = Pause.LATE;
    }
    if (obstacle != null) {
      pause.end();
      return obstacle;
    }
    moves.switchCell(move, pause.millis());
    return null;
  }

  /** Compares all rows of a moment; the merchant's writes wait only for its snapshots. */
  private static @Nullable String compareAll(RowComparison rows, Pause pause, Instant fencedSince)
      throws SQLException {
    String obstacle = pause.begin(fencedSince);
    if (obstacle != null) {
      return obstacle;
    }
    try {
      rows.fix();
    } finally {
      pause.end();
    }
    List<String> differing = rows.differing();
    return differing.isEmpty() ? null : Pause.difference(differing);
  }

  /** Tries to switch again, but not for ever. */
  private Step again(Move move, String obstacle) throws SQLException, LostLease {
    if (move.attempts() + 1 >= MAX_ATTEMPTS) {
      return giveUp(
          move, "gave up after %d attempts. The last one: %s".formatted(MAX_ATTEMPTS, obstacle));
    }
    moves.countAttempts(move.id(), 1);
    return new Step(LATER, obstacle);
  }

  /** Rolls back; the merchant stays in the old cell. */
  private Step giveUp(Move move, String message) throws SQLException, LostLease {
    moves.countAttempts(move.id(), MAX_ATTEMPTS);
    moves.advance(move, Phase.CANCELLING, message);
    return Step.AGAIN;
  }

  private Step clean(Move move, CellSide source, CellSide target, Replication replication)
      throws SQLException, LostLease {
    target.unmark(move.merchantId());
    // before any row is deleted: a deletion must not be replicated
    if (!replication.drop()) {
      return Step.WAIT;
    }
    source.deleteRows(move.merchantId());
    moves.advance(move, Phase.DONE, "");
    return Step.AGAIN;
  }

  private Step cancel(Move move, CellSide source, CellSide target, Replication replication)
      throws SQLException, LostLease {
    source.unmark(move.merchantId());
    target.mark(move.merchantId(), "left");
    if (!replication.drop()) {
      return Step.WAIT;
    }
    target.deleteRows(move.merchantId());
    moves.advance(
        move, move.attempts() >= MAX_ATTEMPTS ? Phase.FAILED : Phase.CANCELLED, move.message());
    return Step.AGAIN;
  }
}
