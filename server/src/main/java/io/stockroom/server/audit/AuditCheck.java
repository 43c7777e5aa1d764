package io.stockroom.server.audit;

import io.stockroom.server.audit.Audit.Verdict;
import io.stockroom.server.database.AdvisoryLock;
import io.stockroom.server.database.Database;
import io.stockroom.server.database.LongTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the whole trail while somebody watches. It runs on one node; how far it is stands in the
 * name of its connection, so that every node can tell, and the verdict stands in the trail.
 */
public final class AuditCheck {
  private static final Logger log = LoggerFactory.getLogger(AuditCheck.class);
  private static final String ACTION = "audit.verify";
  private static final String INTACT = "intact";
  private static final String NAME = "stockroom audit check ";

  /** How far back the last check is looked for. */
  private static final int LOOKED_THROUGH = 5_000;

  /** A check that is running. */
  public record Progress(long done, long total) {
    public int percent() {
      return total == 0 ? 0 : (int) Math.min(100, done * 100 / total);
    }
  }

  /** What the last check found, as it stands in the trail. */
  public record Last(Instant at, String actor, boolean intact, String details) {}

  /**
   * Where the trail stands.
   *
   * @param running null where nobody is checking
   * @param last null where it was never checked, or long ago
   */
  public record Status(@Nullable Progress running, @Nullable Last last) {}

  private final Database database;
  private final Audit audit;

  public AuditCheck(Database database, Audit audit) {
    this.database = database;
    this.audit = audit;
  }

  /** Begins a check, unless one is running somewhere. */
  public void begin(Actor actor) throws SQLException {
    LongTransaction transaction = database.begin();
    boolean ours = false;
    try {
      ours = hold(transaction.connection());
    } finally {
      if (!ours) {
        transaction.close();
      }
    }
    if (ours) {
      Thread.ofVirtual().name("audit-check").start(() -> run(transaction, actor));
    }
  }

  public Status status() throws SQLException {
    return database.read(connection -> new Status(running(connection), last(connection)));
  }

  private static boolean hold(Connection connection) throws SQLException {
    AuditChains.beginSnapshot(connection);
    boolean held = AdvisoryLock.AUDIT_CHECK.tryHold(connection);
    if (held) {
      tell(connection, 0, 0);
    }
    return held;
  }

  private void run(LongTransaction transaction, Actor actor) {
    try (transaction) {
      Connection connection = transaction.connection();
      Verdict verdict =
          AuditChains.verify(connection, (done, total) -> tell(connection, done, total));
      String found = verdict.intact() ? INTACT : "broken";
      database.write(
          adding -> {
            audit.add(adding, Audit.SERVER, actor, ACTION, found, details(verdict));
            return found;
          });
    } catch (SQLException | RuntimeException failure) {
      log.error("the trail could not be checked", failure);
    }
  }

  private static String details(Verdict verdict) {
    return verdict.intact()
        ? "%d entries, %d chains, head %s"
            .formatted(verdict.entries(), verdict.chains(), verdict.head())
        : "row %d of chain %d does not follow from the rows before it"
            .formatted(verdict.number(), verdict.merchantId());
  }

  /** Only for this transaction: the connection gets its own name back with the end of it. */
  private static void tell(Connection connection, long done, long total) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local application_name = '" + NAME + done + "/" + total + "'");
    }
  }

  private static @Nullable Progress running(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select substr(application_name, ?) from pg_stat_activity
            where datname = current_database() and starts_with(application_name, ?) limit 1
            """)) {
      statement.setInt(1, NAME.length() + 1);
      statement.setString(2, NAME);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        String[] parts = row.getString(1).split("/", 2);
        return new Progress(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
      }
    }
  }

  private static @Nullable Last last(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select at, actor, subject, details from (
              select number, at, actor, action, subject, details from audit
              where merchant_id = 0 order by number desc limit ?
            ) newest
            where action = ? order by number desc limit 1
            """)) {
      statement.setInt(1, LOOKED_THROUGH);
      statement.setString(2, ACTION);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Last(
                row.getObject(1, OffsetDateTime.class).toInstant(),
                row.getString(2),
                row.getString(3).equals(INTACT),
                row.getString(4))
            : null;
      }
    }
  }
}
