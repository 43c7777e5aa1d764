package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.changes.ChangeFeed;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.webhooks.Webhook.DisabledReason;
import io.stockroom.core.webhooks.Webhook.State;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.WebhookReceiver;
import java.net.InetAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Deliveries by nodes whose clock and DNS the test controls, on a database of their own. */
class WebhookRunnerTest {
  private static final Actor ACTOR = new Actor("test", "127.0.0.1");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> BOTH = List.of("stock", "product");

  private static ScratchDatabase scratch;
  private static Database database;
  private static Credentials credentials;
  private static int merchants;

  private final SteppedClock clock = new SteppedClock();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final int merchant = merchant();

  /** Shows the real time and what the test added to it. */
  private static final class SteppedClock extends Clock {
    private volatile Duration added = Duration.ZERO;

    private void step(Duration duration) {
      added = added.plus(duration);
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(added);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @BeforeAll
  static void create() throws SQLException {
    scratch = new ScratchDatabase();
    database = new Database(scratch.address(), 6, new SimpleMeterRegistry());
    Migrations.run(database);
    String key = Base64.getUrlEncoder().encodeToString(new byte[32]);
    credentials =
        new Credentials(database, new SecretBox(() -> List.of(key)), Settings.with(Map.of()));
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

  @Test
  void sends200ChangesInAMessageAndTheNextAfterA2xx() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    receiver.hold();
    change(450);

    receiver.await(1);
    assertThat(receiver.all()).hasSize(1);
    receiver.resume();

    receiver.await(3);
    await(() -> webhook(node).pending() == 0);
    assertThat(receiver.all())
        .extracting(each -> each.numbers().size())
        .containsExactly(200, 200, 50);
    assertThat(receiver.numbers())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 450).boxed().toList());
    assertThat(receiver.all()).extracting(WebhookReceiver.Received::id).doesNotHaveDuplicates();
  }

  @Test
  void retriesTheSameMessageLaterAndLater() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    receiver.answer(500);
    change(2);
    receiver.await(1);
    awaitAttempts(node, 1);
    Webhook failing = webhook(node);
    change(1);

    clock.step(Duration.ofSeconds(6));
    receiver.await(2);
    awaitAttempts(node, 2);
    clock.step(Duration.ofMinutes(4));
    Instant next = Objects.requireNonNull(webhook(node).nextAttemptAt());
    assertThat(next).isAfter(clock.instant());
    clock.step(Duration.ofMinutes(2));
    receiver.await(3);
    awaitAttempts(node, 3);
    receiver.answer(200);
    clock.step(Duration.ofMinutes(34));
    receiver.await(5);
    await(() -> webhook(node).pending() == 0);

