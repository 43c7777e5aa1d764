package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.stockroom.client.Change;
import io.stockroom.client.ChangeKind;
import io.stockroom.client.ChangeStream;
import io.stockroom.client.NotFoundException;
import io.stockroom.client.RejectedException;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.client.Webhook;
import io.stockroom.client.WebhookCredentials;
import io.stockroom.client.WebhookDelivery;
import io.stockroom.client.WebhookEndpoints;
import io.stockroom.client.WebhookMessage;
import io.stockroom.client.WebhookVerificationException;
import io.stockroom.client.Webhooks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Webhooks of the SDK against a real server, with a receiver that uses {@link Webhooks#verify}. */
class SdkWebhooksTest {
  private record Received(Map<String, String> headers, byte[] body) {
    WebhookMessage verified(String... secrets) {
      return Webhooks.verify(headers::get, body, secrets);
    }
  }

  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final TestMerchant merchant = SharedServer.get().merchant("Webhooks");
  private HttpServer receiver;
  private volatile int status = 204;

  @BeforeEach
  void listen() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    receiver.createContext("/", this::handle);
    receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    received.add(new Received(headers, exchange.getRequestBody().readAllBytes()));
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private String url() {
    return "http://127.0.0.1:%d/changes".formatted(receiver.getAddress().getPort());
  }

  private Received next() throws InterruptedException {
    Received next = received.poll(30, TimeUnit.SECONDS);
    assertThat(next).as("a message").isNotNull();
    return next;
  }

  @Test
  void deliversTheChangesThatTheStreamHas() throws Exception {
    int pid = merchant.addProduct();
    try (StockroomClient client = merchant.client();
        ChangeStream stream = client.changes(client.latestCursor())) {
      WebhookEndpoints webhooks = client.webhooks();
      WebhookCredentials created = webhooks.create(url(), List.of(ChangeKind.STOCK));
      merchant.addStock(pid, "red", "36-37", 5);

      WebhookMessage message = next().verified(created.secret());

      List<Change> changes = stream.poll(Duration.ZERO).orElseThrow().changes();
      assertThat(message.type()).isEqualTo("changes");
      assertThat(message.merchantId()).isEqualTo(merchant.id());
      assertThat(message.changes()).isEqualTo(changes).hasSize(1);
      assertThat(message.cursor()).isEqualTo(client.latestCursor());
      assertThat(webhooks.list())
          .singleElement()
          .extracting(Webhook::id, Webhook::url, Webhook::kinds)
          .containsExactly(created.id(), url(), List.of("stock"));
      webhooks.delete(created.id());
      assertThat(webhooks.list()).isEmpty();
    }
  }

  @Test
  void testsRotatesReplaysDisablesAndEnables() throws Exception {
    int pid = merchant.addProduct();
    try (StockroomClient client = merchant.client()) {
      WebhookEndpoints webhooks = client.webhooks();
      String start = client.latestCursor();
      WebhookCredentials created = webhooks.create(url());
      String id = created.id();

      webhooks.test(id);
      assertThat(next().verified(created.secret()).type()).isEqualTo("test");

      WebhookCredentials rotated = webhooks.rotate(id);
      assertThat(rotated.id()).isEqualTo(id);
      merchant.addStock(pid, "red", "36", 5);
      Received both = next();
      assertThat(both.verified(created.secret())).isEqualTo(both.verified(rotated.secret()));
      assertThatThrownBy(() -> both.verified("whsec_" + "QUFB".repeat(11)))
          .isInstanceOf(WebhookVerificationException.class);

      webhooks.disable(id);
      assertThat(webhooks.list().getFirst().disabledReason()).isEqualTo("request");
      merchant.addStock(pid, "red", "37", 5);
      webhooks.enable(id);
      WebhookMessage later = next().verified(rotated.secret());
      assertThat(later.changes()).extracting(Change::number).containsExactly(3L);

      webhooks.replay(id, start);
      WebhookMessage replayed = next().verified(rotated.secret());
      assertThat(replayed.changes()).extracting(Change::number).containsExactly(2L, 3L);
      assertThat(replayed.id()).isNotEqualTo(later.id());

      status = 500;
      assertThatThrownBy(() -> webhooks.test(id)).isInstanceOf(RejectedException.class);
      assertThat(webhooks.deliveries(id))
          .filteredOn(delivery -> delivery.type().equals("test"))
          .first()
          .extracting(WebhookDelivery::status, WebhookDelivery::succeeded)
          .containsExactly(500, false);
      webhooks.delete(id);
      assertThatThrownBy(() -> webhooks.test(id))
          .isInstanceOfAny(RejectedException.class, NotFoundException.class)
          .extracting(failure -> ((StockroomException) failure).code())
          .hasToString("WEBHOOK_MISSING");
    }
  }
}
