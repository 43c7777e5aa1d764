package io.stockroom.core.webhooks;

import io.stockroom.core.access.Credentials;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.webhooks.Webhook.DisabledReason;
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

/**
 * Leases: a node claims a webhook that has changes to deliver, renews its lease while it delivers,
 * and only the holder of the lease can move the webhook on. The batch in delivery and its message
 * id are in the row, so the node that takes over sends exactly the same message again.
 */
final class WebhookQueue {
  private static final String LEASE = "interval '8 seconds'";

  /**
   * True, and the commit need not wait for the disk. If the database crashes and loses the commit,
   * the message is delivered again with the same id, which is stored durably before it is sent.
   */
  private static final String ASYNC = "set_config('synchronous_commit', 'off', true) = 'off'";

  private static final Actor SERVER = new Actor("server", "");

  /** A webhook that this node holds. */
  record Claim(int merchantId, UUID webhookId, UUID holder, boolean isRetry) {}

  /**
   * What to deliver next.
   *
   * @param secrets one, or two during a rotation
   * @param batchLast the last change of the batch whose delivery failed before; null for a new one
   * @param messageId the id of that batch; null for a new one
   * @param attempts how often it failed
   */
  record Work(
      URI url,
      List<String> kinds,
      List<String> secrets,
      long position,
      @Nullable Long batchLast,
      @Nullable UUID messageId,
      int attempts) {
    /** Keeps the secrets out of logs. */
    @Override
    public String toString() {
      return "Work[" + position + "]";
    }
  }

  /** The webhook that was claimed longest ago is next, and those that fail come last. */
  private static final Sql CLAIM =
      Sql.of(
          """
          update webhook w set holder = :holder, lease_until = now() + %s,
            claimed_at = clock_timestamp()
          from (
            select w.merchant_id, w.webhook_id from webhook w
            join log_head h on h.merchant_id = w.merchant_id
            where w.state <> 'disabled' and h.last_change > w.position
              and w.next_attempt_at <= :now and (w.lease_until is null or w.lease_until < now())
              and w.merchant_id <> all (:busy::int[]) and (:retries or w.attempts = 0)
              and w.merchant_id <> all (%s)
            order by w.attempts > 0, w.claimed_at nulls first
            limit 1 for no key update of w skip locked
          ) c
          where w.merchant_id = c.merchant_id and w.webhook_id = c.webhook_id and %s
          returning w.merchant_id, w.webhook_id, w.attempts
          """
              .formatted(LEASE, AbsentMerchants.ARRAY, ASYNC));

  private static final Sql HAS_ACTIVE =
      Sql.of("select 1 from webhook where state <> 'disabled' limit 1");

  private static final Sql RENEW =
      Sql.of(
          """
          update webhook set lease_until = now() + %s
          where merchant_id = any (:merchantIds::int[]) and holder = any (:holders::uuid[])
            and %s
          """
              .formatted(LEASE, ASYNC));

  private static final Sql LOAD =
      Sql.of(
          """
          select url, kinds, secret, case when previous_until > now() then previous_secret end
            as previous_secret, position, batch_last, message_id, attempts
          from webhook
          where merchant_id = :merchantId and webhook_id = :webhookId and holder = :holder
            and state <> 'disabled'
          """);

  private static final Sql BEGIN =
      Sql.of(
          """
          update webhook set batch_last = :last, message_id = :messageId
          where merchant_id = :merchantId and webhook_id = :webhookId and holder = :holder
            and position = :position and message_id is null
          """);

  private static final Sql SKIP =
      Sql.of(
          """
          update webhook set position = :last
          where merchant_id = :merchantId and webhook_id = :webhookId and holder = :holder
            and position = :position and message_id is null
          """);

  /** A replay has taken the message id away: then only the attempt is recorded. */
  private static final Sql SUCCEED =
      Sql.of(
          """
          update webhook w set deliveries = deliveries + 1,
            position = case when message_id = :messageId then batch_last else position end,
            batch_last = case when message_id = :messageId then null else batch_last end,
            message_id = nullif(message_id, :messageId),
            attempts = 0, next_attempt_at = '-infinity', failing_since = null,
            state = case when state = 'disabled' then state else 'active' end
          where merchant_id = :merchantId and webhook_id = :webhookId and holder = :holder
            and %s
          returning deliveries
          """
              .formatted(ASYNC));

