package io.stockroom.core.moves;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.StopSignal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drives the moves of the marketplace, one at a time: the node that has the lease of one. */
public final class MoveRunner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MoveRunner.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration RENEW = Duration.ofSeconds(2);

  /** A pause that is longer lets another move go on meanwhile. */
  private static final Duration SHORT = Duration.ofMillis(300);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(3);

  private final Cells cells;
  private final MoveTable moves;
  private final StopSignal stop = new StopSignal();
  private volatile int driven;

  public MoveRunner(Cells cells) {
    this.cells = cells;
    this.moves = new MoveTable(cells.directory(), UUID.randomUUID());
  }

  public MoveRunner start() {
    Thread.ofVirtual().name("moves").start(this::run);
    Thread.ofVirtual().name("move-lease").start(this::renew);
    return this;
  }

  private void run() {
    while (!stop.comesWithin(POLL)) {
      try {
        Move move = cells.all().size() > 1 ? moves.claim() : null;
        if (move != null) {
          drive(move);
        }
      } catch (SQLException | RuntimeException failure) {
        log.debug("cannot look for moves of merchants", failure);
      }
    }
  }

  private void renew() {
    while (!stop.comesWithin(RENEW)) {
      int id = driven;
      try {
        if (id != 0) {
          boolean _ = moves.renew(id);
        }
      } catch (SQLException | RuntimeException failure) {
        log.debug("cannot renew the lease of a move", failure);
      }
    }
  }

  private void drive(Move claimed) throws SQLException {
    driven = claimed.id();
    Mover mover = new Mover(cells, moves);
    Move move = claimed;
    try {
      while (move.phase().compareTo(Move.Phase.DONE) < 0) {
        Mover.Step step = mover.step(move);
        if (step.pause().compareTo(SHORT) > 0 || stop.comesWithin(step.pause())) {
          moves.release(move.id(), step.message(), step.pause());
          return;
        }
        move = moves.find(move.id());
      }
      log.info(
          "The move of merchant {} from cell {} to cell {} is {}.",
          move.merchantId(),
          move.from(),
          move.to(),
          move.phase().text());
    } catch (LostLease lost) {
      log.debug("stops driving the move of merchant {}", move.merchantId(), lost);
      moves.release(move.id(), move.message(), Duration.ZERO);
    } catch (SQLException failure) {
      log.warn(
          "The move of merchant {} is tried again: {}", move.merchantId(), failure.getMessage());
      moves.release(move.id(), String.valueOf(failure.getMessage()), AFTER_FAILURE);
    } finally {
      driven = 0;
    }
  }

  /** Another node continues. */
  @Override
  public void close() {
    stop.send();
  }
}
