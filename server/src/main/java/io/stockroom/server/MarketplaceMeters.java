package io.stockroom.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Metrics of what waits in the databases, for all nodes together: mails, moves and webhooks, and
 * the age of the last backup.
 */
final class MarketplaceMeters {
  private static final List<String> WEBHOOK_STATES = List.of("active", "failing", "disabled");

  private static final Sql DIRECTORY =
      Sql.of(
          """
          select
            (select coalesce(extract(epoch from now() - min(created_at)), 0)
              from mail where state = 'waiting') as mail_age,
            (select count(*) from mail
              where state = 'failed' and ended_at > now() - interval '1 day') as mails_failed,
            (select coalesce(extract(epoch from
                now() - coalesce(min(announced_at), min(created_at))), 0)
              from merchant_move where ended_at is null) as move_age
          """);

  /** What the command writes into the server's audit log; a backup of one cell names the cell. */
  private static final Sql BACKUP =
      Sql.of(
          """
          select coalesce(extract(epoch from max(at)), 0) as backup from audit
          where merchant_id = :server and action = 'server.backup' and details like 'sha256 %'
          """);

  /** A merchant that disables a webhook has no trouble with it. */
  private static final Sql WEBHOOKS =
      Sql.of(
          """
          select state, count(*) as webhooks from webhook
          where disabled_reason is distinct from 'request' group by state
          """);

  private record Values(double mailAge, double mailsFailed, double moveAge) {}

  private final Cells cells;
  private volatile Values values = new Values(0, 0, 0);
  private volatile double backup;
  private volatile Map<String, Integer> webhooks = Map.of();

  MarketplaceMeters(Cells cells, MeterRegistry meters) {
    this.cells = cells;
    Gauge.builder("stockroom.mail.age", () -> values.mailAge)
        .description("Age of the oldest mail that waits to be sent")
        .baseUnit("seconds")
        .register(meters);
    Gauge.builder("stockroom.mails.failed", () -> values.mailsFailed)
        .description("Mails of the last day that could not be sent")
        .register(meters);
    Gauge.builder("stockroom.move.age", () -> values.moveAge)
        .description("How long ago the oldest running move of a merchant began, or should have")
        .baseUnit("seconds")
        .register(meters);
    Gauge.builder("stockroom.backup.last.success", () -> backup)
        .description("When the last backup of everything was made, as Unix time; 0 if never")
        .baseUnit("seconds")
        .register(meters);
    for (String state : WEBHOOK_STATES) {
      Gauge.builder("stockroom.webhooks", () -> webhooks.getOrDefault(state, 0))
          .description("Webhooks that are not disabled by request")
          .tag("state", state)
          .register(meters);
    }
  }

  /** Reads the values of all metrics. */
  void refresh() throws SQLException {
    values =
        cells
            .directory()
            .read(
                connection ->
                    DIRECTORY
                        .on(connection)
                        .one(
                            row ->
                                new Values(
                                    row.getDouble("mail_age"),
                                    row.getDouble("mails_failed"),
                                    row.getDouble("move_age"))));
    backup =
        cells
            .of(Audit.SERVER)
            .read(
                connection ->
                    BACKUP
                        .on(connection)
                        .set("server", Audit.SERVER)
                        .one(row -> row.getDouble("backup")));
    Map<String, Integer> counted = new HashMap<>();
    cells
        .list(
            connection ->
                WEBHOOKS
                    .on(connection)
                    .list(row -> Map.entry(row.getString("state"), row.getInt("webhooks"))))
        .forEach(each -> counted.merge(each.getKey(), each.getValue(), Integer::sum));
    webhooks = counted;
  }
}
