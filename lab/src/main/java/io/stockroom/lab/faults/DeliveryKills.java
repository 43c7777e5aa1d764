package io.stockroom.lab.faults;

import io.stockroom.lab.Await;
import io.stockroom.lab.Server;
import java.time.Duration;
import java.util.List;

/**
 * {@code kill -9} of a node after a receiver has read its message and before it has answered. The
 * other node sends the same message again, and the receiver ends with every change once.
 */
final class DeliveryKills {
  /** The lease ends after 8 seconds; the rest is for a busy machine. */
  private static final Duration MAX_TAKEOVER = Duration.ofSeconds(60);

  private DeliveryKills() {}

  static void run(Stage stage, int rounds, Report report) {
    Rounds course = stage.rounds(report).clients(1);
    Merchant merchant = course.newMerchants().getFirst();
    course.stockUp();
    try (WebhookReceiver receiver = WebhookReceiver.start(_ -> WebhookReceiver.ACCEPTED)) {
      var _ = receiver.subscribe(stage.url(), merchant.credentials());
      StockCopy before = StockCopy.of(stage.postgres().sql(), merchant.id());
      receiver.copy().startFrom(before, lastChange(stage, merchant));
      for (int round = 0; round < rounds; round++) {
        List<Server> nodes = stage.nodes();
        round(nodes.get(round % 2), nodes.get(1 - round % 2), merchant, receiver, report);
        report.rounds(1);
      }
      long last = lastChange(stage, merchant);
      if (!Await.within(MAX_TAKEOVER, () -> receiver.copy().last() >= last)) {
        report.lost("the receiver stays at %d of %d".formatted(receiver.copy().last(), last));
      }
      StockCopy database = StockCopy.of(stage.postgres().sql(), merchant.id());
      receiver.copy().problems().forEach(report::fault);
      receiver.copy().differences(database).forEach(report::lost);
    }
    course.check();
    course.end();
  }

  private static long lastChange(Stage stage, Merchant merchant) {
    String sql = "select last_change from log_head where merchant_id = " + merchant.id();
    return stage.postgres().sql().number(sql);
  }

  /** The other node is suspended at first, so that it is known which one delivers. */
  private static void round(
      Server victim, Server other, Merchant merchant, WebhookReceiver receiver, Report report) {
    int before = receiver.messages().size();
    receiver.hold();
    other.freeze();
    try {
      var _ = merchant.send(victim.url(), merchant.next(Kind.CREATE));
      Await.until(MAX_TAKEOVER, "a delivery", () -> receiver.messages().size() > before);
    } finally {
      victim.kill();
      other.thaw();
    }
    long killed = System.nanoTime();
    receiver.release();
    if (!Await.within(MAX_TAKEOVER, () -> receiver.messages().size() > before + 1)) {
      report.lost("the other node did not deliver within " + MAX_TAKEOVER.toSeconds() + " s");
    } else {
      List<WebhookReceiver.Message> messages = receiver.messages();
      report.recovered((messages.get(before + 1).nanoTime() - killed) / 1e6);
      if (!messages.get(before).id().equals(messages.get(before + 1).id())) {
        report.fault("the message was sent again with another id");
      }
    }
    var _ = victim.start();
  }
}
