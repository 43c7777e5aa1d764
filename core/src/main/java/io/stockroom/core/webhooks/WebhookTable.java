package io.stockroom.core.webhooks;

import io.stockroom.core.access.Credentials;
import io.stockroom.core.changes.Cursor;
import io.stockroom.core.database.Sql;
import io.stockroom.core.webhooks.Webhook.DisabledReason;
import io.stockroom.core.webhooks.Webhook.State;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The statements that manage webhooks. */
final class WebhookTable {
  /** Changes a webhook; returns whether it was not so already. */
  interface Change {
    boolean apply(Connection connection, int merchantId, UUID webhookId) throws SQLException;
  }

  private static final String SELECT =
      """
      select w.*, h.log_id, h.last_change,
        case when w.previous_until > now() then w.previous_until end as rotates_until
      from webhook w join log_head h on h.merchant_id = w.merchant_id
      where w.merchant_id = :merchantId
      """;

  private static final Sql LIST = Sql.of(SELECT + "order by w.created_at, w.webhook_id");
  private static final Sql FIND = Sql.of(SELECT + "and w.webhook_id = :webhookId");
  private static final Sql LOCK =
      Sql.of(SELECT + "and w.webhook_id = :webhookId for no key update of w");

  private static final Sql COUNT =
      Sql.of("select count(*) from webhook where merchant_id = :merchantId");

  private static final Sql INSERT =
      Sql.of(
          """
          insert into webhook (merchant_id, webhook_id, url, kinds, secret, position)
          values (:merchantId, :webhookId, :url, :kinds, :secret, coalesce(
            (select last_change from log_head where merchant_id = :merchantId), 0))
          """);

  private static final Sql DELETE =
      Sql.of("delete from webhook where merchant_id = :merchantId and webhook_id = :webhookId");

  private static final Sql DISABLE =
      Sql.of(
          """
          update webhook set state = 'disabled', disabled_reason = 'request'
          where merchant_id = :merchantId and webhook_id = :webhookId and state <> 'disabled'
          """);

  /** Moves past changes that are no longer kept; the batch in delivery ends with them. */
  private static final Sql ENABLE =
      Sql.of(
          """
          update webhook w set state = 'active', disabled_reason = null, failing_since = null,
            attempts = 0, next_attempt_at = '-infinity', position = greatest(position, k.first - 1),
            batch_last = case when position >= k.first - 1 then batch_last end,
            message_id = case when position >= k.first - 1 then message_id end
          from (
            select coalesce(
              (select min(number) from change_log where merchant_id = :merchantId),
              (select last_change + 1 from log_head where merchant_id = :merchantId), 1) as first
          ) k
          where merchant_id = :merchantId and webhook_id = :webhookId and state <> 'active'
          """);

  private static final Sql REPLAY =
      Sql.of(
          """
          update webhook set position = :number, batch_last = null, message_id = null,
            attempts = 0, next_attempt_at = '-infinity'
          where merchant_id = :merchantId and webhook_id = :webhookId
          """);

  /** Takes the message id away from a batch in delivery: the next one is for the new address. */
  private static final Sql UPDATE =
      Sql.of(
          """
          update webhook set url = :url, kinds = :kinds, batch_last = null, message_id = null,
            attempts = 0, next_attempt_at = '-infinity', failing_since = null,
            state = case when state = 'failing' then 'active' else state end
          where merchant_id = :merchantId and webhook_id = :webhookId
            and (url <> :url or kinds <> :kinds::text[])
          """);

  private static final Sql ROTATE =
      Sql.of(
          """
          update webhook set previous_secret = secret, secret = :secret,
            previous_until = now() + :seconds * interval '1 second'
          where merchant_id = :merchantId and webhook_id = :webhookId
          """);

  private static final Sql NEXT_DELIVERY =
      Sql.of(
          """
          update webhook set deliveries = deliveries + 1
          where merchant_id = :merchantId and webhook_id = :webhookId returning deliveries
          """);

  private static final Sql LOCK_SECRETS =
      Sql.of(
          """
          select merchant_id, webhook_id, secret, previous_secret from webhook
          order by merchant_id, webhook_id for update
          """);

  private static final Sql RESEAL =
      Sql.of(
          """
          update webhook set secret = :secret, previous_secret = :previousSecret
          where merchant_id = :merchantId and webhook_id = :webhookId
          """);

  private record Sealed(int merchantId, UUID webhookId, byte[] secret, byte @Nullable [] previous) {
    private byte[] resealed(byte[] box, Credentials credentials) {
      String owner = Webhooks.owner(webhookId);
      return credentials.seal(credentials.open(box, owner), owner);
    }
  }

  /**
   * A webhook with its encrypted secrets.
   *
   * @param previousSecret null unless a rotation is under way
   */
  record Row(UUID webhookId, Webhook webhook, byte[] secret, byte @Nullable [] previousSecret) {
    List<String> secrets(Credentials credentials) {
      String owner = Webhooks.owner(webhookId);
      List<String> secrets = new ArrayList<>();
      secrets.add(credentials.open(secret, owner));
      if (previousSecret != null) {
        secrets.add(credentials.open(previousSecret, owner));
      }
      return secrets;
    }
  }

