package io.stockroom.core.audit;

import io.stockroom.core.audit.Audit.Verdict;
import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.LongTransaction;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies the whole audit log in the background. One node runs the check. Its progress is in the
 * application name of its connection, where every node can read it, and its result is an entry of
 * the audit log.
 */
public final class AuditCheck {
  private static final Logger log = LoggerFactory.getLogger(AuditCheck.class);
  private static final String ACTION = "audit.verify";
  private static final String INTACT = "intact";
  private static final String NAME = "stockroom audit check ";

  /** How many of the newest entries are searched for the last check. */
  private static final int MAX_SEARCHED = 5_000;

  /** A check that is running. */
  public record Progress(long done, long total) {
    public int percent() {
      return total == 0 ? 0 : (int) Math.min(100, done * 100 / total);
    }
  }

  /** The result of the last check, as the audit log has it. */
  public record Last(Instant at, String actor, boolean intact, String details) {}

  /**
   * The state of the check.
   *
   * @param running null if no check is running
   * @param last null if there was none, or only long ago
   */
  public record Status(@Nullable Progress running, @Nullable Last last) {}

  private final Cells cells;
  private final Audit audit;

  public AuditCheck(Cells cells, Audit audit) {
    this.cells = cells;
    this.audit = audit;
  }

  /** Begins a check, unless one is running somewhere. */
  public void begin(Actor actor) throws SQLException {
    LongTransaction transaction = cells.of(Audit.SERVER).begin();
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
    return cells
        .of(Audit.SERVER)
        .read(connection -> new Status(running(connection), last(connection)));
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
      List<Verdict> verdicts = new ArrayList<>();
      verdicts.add(AuditChains.verify(connection, (done, total) -> tell(connection, done, total)));
      for (Cells.Cell cell : cells.all()) {
        if (cell.id() != Cells.MAIN) {
          verdicts.add(verify(connection, cell));
        }
      }
      Verdict verdict = Verdict.of(verdicts);
      String found = verdict.intact() ? INTACT : "broken";
      audit.note(Audit.SERVER, actor, ACTION, found, details(verdict));
    } catch (SQLException | RuntimeException failure) {
      log.error("The audit log could not be verified.", failure);
    }
  }

  /** The check of another cell; its progress is told where the check began. */
  private static Verdict verify(Connection telling, Cells.Cell cell) throws SQLException {
    try (LongTransaction transaction = cell.database().begin()) {
      AuditChains.beginSnapshot(transaction.connection());
      return AuditChains.verify(
          transaction.connection(), (done, total) -> tell(telling, done, total));
    }
  }

  private static String details(Verdict verdict) {
    return verdict.intact()
        ? "%d entries, %d chains, head %s"
            .formatted(verdict.entries(), verdict.chains(), verdict.head())
        : "row %d of chain %d does not follow from the rows before it"
            .formatted(verdict.number(), verdict.merchantId());
  }

  /** Sets the name for this transaction only. */
  private static void tell(Connection connection, long done, long total) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local application_name = '" + NAME + done + "/" + total + "'");
    }
  }

  private static final Sql RUNNING =
      Sql.of(
          """
          select substr(application_name, :from) from pg_stat_activity
          where datname = current_database() and starts_with(application_name, :name) limit 1
          """);

  private static @Nullable Progress running(Connection connection) throws SQLException {
    return RUNNING
        .on(connection)
        .set("from", NAME.length() + 1)
        .set("name", NAME)
        .first(
            row -> {
              String[] parts = row.getString(1).split("/", 2);
              return new Progress(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
            });
  }

  private static final Sql LAST =
      Sql.of(
          """
          select at, actor, subject, details from (
            select number, at, actor, action, subject, details from audit
            where merchant_id = :chain order by number desc limit :limit
          ) newest
          where action = :action order by number desc limit 1
          """);

  private static @Nullable Last last(Connection connection) throws SQLException {
    return LAST.on(connection)
        .set("chain", Audit.SERVER)
        .set("limit", MAX_SEARCHED)
        .set("action", ACTION)
        .first(
            row ->
                new Last(
                    Sql.instant(row, "at"),
                    row.getString("actor"),
                    row.getString("subject").equals(INTACT),
                    row.getString("details")));
  }
}
