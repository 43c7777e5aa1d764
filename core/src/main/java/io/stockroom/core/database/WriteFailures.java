package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a database takes writes. It may still answer reads while its disk is full or broken, or
 * while it is a standby. A small write may then succeed, so it counts as writable again only when
 * no write has failed for a while.
 */
final class WriteFailures {
  /** Longer than the pause between two probes. */
  private static final Duration MEMORY = Duration.ofSeconds(20);

  /** A full disk, an input or output error, a read-only transaction. */
  private static final Set<String> STATES = Set.of("53100", "58030", "25006");

  /**
   * A sort of 1 MB that does not fit into its memory, so PostgreSQL writes it into a temporary
   * file. An update of a row may find room in its page while nothing else can be written.
   */
  private static final String PROBE =
      """
      set local work_mem = '64kB';
      select count(text) from (
        select i, repeat('x', 1000) as text from generate_series(1, 1000) i order by i desc offset 0
      ) sorted
      """;

  private record Failure(String message, long nanos) {}

  private volatile @Nullable Failure last;

  /** Notes why a transaction that writes failed. */
  void note(SQLException failure) {
    String state = failure.getSQLState();
    if (state != null && STATES.contains(state)) {
      last = new Failure(String.valueOf(failure.getMessage()), System.nanoTime());
    }
  }

  /** Fails if the disk is full. */
  static void probe(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(PROBE);
    }
  }

  /** Why writes fail; null if they do not. */
  @Nullable String reason() {
    Failure failure = last;
    return failure == null || System.nanoTime() - failure.nanos > MEMORY.toNanos()
        ? null
        : failure.message;
  }
}
