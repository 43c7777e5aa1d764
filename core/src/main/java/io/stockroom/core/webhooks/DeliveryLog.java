package io.stockroom.core.webhooks;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Attempts to deliver, with what was sent and what came back. */
final class DeliveryLog {
  static final int PAGE = 20;

  /** Small, so that no other statement has to wait for the cleanup. */
  private static final int MAX_DELETED_AT_ONCE = 2000;

  /**
   * One attempt.
   *
   * @param type changes or test
   * @param attempt 1 for the first attempt to deliver the message
   * @param requestHeaders one line for each header
   * @param requestBody the beginning of the body
   */
  record Attempt(
      Instant at,
      String type,
      UUID messageId,
      int attempt,
      @Nullable Long firstChange,
      @Nullable Long lastChange,
      String requestHeaders,
      String requestBody,
      WebhookSender.Outcome outcome) {}

  private static final Sql ADD =
      Sql.of(
          """
          insert into webhook_delivery
            (merchant_id, webhook_id, number, at, type, message_id, attempt, first_change,
             last_change, status, error, detail, millis, request_headers, request_body,
             response_headers, response_body)
          values (:merchantId, :webhookId, :number, :at, :type, :messageId, :attempt, :firstChange,
            :lastChange, :status, :error, :detail, :millis, :requestHeaders, :requestBody,
            :responseHeaders, :responseBody)
          """);

  private static final Sql COUNT =
      Sql.of(
          """
          select count(*) from webhook_delivery
          where merchant_id = :merchantId and webhook_id = :webhookId
          """);

  private static final Sql LIST =
      Sql.of(
          """
          select * from webhook_delivery
          where merchant_id = :merchantId and webhook_id = :webhookId
          order by number desc limit :limit offset :offset
          """);

  private static final Sql DELETE_OLD =
      Sql.of(
          """
          delete from webhook_delivery where (merchant_id, webhook_id, number) in (
            select merchant_id, webhook_id, number from webhook_delivery
            where at < now() - :days * interval '1 day'
            order by at limit :limit
          )
          """);

  private DeliveryLog() {}

  static void add(
      Connection connection, int merchantId, UUID webhookId, long number, Attempt attempt)
      throws SQLException {
    WebhookSender.Outcome outcome = attempt.outcome;
    ADD.on(connection)
        .set("merchantId", merchantId)
        .set("webhookId", webhookId)
        .set("number", number)
        .set("at", attempt.at)
        .set("type", attempt.type)
        .set("messageId", attempt.messageId)
        .set("attempt", attempt.attempt)
        .set("firstChange", attempt.firstChange)
        .set("lastChange", attempt.lastChange)
        .set("status", outcome.status())
        .set("error", outcome.error() == null ? "" : outcome.error().word())
        .set("detail", outcome.detail())
        .set("millis", (int) outcome.took().toMillis())
        .set("requestHeaders", attempt.requestHeaders)
        .set("requestBody", attempt.requestBody)
        .set("responseHeaders", outcome.headers())
        .set("responseBody", outcome.body())
        .update();
  }

  /** A page of the attempts, newest first. */
  static Deliveries page(Connection connection, int merchantId, UUID webhookId, int page)
      throws SQLException {
    long total =
        COUNT
            .on(connection)
            .set("merchantId", merchantId)
            .set("webhookId", webhookId)
            .one(row -> row.getLong(1));
    List<Deliveries.Delivery> deliveries =
        LIST.on(connection)
            .set("merchantId", merchantId)
            .set("webhookId", webhookId)
            .set("limit", PAGE)
            .set("offset", (page - 1L) * PAGE)
            .list(DeliveryLog::read);
    return new Deliveries(page, (int) Math.ceilDiv(total, (long) PAGE), deliveries);
  }

  private static Deliveries.Delivery read(ResultSet row) throws SQLException {
    return new Deliveries.Delivery(
        row.getLong("number"),
        Sql.instant(row, "at"),
        row.getString("type"),
        WebhookIds.message(row.getObject("message_id", UUID.class)),
        row.getInt("attempt"),
        row.getObject("first_change", Long.class),
        row.getObject("last_change", Long.class),
        row.getObject("status", Integer.class),
        row.getString("error"),
        row.getString("detail"),
        row.getInt("millis"),
        new Deliveries.Message(row.getString("request_headers"), row.getString("request_body")),
        new Deliveries.Message(row.getString("response_headers"), row.getString("response_body")));
  }

  /** Deletes some of the attempts that are older than that many days; a later run deletes more. */
  static void deleteOld(Cells cells, int days) throws SQLException {
    cells.each(
        database ->
            database.write(
                connection ->
                    DELETE_OLD
                        .on(connection)
                        .set("days", days)
                        .set("limit", MAX_DELETED_AT_ONCE)
                        .update()));
  }
}
