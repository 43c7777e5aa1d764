package io.stockroom.core.audit;

import io.stockroom.core.database.AtCommit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries about changes of the directory, on their way to the audit logs in the cells. An entry is
 * stored in the transaction that it tells of, appended to its chain right after the commit, and
 * then deleted. The cell remembers its id, so an entry that is delivered again is not added again.
 */
final class AuditOutbox {
  private static final Logger log = LoggerFactory.getLogger(AuditOutbox.class);
  private static final int MAX_AT_ONCE = 500;

  private record Pending(
      UUID id,
      int merchantId,
      Instant at,
      Actor actor,
      String action,
      String subject,
      String details) {
    private static Pending read(ResultSet row) throws SQLException {
      return new Pending(
          row.getObject("entry_id", UUID.class),
          row.getInt("merchant_id"),
          Sql.instant(row, "at"),
          new Actor(row.getString("actor"), row.getString("address")),
          row.getString("action"),
          row.getString("subject"),
          row.getString("details"));
    }
  }

  private static final Sql ADD =
      Sql.of(
          """
          insert into audit_outbox (merchant_id, actor, action, subject, details, address)
          values (:merchantId, :actor, :action, :subject, :details, :address)
          """);

  private static final Sql WAITING =
      Sql.of("select merchant_id, min(at) as since from audit_outbox group by merchant_id");

  private static final Sql NEXT =
      Sql.of(
          """
          select entry_id, merchant_id, at, actor, action, subject, details, address
          from audit_outbox where merchant_id = any (:merchantIds::int[])
          order by number limit :limit
          """);

  private static final Sql DELETE = Sql.of("delete from audit_outbox where entry_id = any (:ids)");

  private static final Sql RECEIVE =
      Sql.of(
          """
          insert into audit_received (merchant_id, entry_id) values (:merchantId, :id)
          on conflict do nothing
          """);

  private static final Sql FORGET =
      Sql.of("delete from audit_received where at < now() - interval '30 days'");

  private final Cells cells;
  private final Audit audit;
  private volatile @Nullable Instant oldest;

  AuditOutbox(Cells cells, Audit audit) {
    this.cells = cells;
    this.audit = audit;
  }

  void add(
      Connection connection,
      int merchantId,
      Actor actor,
      String action,
      String subject,
      String details)
      throws SQLException {
    ADD.on(connection)
        .set("merchantId", merchantId)
        .set("actor", actor.name())
        .set("action", action)
        .set("subject", subject)
        .set("details", details)
        .set("address", actor.address())
        .update();
    AtCommit.run(connection, () -> deliverSoon(merchantId));
  }

  private void deliverSoon(int merchantId) {
    try {
      deliver(List.of(merchantId));
    } catch (SQLException | RuntimeException failure) {
      log.warn("entries of the audit log are delivered later: {}", failure.getMessage());
    }
  }

  /** Appends all pending entries whose cells can be used. */
  void deliverAll() throws SQLException {
    Map<Integer, Instant> waiting = new HashMap<>();
    cells
        .directory()
        .read(
            connection -> {
              WAITING
                  .on(connection)
                  .forEach(
                      row -> waiting.put(row.getInt("merchant_id"), Sql.instant(row, "since")));
              return waiting;
            });
    oldest = waiting.values().stream().min(Comparator.naturalOrder()).orElse(null);
    deliver(waiting.keySet());
  }

  /** The age of the oldest entry that {@link #deliverAll} found. */
  Duration age(Instant now) {
    Instant since = oldest;
    return since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
  }

  /**
   * Appends the pending entries of these merchants, in their order; a cell that fails keeps none.
   */
  private void deliver(Collection<Integer> merchantIds) throws SQLException {
    cells.each(
        merchantIds,
        (database, ofCell) -> {
          int delivered;
          do {
            delivered = deliverSome(database, ofCell);
          } while (delivered == MAX_AT_ONCE);
        });
  }

  private int deliverSome(Database cell, List<Integer> merchantIds) throws SQLException {
    List<Pending> pending =
        cells
            .directory()
            .read(
                connection ->
                    NEXT.on(connection)
                        .set("merchantIds", merchantIds.toArray(Integer[]::new))
                        .set("limit", MAX_AT_ONCE)
                        .list(Pending::read));
    // a transaction holds one chain at a time
    for (List<Pending> entries :
        pending.stream().collect(Collectors.groupingBy(Pending::merchantId)).values()) {
      cell.write(connection -> append(connection, entries));
      UUID[] ids = entries.stream().map(Pending::id).toArray(UUID[]::new);
      cells.directory().write(connection -> DELETE.on(connection).set("ids", ids).update());
    }
    return pending.size();
  }

  private int append(Connection connection, List<Pending> entries) throws SQLException {
    for (Pending entry : entries) {
      boolean isNew =
          RECEIVE.on(connection).set("merchantId", entry.merchantId).set("id", entry.id).update()
              > 0;
      if (isNew) {
        audit.add(
            connection,
            entry.merchantId,
            entry.at,
            entry.actor,
            entry.action,
            entry.subject,
            entry.details);
      }
    }
    return entries.size();
  }

  /** Forgets ids that were deleted from the directory long ago. */
  void forgetOld() throws SQLException {
    cells.each(database -> database.write(connection -> FORGET.on(connection).update()));
  }
}
