package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.stockroom.client.Credentials;
import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Percentiles;
import io.stockroom.lab.Processes;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Implements {@code lab/waiting} and {@code lab/webhooks}: how long after its commit a change
 * arrives at those who wait for it.
 */
@Command(
    name = "lab/waiting",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Changes stock at an even rate. Clients wait for changes (POST /Changes with wait=25), or each",
      "merchant has a webhook. Prints the time from a change's commit until it has arrived, and for",
      "waiting clients the memory that they cost the server."
    })
final class Arrivals extends Trial {
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 16;

  @Option(
      names = "--webhooks",
      description = "Each merchant has a webhook, instead of clients that wait.")
  private boolean webhooks;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Clients that wait, spread over the merchants (default: 5000).")
  private int clients = 5_000;

  @Option(names = "--rate", paramLabel = "N", description = "Changes per second (default: 20).")
  private int rate = 20;

  @Option(names = "--seconds", paramLabel = "N", description = "How long (default: 30).")
  private int seconds = 30;

  @Option(names = "--warm-up", paramLabel = "N", description = "Seconds before (default: 20).")
  private int warmUp = 20;

  @Option(
      names = "--haproxy",
      description = "Wait behind HAProxy; product lists must not be rejected meanwhile.")
  private boolean haproxy;

  private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile Instant measuredFrom = Instant.MAX;
  private volatile boolean ending;

  public static void main(String[] arguments) {
    main(new Arrivals(), arguments);
  }

  @Override
  void measure(Laboratory laboratory, Server server, Marketplace market) throws IOException {
    int port = port(laboratory, server, haproxy);
    Wrk wrk = new Wrk(laboratory, market, List.of());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      if (webhooks) {
        subscribe(server, market, threads);
      } else {
        await(server, market, threads, "http://127.0.0.1:" + port);
      }
      var _ = wrk.paced(port, Operation.CREATE_1, CONNECTIONS, warmUp, rate);
      measuredFrom = Instant.now();
      Wrk.Load load =
          Wrk.succeeded(wrk.paced(port, Operation.CREATE_1, CONNECTIONS, seconds, rate));
      if (haproxy && wrk.checked(port, Operation.PRODUCT_LIST, 1, 1).shed() > 0) {
        throw new IllegalStateException("Product lists were rejected.");
      }
      awaitArrivals((load.requests() - load.shed()) * (webhooks ? 1 : clientsOfOne(market)));
      ending = true;
      Percentiles sorted = Percentiles.of(millis);
      System.out.printf(
          "%,d changes, %d shed, arrived %,d times; from the commit: p50 %.0f ms, p99 %.0f ms,"
              + " at most %.0f ms%n",
          load.requests(),
          load.shed(),
          sorted.count(),
          sorted.at(0.5),
          sorted.at(0.99),
          sorted.at(1));
      threads.shutdownNow();
    }
  }

  /** How many clients get each change, at least. */
  private long clientsOfOne(Marketplace market) {
    return clients / (market.accounts().size() - 1);
  }

  private void awaitArrivals(long count) {
    if (!Await.within(MAX_WAIT, () -> millis.size() >= count)) {
      throw new IllegalStateException(
          "Only %d of %d changes arrived.".formatted(millis.size(), count));
    }
  }

  /** The server's database has the same clock. */
  private void note(JsonNode changes) {
    Instant now = Instant.now();
    for (JsonNode change : changes) {
      Instant at = Instant.parse(change.get("at").asString());
      if (at.isAfter(measuredFrom)) {
        millis.add(Duration.between(at, now).toNanos() / 1e6);
      }
    }
  }

  private void subscribe(Server server, Marketplace market, ExecutorService threads)
      throws IOException {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    receiver.setExecutor(threads);
    var _ =
        receiver.createContext(
            "/",
            exchange -> {
              String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
              note(JsonMapper.shared().readTree(body).at("/data/changes"));
              exchange.sendResponseHeaders(204, -1);
              exchange.close();
            });
    receiver.start();
    // of an earlier run with the same data
    market.sql().execute("delete from webhook_delivery", "delete from webhook");
    String body = "{\"url\":\"http://127.0.0.1:%d/\"}".formatted(receiver.getAddress().getPort());
    for (Credentials each : market.accounts()) {
      Answer made = HttpCalls.call(each, server.url() + "/Webhook/Create", body);
      if (!made.isDone()) {
        throw new IllegalStateException("No webhook: " + made.text());
      }
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> receiver.stop(0)));
  }

  private void await(Server server, Marketplace market, ExecutorService threads, String url) {
    long before = liveBytes(server);
    for (int i = 0; i < clients; i++) {
      Credentials account = market.accounts().get(1 + i % (market.accounts().size() - 1));
      var _ = threads.submit(() -> follow(account, url));
      if (i % 10 == 9) {
        // as fast as a real fleet comes, not as an overload
        Await.pause(Duration.ofMillis(10));
      }
    }
    Await.until(MAX_WAIT, "all clients to wait", () -> waiting.get() == clients);
    Await.pause(Duration.ofSeconds(1));
    long with = liveBytes(server);
    System.out.printf(
        "%,d clients wait: live heap of the server %d MB, without them %d MB; %.1f KB for each%n",
        clients, with >> 20, before >> 20, (with - before) / 1024.0 / clients);
  }

  private void follow(Credentials account, String url) {
    String cursor = "latest";
    while (!ending) {
      boolean isFirst = cursor.equals("latest");
      String form = (isFirst ? "after=" : "wait=25&after=") + URLEncoder.encode(cursor, UTF_8);
      Answer answer = HttpCalls.call(account, url + "/Changes", form);
      if (answer.isDone()) {
        note(answer.json().get("changes"));
        cursor = answer.json().get("cursor").asString();
        waiting.addAndGet(isFirst ? 1 : 0);
      } else {
        Await.pause(Duration.ofMillis(100));
      }
    }
  }

  /** The bytes of all objects that live after a garbage collection. */
  private static long liveBytes(Server server) {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String histogram = new Processes().run(jcmd, "" + server.pid(), "GC.class_histogram");
    String total = histogram.substring(histogram.lastIndexOf("Total")).strip();
    return Long.parseLong(total.split("\\s+", -1)[2]);
  }
}
