package io.stockroom.lab.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * {@code kill -9} of a node after a receiver has read its message and before it has answered. The
 * other node sends the same message again, and the receiver ends with every change once.
 */
final class DeliveryKills {
  /** The lease ends after 8 seconds; the rest is for a busy machine. */
  private static final Duration MAX_TAKEOVER = Duration.ofSeconds(60);

  private DeliveryKills() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "delivery-database");
    List<Server> nodes =
        Server.startAll(List.of(node(laboratory, postgres), node(laboratory, postgres)));
    laboratory.spares().stopServers();
    Merchant merchant =
        Merchant.make(nodes.getFirst().operator(), laboratory.newFolder("journals"));
    try (WebhookReceiver receiver = WebhookReceiver.start()) {
      try (Connection connection = postgres.connect()) {
        merchant.stockUp(nodes.getFirst().operator(), connection);
      }
      receiver.subscribe(nodes.getFirst().url(), merchant.credentials().headers(Instant.now()));
      receiver.copy().startAfter(lastChange(postgres, merchant));
      for (int round = 0; round < rounds; round++) {
        round(nodes.get(round % 2), nodes.get(1 - round % 2), merchant, receiver, report);
        report.round();
      }
      long last = lastChange(postgres, merchant);
      if (!Await.within(MAX_TAKEOVER, () -> receiver.copy().last() >= last)) {
        report.lost("the receiver stays at %d of %d".formatted(receiver.copy().last(), last));
      }
      try (Connection connection = postgres.connect()) {
        Oracle.judge(merchant, Oracle.look(connection, merchant, report), report);
        StockCopy database = StockCopy.of(connection, merchant.id());
        receiver.copy().problems().forEach(report::fault);
        receiver.copy().differences(database).forEach(report::lost);
      }
    }
    merchant.close();
    Server.leaveAll(nodes);
    postgres.leave();
  }

  private static Server node(Laboratory laboratory, Postgres postgres) {
    return Server.outside(laboratory, "delivery", postgres.url());
  }

  private static long lastChange(Postgres postgres, Merchant merchant) throws SQLException {
    return Long.parseLong(
        postgres.text("select last_change from log_head where merchant_id = " + merchant.id()));
  }

  /** The other node is suspended at first, so that it is known which one delivers. */
  private static void round(
      Server victim, Server other, Merchant merchant, WebhookReceiver receiver, Report report) {
    int before = receiver.messages().size();
    receiver.hold();
    other.freeze();
    try {
      Intent create = merchant.next(Kind.CREATE);
      boolean isDone =
          merchant.send(victim.url(), create).outcome(create.kind()) == Outcome.ACKNOWLEDGED;
      report.counted(isDone ? 1 : 0, isDone ? 0 : 1);
      Await.until(MAX_TAKEOVER, "a delivery", () -> receiver.messages().size() > before);
    } finally {
      victim.kill(() -> {});
      other.thaw();
    }
    long killed = System.nanoTime();
    receiver.release();
    if (!Await.within(MAX_TAKEOVER, () -> receiver.messages().size() > before + 1)) {
      report.lost("the other node did not deliver within " + MAX_TAKEOVER.toSeconds() + " s");
    } else {
      List<WebhookReceiver.Message> messages = receiver.messages();
      report.recovered((messages.get(before + 1).nanoTime() - killed) / 1_000_000);
      if (!messages.get(before).id().equals(messages.get(before + 1).id())) {
        report.fault("the message was sent again with another id");
      }
    }
    victim.start();
  }
}
