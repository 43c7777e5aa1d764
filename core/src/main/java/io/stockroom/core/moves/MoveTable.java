package io.stockroom.core.moves;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The moves in the directory, for the node that drives one of them by a lease. */
final class MoveTable {
  private static final String LEASE = "interval '10 seconds'";

  private static final Sql CLAIM =
      Sql.of(
          """
          update merchant_move v set holder = :holder, lease_until = now() + %s
          from cell f, cell t
          where f.cell_id = v.from_cell and t.cell_id = v.to_cell and v.move_id = (
              select move_id from merchant_move
              where ended_at is null and next_attempt_at <= now()
                and (lease_until is null or lease_until < now())
              order by phase = 'waiting', next_attempt_at, move_id
              limit 1 for update skip locked)
            and not exists (
              select 1 from merchant_move where ended_at is null and lease_until > now())
          returning %s
          """
              .formatted(LEASE, Move.COLUMNS));

  private static final Sql RENEW =
      Sql.of(
          """
          update merchant_move set lease_until = now() + %s
          where move_id = :id and holder = :holder and ended_at is null
          """
              .formatted(LEASE));

  private static final Sql HOLDS =
      Sql.of(
          """
          select 1 from merchant_move
          where move_id = :id and holder = :holder and phase = :phase and ended_at is null
          """);

  private static final Sql RELEASE =
      Sql.of(
          """
          update merchant_move set holder = null, lease_until = null, message = :message,
            next_attempt_at = now() + :millis * interval '1 millisecond'
          where move_id = :id and holder = :holder
          """);

  private static final Sql PROGRESS =
      Sql.of(
          """
          update merchant_move set rows_copied = :copied, rows_total = :total, message = :message
          where move_id = :id and holder = :holder
          """);

  private static final Sql PHASE =
      Sql.of(
          """
          update merchant_move set phase = :phase, message = :message,
            announced_at = coalesce(announced_at, now()),
            ended_at = case when :ends then now() end
          where move_id = :id and holder = :holder and phase = :before
          """);

  private static final Sql ATTEMPTS =
      Sql.of("update merchant_move set mismatches = mismatches + :more where move_id = :id");

  private static final Sql SWITCHED =
      Sql.of(
          """
          update merchant_move set phase = 'cleaning', message = '', switched_at = now(),
            pause_millis = :millis
          where move_id = :id and holder = :holder and phase = 'catching-up'
          """);

  private static final Sql PLACE =
      Sql.of(
          """
          update merchant set cell_id = :toCell
          where merchant_id = :merchantId and cell_id = :fromCell
          """);

  private static final Sql SINCE_NOTICE =
      Sql.of(
          """
          select extract(epoch from now() - announced_at) * 1000 as millis
          from merchant_move where move_id = :id
          """);

  private static final Sql FIND =
      Sql.of("select %s from %s where v.move_id = :id".formatted(Move.COLUMNS, Move.TABLES));

  private final Database directory;
  private final UUID holder;

  MoveTable(Database directory, UUID holder) {
    this.directory = directory;
    this.holder = holder;
  }

  /** The next move without a driver; null if there is none, or if another move is running. */
  @Nullable Move claim() throws SQLException {
    return directory.<@Nullable Move>write(
        connection -> CLAIM.on(connection).set("holder", holder).first(Move::read));
  }

  Move find(int id) throws SQLException {
    return directory.read(connection -> FIND.on(connection).set("id", id).one(Move::read));
  }

  boolean renew(int id) throws SQLException {
    return directory.write(
            connection -> RENEW.on(connection).set("id", id).set("holder", holder).update())
        == 1;
  }

  /** Fails if another node drives the move now, or it is in another phase. */
  void require(Move move) throws SQLException, LostLease {
    LostLease.unless(
        directory.read(
            connection ->
                HOLDS
                    .on(connection)
                    .set("id", move.id())
                    .set("holder", holder)
                    .set("phase", move.phase().text())
                    .exists()));
  }

  /** Leaves the move to any node, after a while. */
  void release(int id, String message, Duration pause) throws SQLException {
    directory.write(
        connection ->
            RELEASE
                .on(connection)
                .set("id", id)
                .set("holder", holder)
                .set("message", message)
                .set("millis", pause.toMillis())
                .update());
  }

  void progress(int id, long copied, long total, String message) throws SQLException {
    directory.write(
        connection ->
            PROGRESS
                .on(connection)
                .set("id", id)
                .set("holder", holder)
                .set("copied", copied)
                .set("total", total)
                .set("message", message)
                .update());
  }

  /** Fails if another node drives the move now, or it was cancelled. */
  void advance(Move move, Move.Phase next, String message) throws SQLException, LostLease {
    int updated =
        directory.write(
            connection ->
                PHASE
                    .on(connection)
                    .set("id", move.id())
                    .set("holder", holder)
                    .set("before", move.phase().text())
                    .set("phase", next.text())
                    .set("message", message)
                    .set("ends", next.compareTo(Move.Phase.DONE) >= 0)
                    .update());
    LostLease.unless(updated == 1);
  }

  /** Counts failed attempts to switch. */
  void countAttempts(int id, int more) throws SQLException {
    directory.write(connection -> ATTEMPTS.on(connection).set("id", id).set("more", more).update());
  }

  /** The decisive step: from its commit on, the merchant lives in the new cell. */
  void switchCell(Move move, long pauseMillis) throws SQLException, LostLease {
    boolean isSwitched =
        directory.write(
            connection -> {
              int updated =
                  SWITCHED
                      .on(connection)
                      .set("id", move.id())
                      .set("holder", holder)
                      .set("millis", pauseMillis)
                      .update();
              if (updated == 0) {
                return false;
              }
              int placed =
                  PLACE
                      .on(connection)
                      .set("merchantId", move.merchantId())
                      .set("fromCell", move.fromCell())
                      .set("toCell", move.toCell())
                      .update();
              if (placed == 0) {
                // rolls back: the old rows must not be deleted
                throw new IllegalStateException("the merchant is not in the cell it moves from");
              }
              return true;
            });
    LostLease.unless(isSwitched);
  }

  /** How long ago the move was announced to all nodes, by the directory's clock. */
  Duration sinceNotice(int id) throws SQLException {
    return directory.read(
        connection ->
            SINCE_NOTICE
                .on(connection)
                .set("id", id)
                .one(row -> Duration.ofMillis(row.getLong("millis"))));
  }
}