    assertThat(failing.state()).isEqualTo(State.FAILING);
    assertThat(failing.failingSince()).isNotNull();
    List<WebhookReceiver.Received> all = receiver.all();
    assertThat(all.subList(0, 4))
        .extracting(WebhookReceiver.Received::id)
        .containsOnly(all.getFirst().id());
    assertThat(all.subList(0, 4))
        .extracting(WebhookReceiver.Received::body)
        .containsOnly(all.getFirst().body());
    assertThat(all.get(3).numbers()).containsExactly(1L, 2L);
    assertThat(all.get(4).numbers()).containsExactly(3L);
    assertThat(all.get(4).id()).isNotEqualTo(all.getFirst().id());
    assertThat(webhook(node).state()).isEqualTo(State.ACTIVE);
    assertThat(webhook(node).failingSince()).isNull();
    assertThat(deliveries(node))
        .extracting(Deliveries.Delivery::attempt)
        .containsExactly(1, 4, 3, 2, 1);
  }

  @Test
  void givesUpAfterFiveDaysAndContinuesWhenEnabled() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    receiver.answer(503);
    change(1);
    Instant begin = clock.instant();
    while (webhook(node).state() != State.DISABLED) {
      int attempts = webhook(node).attempts();
      receiver.await(attempts + 1);
      awaitAttempts(node, attempts + 1);
      clock.step(Duration.ofHours(27));
    }

    assertThat(Duration.between(begin, clock.instant()))
        .isBetween(Duration.ofDays(5), Duration.ofDays(8));
    assertThat(webhook(node).disabledReason()).isEqualTo(DisabledReason.FAILURES);
    assertThat(audit()).contains("server webhook.disable failures, " + receiver.url());
    int sent = receiver.all().size();
    receiver.answer(200);
    clock.step(Duration.ofDays(2));
    node.enable(merchant, webhook(node).id(), ACTOR);
    receiver.await(sent + 1);
    await(() -> webhook(node).pending() == 0);
    assertThat(receiver.all().getLast().id()).isEqualTo(receiver.all().getFirst().id());
    assertThat(webhook(node).state()).isEqualTo(State.ACTIVE);
  }

  @Test
  void disablesAtOnceAfterA410() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    receiver.answer(410);
    change(1);

    await(() -> webhook(node).state() == State.DISABLED);

    assertThat(webhook(node).disabledReason()).isEqualTo(DisabledReason.GONE);
    assertThat(receiver.all()).hasSize(1);
    assertThat(audit()).contains("server webhook.disable gone, " + receiver.url());
  }

  @Test
  void disablesAWebhookWhoseNextChangeIsNoLongerKept() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    String id = webhook(node).id();
    node.disable(merchant, id, ACTOR);
    change(3);
    scratch.texts(
        "delete from change_log where merchant_id = %d and number < 3 returning 1"
            .formatted(merchant));
    scratch.texts(
        "update webhook set state = 'active', disabled_reason = null where merchant_id = %d returning 1"
            .formatted(merchant));
    await(() -> webhook(node).state() == State.DISABLED);
    Webhook expired = webhook(node);

    node.enable(merchant, id, ACTOR);

    receiver.await(1);
    assertThat(expired.disabledReason()).isEqualTo(DisabledReason.EXPIRED);
    assertThat(receiver.numbers()).containsExactly(3L);
  }

  @Test
  void rejectsAPrivateAddressAtCreationAndAtEveryDelivery() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Map<String, String> dns = new ConcurrentHashMap<>(Map.of("in.example", "10.0.0.7"));
    Webhooks node = node(host -> new InetAddress[] {InetAddress.ofLiteral(dns.get(host))}, false);
    URI url = URI.create("http://in.example:%d/".formatted(receiver.port()));

    WebhookResult<Webhooks.WithSecret> refused = node.create(merchant, url, BOTH, ACTOR);
    dns.put("in.example", "1.1.1.1");
    WebhookResult<Webhooks.WithSecret> created = node.create(merchant, url, BOTH, ACTOR);
    dns.put("in.example", "127.0.0.1");
    change(1);
    awaitAttempts(node, 1);

    assertThat(refused)
        .isInstanceOfSatisfying(
            WebhookResult.Rejected.class,
            rejected -> {
              assertThat(rejected.problem().code()).isEqualTo(ErrorCode.WEBHOOK_ADDRESS);
              assertThat(rejected.problem().at()).isEqualTo("url");
            });
    assertThat(created).isInstanceOf(WebhookResult.Done.class);
    assertThat(receiver.all()).isEmpty();
    assertThat(deliveries(node).getFirst().error()).isEqualTo("address");
    assertThat(deliveries(node).getFirst().detail()).contains("127.0.0.1");
  }

  @Test
  void anotherNodeContinuesWhenOneStops() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks first = node();
    create(first, receiver);
    receiver.hold();
    change(3);
    receiver.await(1);

    first.close();
    receiver.resume();
    Webhooks second = node();

    await(() -> webhook(second).pending() == 0);
    assertThat(Set.copyOf(receiver.numbers())).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(receiver.all())
        .extracting(WebhookReceiver.Received::id)
        .containsOnly(receiver.all().getFirst().id());
    assertThat(deliveries(second)).allMatch(Deliveries.Delivery::isSuccess);
  }

  /** As after kill -9: the lease is held, the batch is stored, nobody renews. */
  @Test
  void takesOverFromAKilledNodeWithTheSameMessage() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    String lost =
        """
        update webhook set holder = gen_random_uuid(), lease_until = now() + interval '%s',
          batch_last = 2, message_id = '00000000-0000-0000-0000-00000000abcd'
        where merchant_id = %d returning 1
        """;
    scratch.texts(lost.formatted("1 hour", merchant));
    change(3);
    assertThat(receiver.all()).isEmpty();

    scratch.texts(lost.formatted("1 second", merchant));

    receiver.await(2);
    assertThat(receiver.all().get(0).id()).isEqualTo("msg_" + "0".repeat(28) + "abcd");
    assertThat(receiver.all().get(0).numbers()).containsExactly(1L, 2L);
    assertThat(receiver.all().get(1).numbers()).containsExactly(3L);
  }

  @Test
  void twoNodesNeverDeliverToOneWebhookAtATime() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks first = node();
    Webhooks second = node();
    create(first, receiver);
    for (int i = 0; i < 50; i++) {
      change(1);
      (i % 2 == 0 ? first : second).wake();
    }

    await(() -> webhook(first).pending() == 0);
    assertThat(receiver.numbers())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
  }

  @Test
  void receiversThatHangDoNotHoldUpOthers() throws Exception {
    WebhookReceiver hangs = opened(new WebhookReceiver());
    WebhookReceiver works = opened(new WebhookReceiver());
    hangs.hold();
    Webhooks node = node();
    for (int i = 0; i < Webhooks.MAX_WEBHOOKS; i++) {
      create(node, hangs);
    }
    change(1);
    // one merchant gets a part of the threads
    hangs.await(16);
    int other = merchant();
    node.create(other, URI.create(works.url()), BOTH, ACTOR);

    change(other, 1);

    works.await(1);
    assertThat(hangs.all()).hasSize(16);
  }

  @Test
  void aReplayDuringADeliveryStartsOver() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    String start = webhook(node).cursor();
    receiver.hold();
    change(3);
    receiver.await(1);

    node.replay(merchant, webhook(node).id(), start, ACTOR);
    receiver.resume();

    receiver.await(2);
    await(() -> webhook(node).pending() == 0);
    assertThat(receiver.numbers()).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
    assertThat(receiver.all().get(1).id()).isNotEqualTo(receiver.all().get(0).id());
  }

  @Test
  void deletesOldDeliveries() throws Exception {
    WebhookReceiver receiver = opened(new WebhookReceiver());
    Webhooks node = node();
    create(node, receiver);
    node.test(merchant, webhook(node).id(), ACTOR);
    node.test(merchant, webhook(node).id(), ACTOR);
    scratch.texts(
        "update webhook_delivery set at = now() - interval '30 days' - interval '1 minute'"
            + " where number = 1 returning 1");
    scratch.texts(
        "update webhook_delivery set at = now() - interval '30 days' + interval '1 minute'"
            + " where number = 2 returning 1");

    node.deleteOld(30);

    assertThat(deliveries(node)).extracting(Deliveries.Delivery::number).containsExactly(2L);
  }

  private Webhooks node() throws Exception {
    return node(InetAddress::getAllByName, true);
  }

  private Webhooks node(ReceiverHosts.Lookup lookup, boolean allowPrivate) throws Exception {
    WebhookSender sender =
        new WebhookSender(
            new ReceiverHosts(lookup, allowPrivate), SSLContext.getDefault(), PATIENCE);
    return opened(
        new Webhooks(
            database,
            credentials,
            new Audit(database),
            new ChangeFeed(database),
            clock,
            sender,
            new SimpleMeterRegistry()));
  }

  private void create(Webhooks node, WebhookReceiver receiver) throws SQLException {
    assertThat(node.create(merchant, URI.create(receiver.url()), BOTH, ACTOR))
        .isInstanceOf(WebhookResult.Done.class);
  }

  private Webhook webhook(Webhooks node) {
    try {
      return node.list(merchant).getFirst();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Deliveries.Delivery> deliveries(Webhooks node) throws SQLException {
    return switch (node.deliveries(merchant, webhook(node).id(), 1)) {
      case WebhookResult.Done<Deliveries>(Deliveries page) -> page.deliveries();
      case WebhookResult.Rejected<Deliveries> rejected ->
          throw new IllegalStateException(rejected.toString());
    };
  }

  private List<String> audit() {
    return scratch.texts(
        "select actor || ' ' || action || ' ' || details from audit where merchant_id = "
            + merchant);
  }

  private void awaitAttempts(Webhooks node, int attempts) {
    await(() -> webhook(node).attempts() >= attempts);
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Eventually.within(PATIENCE, condition)).isTrue();
  }

  private static int merchant() {
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

  private void change(int count) {
    change(merchant, count);
  }

  private static void change(int merchantId, int count) {
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

  private <T extends AutoCloseable> T opened(T closeable) {
    open.add(closeable);
    return closeable;
  }
}
