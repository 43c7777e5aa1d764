package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.changes.ChangeFeed;
import io.stockroom.core.database.AtCommit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.WebhookReceiver;
import java.net.InetAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Nodes whose clock and DNS the test controls, on a database of their own. */
abstract class WebhookNodeFixture {
  static final Actor ACTOR = new Actor("test", "127.0.0.1");
  static final Duration PATIENCE = Duration.ofSeconds(30);
  static final List<String> BOTH = List.of("stock", "product");

  static ScratchDatabase scratch;
  private static Database database;
  private static Credentials credentials;
  private static int merchants;

  final SteppedClock clock = new SteppedClock();
  private final List<AutoCloseable> open = new ArrayList<>();
  final int merchant = merchant();

  @BeforeAll
  static void create() throws SQLException {
    scratch = new ScratchDatabase();
    database = new Database(scratch.address(), 6, new SimpleMeterRegistry());
    Migrations.run(database);
    String key = Base64.getUrlEncoder().encodeToString(new byte[32]);
    credentials =
        new Credentials(
            Cells.single(database), new SecretBox(() -> List.of(key)), Settings.with(Map.of()));
  }

  @AfterAll
  static void drop() {
    database.close();
    scratch.close();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    scratch.texts("delete from webhook returning 1");
  }

  Webhooks node() throws Exception {
    return node(InetAddress::getAllByName, true);
  }

  Webhooks node(ReceiverHosts.Lookup lookup, boolean allowPrivate) throws Exception {
    WebhookSender sender =
        new WebhookSender(
            new ReceiverHosts(lookup, allowPrivate), SSLContext.getDefault(), PATIENCE);
    return opened(
        new Webhooks(
            Cells.single(database),
            credentials,
            new Audit(Cells.single(database)),
            new ChangeFeed(Cells.single(database)),
            clock,
            sender,
            new SimpleMeterRegistry()));
  }

  static WebhookQueue queue() {
    Cells cells = Cells.single(database);
    return new WebhookQueue(cells, credentials, new Audit(cells));
  }

  /** Tells all nodes that a transaction changed the merchant. */
  void announce() throws SQLException {
    database.write(
        connection -> {
          AtCommit.announce(connection, merchant);
          return merchant;
        });
  }

  void create(Webhooks node, WebhookReceiver receiver) throws SQLException {
    assertThat(node.create(merchant, URI.create(receiver.url()), BOTH, ACTOR))
        .isInstanceOf(WebhookResult.Done.class);
  }

  Webhook webhook(Webhooks node) {
    try {
      return node.list(merchant).getFirst();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  List<Deliveries.Delivery> deliveries(Webhooks node) throws SQLException {
    return switch (node.deliveries(merchant, webhook(node).id(), 1)) {
      case WebhookResult.Done<Deliveries>(Deliveries page) -> page.deliveries();
      case WebhookResult.Rejected<Deliveries> rejected ->
          throw new IllegalStateException(rejected.toString());
    };
  }

  List<String> audit() {
    return scratch.texts(
        "select actor || ' ' || action || ' ' || details from audit where merchant_id = "
            + merchant);
  }

  void awaitAttempts(Webhooks node, int attempts) {
    await(() -> webhook(node).attempts() >= attempts);
  }

  static void await(BooleanSupplier condition) {
    assertThat(Eventually.within(PATIENCE, condition)).isTrue();
  }

  static int merchant() {
    int merchantId = ++merchants;
    scratch.texts(
        """
        with m as (
          insert into merchant_data (merchant_id, store_url, store_name) values (%1$d, 's', 's')
        ), p as (
          insert into product (merchant_id, product_id, number, art_no, pic)
          values (%1$d, %1$d, 0, 'A1', '')
        )
        insert into log_head (merchant_id) values (%1$d) returning 1
        """
            .formatted(merchantId));
    return merchantId;
  }

  void change(int count) {
    change(merchant, count);
  }

  static void change(int merchantId, int count) {
    scratch.texts(
        """
        with h as (
          update log_head set last_change = last_change + %2$d where merchant_id = %1$d
          returning last_change - %2$d as before
        )
        insert into change_log (merchant_id, number, at, batch, source, product_id, kind, created,
          fields)
        select %1$d, h.before + n, now(), 1, 'import', %1$d, 'product', false, array['title']
        from h, generate_series(1, %2$d) n returning 1
        """
            .formatted(merchantId, count));
  }

  <T extends AutoCloseable> T opened(T closeable) {
    open.add(closeable);
    return closeable;
  }
}