  private static final Sql FAIL =
      Sql.of(
          """
          update webhook w set deliveries = deliveries + 1, attempts = attempts + 1,
            next_attempt_at = :nextAttemptAt,
            failing_since = coalesce(failing_since, :now),
            state = case when state = 'disabled' or n.reason is not null then 'disabled'
              else 'failing' end,
            disabled_reason = coalesce(disabled_reason, n.reason),
            holder = null, lease_until = null
          from (
            select o.merchant_id, o.webhook_id, o.disabled_reason as former,
              case when :gone then 'gone' when o.failing_since <= :oldest then 'failures' end
                as reason
            from webhook o where o.merchant_id = :merchantId and o.webhook_id = :webhookId
          ) n
          where w.merchant_id = :merchantId and w.webhook_id = :webhookId and w.holder = :holder
            and n.merchant_id = w.merchant_id and n.webhook_id = w.webhook_id
          returning w.deliveries, case when n.former is null then w.disabled_reason end as reason,
            w.url
          """);

  private static final Sql EXPIRE =
      Sql.of(
          """
          update webhook set state = 'disabled', disabled_reason = 'expired', holder = null,
            lease_until = null, batch_last = null, message_id = null
          where merchant_id = :merchantId and webhook_id = :webhookId and holder = :holder
            and state <> 'disabled'
          returning url
          """);

  private static final Sql RELEASE =
      Sql.of(
          """
          update webhook set holder = null, lease_until = null
          where merchant_id = :merchantId and webhook_id = :webhookId and holder = :holder
            and %s
          """
              .formatted(ASYNC));

  private final Cells cells;
  private final Credentials credentials;
  private final Audit audit;

  WebhookQueue(Cells cells, Credentials credentials, Audit audit) {
    this.cells = cells;
    this.credentials = credentials;
    this.audit = audit;
  }

  /**
   * Claims a webhook that has changes to deliver; null if there is none.
   *
   * @param busy merchants that get no further webhook now
   * @param retries whether a webhook may be claimed whose last delivery failed
   */
  @Nullable Claim claim(UUID holder, Instant now, List<Integer> busy, boolean retries)
      throws SQLException {
    return cells.first(database -> claim(database, holder, now, busy, retries));
  }

  private static @Nullable Claim claim(
      Database database, UUID holder, Instant now, List<Integer> busy, boolean retries)
      throws SQLException {
    return database.write(
        connection ->
            CLAIM
                .on(connection)
                .set("holder", holder)
                .set("now", now)
                .set("busy", busy.toArray(Integer[]::new))
                .set("retries", retries)
                .first(
                    row ->
                        new Claim(
                            row.getInt("merchant_id"),
                            row.getObject("webhook_id", UUID.class),
                            holder,
                            row.getInt("attempts") > 0)));
  }

  /** Whether any cell has a webhook that is not disabled. */
  boolean hasActive() throws SQLException {
    return cells.first(
            database ->
                database.read(connection -> HAS_ACTIVE.on(connection).first(row -> row.getInt(1))))
        != null;
  }

  void renew(List<Claim> claims) throws SQLException {
    UUID[] holders = claims.stream().map(Claim::holder).toArray(UUID[]::new);
    List<Integer> merchantIds = claims.stream().map(Claim::merchantId).distinct().toList();
    cells.each(
        merchantIds,
        (database, ofCell) ->
            database.write(
                connection ->
                    RENEW
                        .on(connection)
                        .set("merchantIds", ofCell.toArray(Integer[]::new))
                        .set("holders", holders)
                        .update()));
  }

  /** Null if the lease is lost, or the webhook was deleted or disabled. */
  @Nullable Work load(Claim claim) throws SQLException {
    return cells
        .of(claim.merchantId)
        .read(connection -> held(LOAD, connection, claim).first(row -> work(row, claim.webhookId)));
  }

