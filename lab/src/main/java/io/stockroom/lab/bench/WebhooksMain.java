package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.stockroom.lab.bench.Marketplace.Account;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Implements {@code lab/webhooks}: how long after its commit a change arrives at a receiver. */
@Command(
    name = "lab/webhooks",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Changes the stock of several merchants at an even rate. Each has a webhook, whose receiver"
          + " notes when each change arrives.",
      "Prints the time from the commit (the change's \"at\") until the message was received."
    },
    footer = {"Example:", "  lab/webhooks --rate 200 --seconds 30"})
final class WebhooksMain extends Trial {
  private static final int MAX_WARM_UPS = 5;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  @Option(names = "--rate", paramLabel = "N", description = "Changes per second (default: 200).")
  int rate = 200;

  @Option(names = "--seconds", paramLabel = "N", description = "How long (default: 30).")
  int seconds = 30;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds before the measurement (default: 20).")
  int warmUp = 20;

  @Option(
      names = "--webhooks",
      paramLabel = "N",
      description = "Merchants, each with a webhook (default: 10).")
  int webhooks = 10;

  private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
  private final AtomicInteger received = new AtomicInteger();
  private volatile Instant measuredFrom = Instant.MAX;

  public static void main(String[] arguments) {
    main("lab/webhooks", new WebhooksMain(), arguments);
  }

  @Override
  void check() {
    if (rate < 1 || seconds < 1 || webhooks < 1 || webhooks > merchants()) {
      throw new BenchException(
          "--rate, --seconds and --webhooks (up to %d) must be at least 1.".formatted(merchants()));
    }
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests)
      throws IOException, InterruptedException, SQLException {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    List<Account> accounts = requests.market().accounts().subList(1, 1 + webhooks);
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      // of an earlier run with the same data
      var _ = statement.execute("delete from webhook_delivery");
      var _ = statement.execute("delete from webhook");
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      receiver.setExecutor(threads);
      receiver.createContext(
          "/",
          exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            Instant now = Instant.now();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            note(JsonMapper.shared().readTree(body), now);
          });
      receiver.start();
      String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook";
      for (Account account : accounts) {
        subscribe(server, requests, account, url);
      }
      List<Integer> products = products(server, accounts);
      Bench.say("Warming up …");
      // while the JVM compiles, the server is slower than the rate, and sheds what it cannot do
      for (int i = 0; i < MAX_WARM_UPS; i++) {
        if (change(server, requests, accounts, products, warmUp, threads) == rate * warmUp) {
          break;
        }
      }
      Bench.say("Measuring …");
      measuredFrom = Instant.now();
      int sent = change(server, requests, accounts, products, seconds, threads);
      print(sent);
    } finally {
      receiver.stop(0);
    }
  }

  /** Notes the delay of each change; the server's database has the same clock. */
  private void note(JsonNode message, Instant now) {
    for (JsonNode change : message.at("/data/changes")) {
      Instant at = Instant.parse(change.get("at").asString());
      if (!at.isBefore(measuredFrom)) {
        millis.add(Duration.between(at, now).toNanos() / 1e6);
      }
      received.incrementAndGet();
    }
  }

  private static void subscribe(
      ServerUnderTest server, Requests requests, Account account, String url) throws IOException {
    try (HttpConnection http = new HttpConnection(server.port())) {
      String body = "{\"url\":\"%s\"}".formatted(url);
      if (!http.send(requests.json(account, "/Webhook/Create", body))) {
        throw new BenchException("No webhook: " + http.answer());
      }
    }
  }

  /** A product of each merchant. */
  private static List<Integer> products(ServerUnderTest server, List<Account> accounts)
      throws IOException, SQLException {
    List<Integer> products = new ArrayList<>();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      for (Account account : accounts) {
        String sql = "select min(product_id) from product where merchant_id = ";
        try (ResultSet row = statement.executeQuery(sql + account.merchantId())) {
          row.next();
          products.add(row.getInt(1));
        }
      }
    }
    return products;
  }

  /** Sends changes at an even rate, and waits until all have arrived; returns how many. */
  private int change(
      ServerUnderTest server,
      Requests requests,
      List<Account> accounts,
      List<Integer> products,
      int duration,
      ExecutorService threads)
      throws IOException {
    int count = rate * duration;
    int before = received.get();
    Queue<HttpConnection> idle = new ConcurrentLinkedQueue<>();
    AtomicInteger failed = new AtomicInteger();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + i * TimeUnit.SECONDS.toNanos(1) / rate;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      int merchant = i % accounts.size();
      byte[] request = requests.setStock(accounts.get(merchant), products.get(merchant));
      var _ = threads.submit(() -> send(server, request, idle, failed));
    }
    long end = System.nanoTime() + MAX_WAIT.toNanos();
    while (received.get() - before + failed.get() < count && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    for (HttpConnection http : idle) {
      http.close();
    }
    if (failed.get() > 0) {
      Bench.say("%d of %d changes were rejected.".formatted(failed.get(), count));
    }
    if (received.get() - before + failed.get() < count) {
      throw new BenchException(
          "Only %d of %d changes arrived.".formatted(received.get() - before, count));
    }
    return count - failed.get();
  }

  private static void send(
      ServerUnderTest server, byte[] request, Queue<HttpConnection> idle, AtomicInteger failed) {
    HttpConnection http = idle.poll();
    try {
      http = http == null ? new HttpConnection(server.port()) : http;
      if (!http.send(request) && failed.incrementAndGet() == 1) {
        Bench.say("Rejected: " + http.answer());
      }
      idle.add(http);
    } catch (IOException broken) {
      failed.incrementAndGet();
    }
  }

  private void print(int sent) {
    if (millis.isEmpty()) {
      throw new BenchException("No change arrived.");
    }
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    System.out.printf(
        Locale.ROOT,
        "%,d changes at %d/s, %d webhooks: %,d received; commit to received p50 %.0f ms,"
            + " p99 %.0f ms, max %.0f ms%n",
        sent,
        rate,
        webhooks,
        sorted.length,
        sorted[sorted.length / 2],
        sorted[(int) (sorted.length * 0.99)],
        sorted[sorted.length - 1]);
  }
}