  private WebhookTable() {}

  static List<Row> list(Connection connection, int merchantId) throws SQLException {
    return LIST.on(connection).set("merchantId", merchantId).list(WebhookTable::read);
  }

  static @Nullable Row find(Connection connection, int merchantId, UUID webhookId)
      throws SQLException {
    return of(FIND, connection, merchantId, webhookId).first(WebhookTable::read);
  }

  /** Locks the webhook until the transaction ends. */
  static @Nullable Row lock(Connection connection, int merchantId, UUID webhookId)
      throws SQLException {
    return of(LOCK, connection, merchantId, webhookId).first(WebhookTable::read);
  }

  static int count(Connection connection, int merchantId) throws SQLException {
    return COUNT.on(connection).set("merchantId", merchantId).one(row -> row.getInt(1));
  }

  static void insert(
      Connection connection,
      int merchantId,
      UUID webhookId,
      URI url,
      List<String> kinds,
      byte[] secret)
      throws SQLException {
    of(INSERT, connection, merchantId, webhookId)
        .set("url", url.toString())
        .set("kinds", kinds.toArray(String[]::new))
        .set("secret", secret)
        .update();
  }

  static boolean delete(Connection connection, int merchantId, UUID webhookId) throws SQLException {
    return of(DELETE, connection, merchantId, webhookId).update() > 0;
  }

  static boolean disable(Connection connection, int merchantId, UUID webhookId)
      throws SQLException {
    return of(DISABLE, connection, merchantId, webhookId).update() > 0;
  }

  static boolean enable(Connection connection, int merchantId, UUID webhookId) throws SQLException {
    return of(ENABLE, connection, merchantId, webhookId).update() > 0;
  }

  /** Takes the message id away from a batch in delivery, so that it does not move the webhook. */
  static boolean replay(Connection connection, int merchantId, UUID webhookId, long number)
      throws SQLException {
    return of(REPLAY, connection, merchantId, webhookId).set("number", number).update() > 0;
  }

  static boolean update(
      Connection connection, int merchantId, UUID webhookId, URI url, List<String> kinds)
      throws SQLException {
    return of(UPDATE, connection, merchantId, webhookId)
            .set("url", url.toString())
            .set("kinds", kinds.toArray(String[]::new))
            .update()
        > 0;
  }

  static boolean rotate(
      Connection connection, int merchantId, UUID webhookId, byte[] secret, Duration both)
      throws SQLException {
    return of(ROTATE, connection, merchantId, webhookId)
            .set("secret", secret)
            .set("seconds", both.toSeconds())
            .update()
        > 0;
  }

  /** The number of the next row in the delivery log; null if there is no such webhook. */
  static @Nullable Long nextDelivery(Connection connection, int merchantId, UUID webhookId)
      throws SQLException {
    return of(NEXT_DELIVERY, connection, merchantId, webhookId)
        .first(row -> row.getLong("deliveries"));
  }

  static int reseal(Connection connection, Credentials credentials) throws SQLException {
    List<Sealed> all =
        LOCK_SECRETS
            .on(connection)
            .list(
                row ->
                    new Sealed(
                        row.getInt("merchant_id"),
                        row.getObject("webhook_id", UUID.class),
                        row.getBytes("secret"),
                        row.getBytes("previous_secret")));
    try (Sql.Batch batch = RESEAL.batch(connection)) {
      for (Sealed one : all) {
        batch
            .set("merchantId", one.merchantId)
            .set("webhookId", one.webhookId)
            .set("secret", one.resealed(one.secret, credentials))
            .set(
                "previousSecret",
                one.previous == null ? null : one.resealed(one.previous, credentials))
            .add();
      }
      batch.run();
    }
    return all.size();
  }

  private static Sql.Call of(Sql statement, Connection connection, int merchantId, UUID webhookId) {
    return statement.on(connection).set("merchantId", merchantId).set("webhookId", webhookId);
  }

  private static Row read(ResultSet row) throws SQLException {
    UUID webhookId = row.getObject("webhook_id", UUID.class);
    String reason = row.getString("disabled_reason");
    int attempts = row.getInt("attempts");
    State state = State.of(row.getString("state"));
    Instant rotatesUntil = Sql.instantOrNull(row, "rotates_until");
    long position = row.getLong("position");
    Webhook webhook =
        new Webhook(
            WebhookIds.webhook(webhookId),
            URI.create(row.getString("url")),
            Sql.texts(row, "kinds"),
            Sql.instant(row, "created_at"),
            state,
            Cursor.of(row.getObject("log_id", UUID.class), position).text(),
            row.getLong("last_change") - position,
            attempts,
            attempts == 0 || state == State.DISABLED
                ? null
                : Sql.instantOrNull(row, "next_attempt_at"),
            Sql.instantOrNull(row, "failing_since"),
            reason == null ? null : DisabledReason.of(reason),
            rotatesUntil);
    return new Row(
        webhookId,
        webhook,
        row.getBytes("secret"),
        rotatesUntil == null ? null : row.getBytes("previous_secret"));
  }
}
