package io.stockroom.core.moves;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Moves of merchants between cells: asks for them, cancels them, and shows what became of them. */
public final class MerchantMoves {
  private static final String DUPLICATE = "23505";
  private static final int MAX_SHOWN = 100;

  private static final Sql ALL =
      Sql.of(
          "select %s from %s order by v.ended_at is not null, v.move_id desc limit %d"
              .formatted(Move.COLUMNS, Move.TABLES, MAX_SHOWN));

  private static final Sql LAST =
      Sql.of(
          "select %s from %s where v.merchant_id = :merchantId order by v.move_id desc limit 1"
              .formatted(Move.COLUMNS, Move.TABLES));

  private static final Sql ADD =
      Sql.of(
          """
          insert into merchant_move (merchant_id, from_cell, to_cell, actor)
          select merchant_id, :fromCell, :toCell, :actor from merchant
          where merchant_id = :merchantId and (removal_requested_at is null or removed_at is not null)
          for share
          """);

  /** A move that has switched is not cancelled; one that has not begun ends at once. */
  private static final Sql CANCEL =
      Sql.of(
          """
          update merchant_move set
            phase = case when announced_at is null then 'cancelled' else 'cancelling' end,
            ended_at = case when announced_at is null then now() end, next_attempt_at = now()
          where ended_at is null and phase in ('waiting', 'copying', 'catching-up')
            and (merchant_id = :merchantId or from_cell = :fromCell)
          returning merchant_id
          """);

  private static final Sql CELL_OF =
      Sql.of("select cell_id from merchant where merchant_id = :merchantId");

  private static final Sql STATE = Sql.of("update cell set state = :state where cell_id = :cellId");

  private static final Sql REMAINING =
      Sql.of(
          """
          select merchant_id from merchant m
          where cell_id = :cellId and not exists (
            select 1 from merchant_move v
            where v.merchant_id = m.merchant_id and v.ended_at is null)
          order by merchant_id
          """);

  /**
   * Where a merchant lives.
   *
   * @param others the other cells to which it can be moved
   * @param move its last move; null if there was none
   */
  public record Place(String cell, List<String> others, @Nullable Move move) {}

  private final Cells cells;
  private final Audit audit;

  public MerchantMoves(Cells cells, Audit audit) {
    this.cells = cells;
    this.audit = audit;
  }

  /** Open moves first, the newest first. */
  public List<Move> all() throws SQLException {
    return cells.directory().read(connection -> ALL.on(connection).list(Move::read));
  }

  /** The last move of a merchant; null if there was none. */
  public @Nullable Move last(int merchantId) throws SQLException {
    return cells
        .directory()
        .<@Nullable Move>read(
            connection -> LAST.on(connection).set("merchantId", merchantId).first(Move::read));
  }

  /** As {@link #last}, for callers that ask for it. */
  public Move known(int merchantId) throws SQLException, MoveRejection {
    Move move = last(merchantId);
    if (move == null) {
      throw new MoveRejection(ErrorCode.MOVE_REFUSED, "no move of this merchant is known.");
    }
    return move;
  }

  /** Where a merchant lives; null if there is only one cell, or no such merchant. */
  public @Nullable Place place(int merchantId) throws SQLException {
    List<CellTable.Row> rows = cells.directory().read(CellTable::withMerchants);
    Integer cell = cellOf(merchantId);
    if (rows.size() < 2 || cell == null) {
      return null;
    }
    return new Place(
        byId(rows, cell).name(),
        rows.stream()
            .filter(row -> row.id() != cell && !row.isDraining())
            .map(CellTable.Row::name)
            .toList(),
        last(merchantId));
  }

  private @Nullable Integer cellOf(int merchantId) throws SQLException {
    return cells
        .directory()
        .<@Nullable Integer>read(
            connection ->
                CELL_OF.on(connection).set("merchantId", merchantId).first(row -> row.getInt(1)));
  }

  /** Asks for the move of a merchant; a node begins with it within a second. */
  public Move request(int merchantId, String to, Actor actor) throws SQLException, MoveRejection {
    List<CellTable.Row> rows = cells.directory().read(CellTable::withMerchants);
    Integer from = cellOf(merchantId);
    if (from == null) {
      throw new MoveRejection(ErrorCode.MERCHANT_MISSING, merchantId);
    }
    CellTable.Row target = named(rows, to);
    if (target.id() == from) {
      throw new MoveRejection(
          ErrorCode.MOVE_REFUSED, "it is in the cell %s already.".formatted(to));
    }
    if (target.isDraining()) {
      throw new MoveRejection(ErrorCode.MOVE_REFUSED, "the cell %s is draining.".formatted(to));
    }
    new MoveCheck(cells).require(byId(rows, from), target);
    try {
      boolean isAdded =
          cells
              .directory()
              .write(connection -> add(connection, merchantId, byId(rows, from), target, actor));
      if (!isAdded) {
        throw new MoveRejection(ErrorCode.MOVE_REFUSED, "its data is being removed.");
      }
    } catch (SQLException failure) {
      if (DUPLICATE.equals(failure.getSQLState())) {
        throw new MoveRejection(
            ErrorCode.MOVE_REFUSED, "it is moving already; stockroom cell moves shows how far.");
      }
      throw failure;
    }
    Move move = last(merchantId);
    if (move == null) {
      throw new IllegalStateException("the move of merchant " + merchantId + " is gone");
    }
    return move;
  }

