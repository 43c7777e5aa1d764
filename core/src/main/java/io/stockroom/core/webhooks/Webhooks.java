package io.stockroom.core.webhooks;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.changes.ChangeFeed;
import io.stockroom.core.changes.Cursor;
import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.webhooks.WebhookTable.Row;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of merchants: creates, shows and changes them, and delivers changes to them. Every
 * method that changes one adds an entry to the audit log.
 */
public final class Webhooks implements AutoCloseable {
  /** How many webhooks a merchant may have. */
  public static final int MAX_WEBHOOKS = 20;

  /** Instead of a cursor: the end of the log. */
  public static final String LATEST = "latest";

  /** How long deliveries are signed with both secrets after a rotation. */
  static final Duration ROTATION = Duration.ofHours(24);

  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");

  private static final String ID = "id";
  private static final String URL = "url";
  private static final String AFTER = "after";

  /** A webhook with a new secret, which is shown only once. */
  public record WithSecret(String id, String secret) {
    @Override
    public String toString() {
      return "WithSecret[" + id + "]";
    }
  }

  private final Cells cells;
  private final Credentials credentials;
  private final Audit audit;
  private final ChangeFeed feed;
  private final Clock clock;
  private final ReceiverHosts hosts;
  private final Courier courier;
  private final WebhookRunner runner;

  /** Starts to deliver. */
  public Webhooks(
      Cells cells,
      Credentials credentials,
      Audit audit,
      ChangeFeed feed,
      Clock clock,
      Settings settings,
      MeterRegistry meters) {
    this(
        cells,
        credentials,
        audit,
        feed,
        clock,
        new WebhookSender(new ReceiverHosts(InetAddress::getAllByName, allowsPrivate(settings))),
        meters);
  }

  /** A client of a sandbox that listens only on loopback already runs on this machine. */
  static boolean allowsPrivate(Settings settings) {
    return settings.get(Settings.WEBHOOKS_ALLOW_PRIVATE)
        || (settings.get(Settings.SANDBOX) && LOOPBACK.contains(settings.get(Settings.ADDRESS)));
  }

  Webhooks(
      Cells cells,
      Credentials credentials,
      Audit audit,
      ChangeFeed feed,
      Clock clock,
      WebhookSender sender,
      MeterRegistry meters) {
    this.cells = cells;
    this.credentials = credentials;
    this.audit = audit;
    this.feed = feed;
    this.clock = clock;
    this.hosts = sender.hosts();
    this.courier = new Courier(sender, clock, meters);
    this.runner =
        new WebhookRunner(
            new WebhookQueue(cells, credentials, audit), feed, courier, sender, clock);
    cells.afterChange(runner::changed);
  }

  /** What a secret is bound to. */
  static String owner(UUID webhookId) {
    return "webhook " + WebhookIds.webhook(webhookId);
  }

  /** Creates a webhook, which receives the changes from now on. */
  public WebhookResult<WithSecret> create(int merchantId, URI url, List<String> kinds, Actor actor)
      throws SQLException {
    Problem problem = problem(url);
    if (problem != null) {
      return new WebhookResult.Rejected<>(problem);
    }
    UUID webhookId = UUID.randomUUID();
    String id = WebhookIds.webhook(webhookId);
    String secret = WebhookSecret.create();
    WebhookResult<WithSecret> result =
        cells
            .of(merchantId)
            .write(
                connection -> {
                  AdvisoryLock.WEBHOOK_QUOTA.hold(connection, merchantId);
                  if (WebhookTable.count(connection, merchantId) >= MAX_WEBHOOKS) {
                    return WebhookResult.rejected("", ErrorCode.WEBHOOKS_TOO_MANY, MAX_WEBHOOKS);
                  }
                  credentials.holdKey(connection);
                  byte[] sealed = credentials.seal(secret, owner(webhookId));
                  WebhookTable.insert(connection, merchantId, webhookId, url, kinds, sealed);
                  String details = Webhook.shown(url) + ", " + String.join(" and ", kinds);
                  audit.add(connection, merchantId, actor, "webhook.create", id, details);
                  return WebhookResult.done(new WithSecret(id, secret));
                });
    runner.wake();
    return result;
  }