  private Work work(ResultSet row, UUID webhookId) throws SQLException {
    String owner = Webhooks.owner(webhookId);
    List<String> secrets = new ArrayList<>();
    secrets.add(credentials.open(row.getBytes("secret"), owner));
    byte[] previous = row.getBytes("previous_secret");
    if (previous != null) {
      secrets.add(credentials.open(previous, owner));
    }
    return new Work(
        URI.create(row.getString("url")),
        Sql.texts(row, "kinds"),
        secrets,
        row.getLong("position"),
        row.getObject("batch_last", Long.class),
        row.getObject("message_id", UUID.class),
        row.getInt("attempts"));
  }

  /** Stores the batch and its id before it is sent; false if the webhook has moved meanwhile. */
  boolean begin(Claim claim, long position, long last, UUID messageId) throws SQLException {
    return cells
        .of(claim.merchantId)
        .write(
            connection ->
                held(BEGIN, connection, claim)
                        .set("position", position)
                        .set("last", last)
                        .set("messageId", messageId)
                        .update()
                    > 0);
  }

  /** Moves past changes that are not wanted. */
  void skip(Claim claim, long position, long last) throws SQLException {
    cells
        .of(claim.merchantId)
        .write(
            connection ->
                held(SKIP, connection, claim).set("position", position).set("last", last).update());
  }

  /** Moves past the delivered batch; returns false if the lease is lost. */
  boolean succeed(Claim claim, DeliveryLog.Attempt attempt) throws SQLException {
    return cells
        .of(claim.merchantId)
        .write(
            connection -> {
              Long number =
                  held(SUCCEED, connection, claim)
                      .set("messageId", attempt.messageId())
                      .first(row -> row.getLong("deliveries"));
              if (number != null) {
                DeliveryLog.add(connection, claim.merchantId, claim.webhookId, number, attempt);
              }
              return number != null;
            });
  }

  private record Failed(long number, @Nullable String reason, URI url) {}

  /** Ends the lease until the next attempt, or disables the webhook. */
  void fail(Claim claim, DeliveryLog.Attempt attempt, boolean gone, Instant now, Duration delay)
      throws SQLException {
    cells
        .of(claim.merchantId)
        .write(
            connection -> {
              Failed failed =
                  held(FAIL, connection, claim)
                      .set("now", now)
                      .set("nextAttemptAt", now.plus(delay))
                      .set("oldest", now.minus(RetrySchedule.MAX_FAILING))
                      .set("gone", gone)
                      .first(
                          row ->
                              new Failed(
                                  row.getLong("deliveries"),
                                  row.getString("reason"),
                                  URI.create(row.getString("url"))));
              if (failed == null) {
                return false;
              }
              DeliveryLog.add(
                  connection, claim.merchantId, claim.webhookId, failed.number, attempt);
              if (failed.reason != null) {
                auditDisabled(connection, claim, failed.url, failed.reason);
              }
              return true;
            });
  }

  /** Disables a webhook whose next change is no longer kept. */
  void expire(Claim claim) throws SQLException {
    cells
        .of(claim.merchantId)
        .write(
            connection -> {
              String url = held(EXPIRE, connection, claim).first(row -> row.getString("url"));
              if (url != null) {
                auditDisabled(connection, claim, URI.create(url), DisabledReason.EXPIRED.word());
              }
              return url != null;
            });
  }

  private void auditDisabled(Connection connection, Claim claim, URI url, String reason)
      throws SQLException {
    audit.add(
        connection,
        claim.merchantId,
        SERVER,
        "webhook.disable",
        WebhookIds.webhook(claim.webhookId),
        reason + ", " + Webhook.shown(url));
  }

  void release(Claim claim) throws SQLException {
    cells.of(claim.merchantId).write(connection -> held(RELEASE, connection, claim).update());
  }

  private static Sql.Call held(Sql statement, Connection connection, Claim claim) {
    return statement
        .on(connection)
        .set("merchantId", claim.merchantId)
        .set("webhookId", claim.webhookId)
        .set("holder", claim.holder);
  }
}