  /** Returns false if the data of the merchant is being removed. */
  private boolean add(
      Connection connection, int merchantId, CellTable.Row from, CellTable.Row to, Actor actor)
      throws SQLException {
    int added =
        ADD.on(connection)
            .set("merchantId", merchantId)
            .set("fromCell", from.id())
            .set("toCell", to.id())
            .set("actor", actor.name())
            .update();
    if (added == 0) {
      return false;
    }
    audit.addFromDirectory(
        connection,
        merchantId,
        actor,
        "merchant.move",
        Integer.toString(merchantId),
        from.name() + " → " + to.name());
    return true;
  }

  /** Cancels a move that has not switched yet. */
  public void cancel(int merchantId, Actor actor) throws SQLException, MoveRejection {
    if (cancel(merchantId, 0, actor).isEmpty()) {
      throw new MoveRejection(
          ErrorCode.MOVE_REFUSED, "no move of it is running that could still be cancelled.");
    }
  }

  private List<Integer> cancel(int merchantId, int fromCell, Actor actor) throws SQLException {
    return cells
        .directory()
        .write(
            connection -> {
              List<Integer> cancelled =
                  CANCEL
                      .on(connection)
                      .set("merchantId", merchantId)
                      .set("fromCell", fromCell)
                      .list(row -> row.getInt(1));
              for (int each : cancelled) {
                audit.addFromDirectory(
                    connection, each, actor, "merchant.move-cancel", Integer.toString(each), "");
              }
              return cancelled;
            });
  }

  /**
   * Moves all merchants of a cell away, one after the other. The cell gets no new merchants.
   *
   * @param to null for the cells with the fewest merchants
   * @return the number of merchants that will be moved
   */
  public int drain(String name, @Nullable String to, Actor actor)
      throws SQLException, MoveRejection {
    List<CellTable.Row> rows = cells.directory().read(CellTable::withMerchants);
    CellTable.Row source = named(rows, name);
    Map<CellTable.Row, Integer> load = new HashMap<>();
    for (CellTable.Row row : rows) {
      boolean isWanted = to == null ? !row.isDraining() : row.name().equals(to);
      if (isWanted && row.id() != source.id()) {
        load.put(row, row.merchants());
      }
    }
    if (to != null) {
      CellTable.Row _ = named(rows, to);
    }
    if (load.isEmpty() || load.keySet().stream().anyMatch(CellTable.Row::isDraining)) {
      throw new MoveRejection(
          ErrorCode.MOVE_REFUSED, "there is no other active cell that could take the merchants.");
    }
    for (CellTable.Row target : load.keySet()) {
      new MoveCheck(cells).require(source, target);
    }
    return cells
        .directory()
        .write(
            connection -> {
              setState(connection, source, "draining", actor);
              int moved = 0;
              List<Integer> remaining = new ArrayList<>();
              REMAINING
                  .on(connection)
                  .set("cellId", source.id())
                  .forEach(row -> remaining.add(row.getInt(1)));
              for (int merchantId : remaining) {
                CellTable.Row target =
                    load.entrySet().stream()
                        .min(Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey();
                load.merge(target, 1, Integer::sum);
                moved += add(connection, merchantId, source, target, actor) ? 1 : 0;
              }
              return moved;
            });
  }

  /** Lets a cell get merchants again, and cancels the moves of its merchants. */
  public void activate(String name, Actor actor) throws SQLException, MoveRejection {
    CellTable.Row cell = named(cells.directory().read(CellTable::withMerchants), name);
    cells
        .directory()
        .write(
            connection -> {
              setState(connection, cell, "active", actor);
              return name;
            });
    List<Integer> _ = cancel(0, cell.id(), actor);
  }

  private void setState(Connection connection, CellTable.Row cell, String state, Actor actor)
      throws SQLException {
    STATE.on(connection).set("cellId", cell.id()).set("state", state).update();
    audit.addFromDirectory(
        connection,
        Audit.SERVER,
        actor,
        state.equals("active") ? "cell.activate" : "cell.drain",
        cell.name(),
        "");
  }

  private static CellTable.Row named(List<CellTable.Row> rows, String name) throws MoveRejection {
    return rows.stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new MoveRejection(ErrorCode.CELL_MISSING, name));
  }

  private static CellTable.Row byId(List<CellTable.Row> rows, int id) {
    return rows.stream().filter(row -> row.id() == id).findFirst().orElseThrow();
  }
}