  /** Null if deliveries to this address are allowed. */
  @Nullable Problem problem(URI url) {
    try {
      var _ = hosts.resolve(url.getHost());
      return null;
    } catch (UnknownHostException notPublic) {
      return Problem.of(URL, ErrorCode.WEBHOOK_ADDRESS, url.getHost());
    }
  }

  /**
   * Changes the address or the kinds. The webhook keeps its secret and its position.
   *
   * @param url checked by {@link #problem}; null to keep the present one
   * @param kinds null to keep the present ones
   */
  WebhookResult<String> update(
      Connection connection,
      int merchantId,
      String id,
      @Nullable URI url,
      @Nullable List<String> kinds,
      Actor actor)
      throws SQLException {
    UUID webhookId = WebhookIds.parse(id);
    Row row = webhookId == null ? null : WebhookTable.lock(connection, merchantId, webhookId);
    if (webhookId == null || row == null) {
      return missing(id);
    }
    URI newUrl = url == null ? row.webhook().url() : url;
    List<String> newKinds = kinds == null ? row.webhook().kinds() : kinds;
    if (WebhookTable.update(connection, merchantId, webhookId, newUrl, newKinds)) {
      String details = Webhook.shown(newUrl) + ", " + String.join(" and ", newKinds);
      audit.add(connection, merchantId, actor, "webhook.update", id, details);
    }
    return WebhookResult.done(id);
  }

  /** Delivers at once what a change of a webhook made due. */
  void wake() {
    runner.wake();
  }

