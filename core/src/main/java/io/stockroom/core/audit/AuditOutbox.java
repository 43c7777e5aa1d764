package io.stockroom.core.audit;

import io.stockroom.core.database.AtCommit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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

  private static final Sql NEXT =
      Sql.of(
          """
          select entry_id, merchant_id, at, actor, action, subject, details, address
          from audit_outbox
          where :merchantId::int is null or merchant_id = :merchantId
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
      deliver(merchantId);
    } catch (SQLException | RuntimeException failure) {
      log.warn("entries of the audit log are delivered later: {}", failure.getMessage());
    }
  }

  /** Appends the pending entries of a merchant, or of all if it is null, in their order. */
  void deliver(@Nullable Integer merchantId) throws SQLException {
    Map<Integer, List<Pending>> pending =
        cells
            .directory()
            .read(
                connection ->
                    NEXT.on(connection)
                        .set("merchantId", merchantId)
                        .set("limit", MAX_AT_ONCE)
                        .list(Pending::read))
            .stream()
            .collect(Collectors.groupingBy(Pending::merchantId));
    cells.each(
        pending.keySet(),
        (database, merchantIds) -> {
          for (int each : merchantIds) {
            List<Pending> entries = pending.getOrDefault(each, List.of());
            database.write(connection -> append(connection, entries));
            UUID[] ids = entries.stream().map(Pending::id).toArray(UUID[]::new);
            cells.directory().write(connection -> DELETE.on(connection).set("ids", ids).update());
          }
        });
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
