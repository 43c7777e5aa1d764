package io.stockroom.core.database;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What a node knows about moves of merchants. It is read from the directory again and again. A
 * mover pauses a merchant only after every node has read of the move, or knows that its knowledge
 * is too old.
 */
public final class MovingMerchants {
  static final int POLL_MILLIS = 500;

  /** Knowledge that is older is not used. */
  private static final Duration MAX_AGE = Duration.ofSeconds(3);

  /** A mover waits this long after it has announced a move, before it pauses the merchant. */
  public static final Duration NOTICE = Duration.ofSeconds(4);

  /** Where a merchant is now is read for this long after its move. */
  private static final Duration MEMORY = Duration.ofMinutes(15);

  private static final Sql MOVES =
      Sql.of(
          """
          select merchant_id, m.cell_id, v.ended_at is null as moving
          from merchant_move v join merchant m using (merchant_id)
          where v.announced_at is not null
            and (v.ended_at is null or v.ended_at > now() - interval '20 minutes')
          """);

  private record Knowledge(long readAt, Set<Integer> moving) {
    boolean isYounger(Duration age) {
      return System.nanoTime() - readAt < age.toNanos();
    }
  }

  private volatile Knowledge knowledge =
      new Knowledge(System.nanoTime() - Duration.ofDays(1).toNanos(), Set.of());

  boolean isSettled(int merchantId) {
    Knowledge known = knowledge;
    return !known.moving.contains(merchantId) && known.isYounger(MAX_AGE);
  }

  /** Returns false if the time since the last reading is too long to know of every move. */
  boolean refresh(Database directory, BiConsumer<Integer, Integer> places) throws SQLException {
    long now = System.nanoTime();
    boolean isComplete = knowledge.isYounger(MEMORY);
    Set<Integer> moving = new HashSet<>();
    directory.read(
        connection -> {
          moving.clear();
          MOVES
              .on(connection)
              .forEach(
                  row -> {
                    places.accept(row.getInt("merchant_id"), row.getInt("cell_id"));
                    if (row.getBoolean("moving")) {
                      moving.add(row.getInt("merchant_id"));
                    }
                  });
          return moving;
        });
    knowledge = new Knowledge(now, Set.copyOf(moving));
    return isComplete;
  }
}