  /** The merchant's webhooks, the oldest first. */
  public List<Webhook> list(int merchantId) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                WebhookTable.list(connection, merchantId).stream().map(Row::webhook).toList());
  }

  /** Deletes a webhook and its deliveries. */
  public WebhookResult<String> delete(int merchantId, String id, Actor actor) throws SQLException {
    return change(merchantId, id, actor, "webhook.delete", WebhookTable::delete, "");
  }

  /** Stops deliveries until the webhook is enabled again. */
  public WebhookResult<String> disable(int merchantId, String id, Actor actor) throws SQLException {
    return change(merchantId, id, actor, "webhook.disable", WebhookTable::disable, "request");
  }

  /** Delivers again, at once, from where the webhook stopped, or from the oldest kept change. */
  public WebhookResult<String> enable(int merchantId, String id, Actor actor) throws SQLException {
    WebhookResult<String> result =
        change(merchantId, id, actor, "webhook.enable", WebhookTable::enable, "");
    runner.wake();
    return result;
  }

  /**
   * Delivers the changes after a cursor again.
   *
   * @param after a cursor, or {@link #LATEST} to skip all changes so far
   */
  public WebhookResult<String> replay(int merchantId, String id, String after, Actor actor)
      throws SQLException {
    Cursor cursor = Cursor.parse(after);
    if (cursor == null && !after.equals(LATEST)) {
      return WebhookResult.rejected(AFTER, ErrorCode.CURSOR_FORMAT, after);
    }
    ChangeFeed.Page log = feed.after(merchantId, 0, 0);
    long number = cursor == null ? log.lastChange() : cursor.number();
    if (cursor != null && !log.knows(cursor)) {
      return WebhookResult.rejected(AFTER, ErrorCode.CURSOR_FORMAT, after);
    }
    if (log.isExpired(number)) {
      return WebhookResult.rejected(AFTER, ErrorCode.CURSOR_EXPIRED, log.oldest());
    }
    WebhookResult<String> result =
        change(
            merchantId,
            id,
            actor,
            "webhook.replay",
            (connection, merchant, webhook) ->
                WebhookTable.replay(connection, merchant, webhook, number),
            "after change " + number);
    runner.wake();
    return result;
  }

  /** Gives the webhook a new secret; for 24 hours deliveries are signed with both. */
  public WebhookResult<WithSecret> rotate(int merchantId, String id, Actor actor)
      throws SQLException {
    UUID webhookId = WebhookIds.parse(id);
    if (webhookId == null) {
      return missing(id);
    }
    String secret = WebhookSecret.create();
    return cells
        .of(merchantId)
        .write(
            connection -> {
              credentials.holdKey(connection);
              byte[] sealed = credentials.seal(secret, owner(webhookId));
              if (!WebhookTable.rotate(connection, merchantId, webhookId, sealed, ROTATION)) {
                return missing(id);
              }
              audit.add(connection, merchantId, actor, "webhook.rotate", id, "");
              return WebhookResult.done(new WithSecret(id, secret));
            });
  }

  /** Sends a test message and waits for the receiver's answer, whatever the webhook's state. */
  public WebhookResult<String> test(int merchantId, String id, Actor actor) throws SQLException {
    UUID webhookId = WebhookIds.parse(id);
    Row row = webhookId == null ? null : find(merchantId, webhookId);
    if (webhookId == null || row == null) {
      return missing(id);
    }
    WebhookMessage message =
        new WebhookMessage(
            WebhookMessage.TEST,
            UUID.randomUUID(),
            clock.instant(),
            merchantId,
            row.webhook().cursor(),
            List.of());
    DeliveryLog.Attempt attempt =
        courier.send(row.webhook().url(), row.secrets(credentials), message, 1);
    cells
        .of(merchantId)
        .write(
            connection -> {
              Long number = WebhookTable.nextDelivery(connection, merchantId, webhookId);
              if (number != null) {
                DeliveryLog.add(connection, merchantId, webhookId, number, attempt);
                audit.add(connection, merchantId, actor, "webhook.test", id, tested(attempt));
              }
              return number != null;
            });
    DeliveryError error = attempt.outcome().error();
    return error == null
        ? WebhookResult.done(id)
        : WebhookResult.rejected(ID, ErrorCode.WEBHOOK_TEST_FAILED, id, reason(attempt, error));
  }

  private static String tested(DeliveryLog.Attempt attempt) {
    DeliveryError error = attempt.outcome().error();
    return error == null ? "delivered" : reason(attempt, error);
  }

  private static String reason(DeliveryLog.Attempt attempt, DeliveryError error) {
    return error == DeliveryError.STATUS ? attempt.outcome().detail() : error.sentence();
  }

  /** A page of the attempts to deliver, newest first. */
  public WebhookResult<Deliveries> deliveries(int merchantId, String id, int page)
      throws SQLException {
    UUID webhookId = WebhookIds.parse(id);
    if (webhookId == null || find(merchantId, webhookId) == null) {
      return missing(id);
    }
    return WebhookResult.done(
        cells
            .of(merchantId)
            .read(connection -> DeliveryLog.page(connection, merchantId, webhookId, page)));
  }

  private @Nullable Row find(int merchantId, UUID webhookId) throws SQLException {
    return cells
        .of(merchantId)
        .read(connection -> WebhookTable.find(connection, merchantId, webhookId));
  }

  /** Encrypts every secret of a cell again, with the newest key; returns how many there are. */
  public int reseal(Database cell) throws SQLException {
    return cell.write(
        connection -> {
          credentials.holdKeyAlone(connection);
          return WebhookTable.reseal(connection, credentials);
        });
  }

  /** Deletes some of the deliveries that are older than that many days. */
  public void deleteOld(int days) throws SQLException {
    DeliveryLog.deleteOld(cells, days);
  }

  private WebhookResult<String> change(
      int merchantId,
      String id,
      Actor actor,
      String action,
      WebhookTable.Change change,
      String details)
      throws SQLException {
    UUID webhookId = WebhookIds.parse(id);
    if (webhookId == null) {
      return missing(id);
    }
    return cells
        .of(merchantId)
        .write(
            connection -> {
              Row row = WebhookTable.lock(connection, merchantId, webhookId);
              if (row == null) {
                return missing(id);
              }
              if (change.apply(connection, merchantId, webhookId)) {
                String url = row.webhook().shownUrl();
                String text = details.isEmpty() ? url : details + ", " + url;
                audit.add(connection, merchantId, actor, action, id, text);
              }
              return WebhookResult.done(id);
            });
  }

  private static <T> WebhookResult<T> missing(String id) {
    return WebhookResult.rejected(ID, ErrorCode.WEBHOOK_MISSING, id);
  }

  @Override
  public void close() {
    runner.close();
  }
}
