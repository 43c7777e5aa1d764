package io.stockroom.lab.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Implements {@code lab/fuzz --requests}: sends malformed requests to a running server. */
@Command(
    name = "lab/fuzz --requests",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts a server, sends malformed requests to it, counts the responses by status, and compares"
          + " the tables before and after. Exits with code 1 if there was a 5xx or a missing response,"
          + " or if something was written."
    })
final class RequestFuzzMain extends Trial {
  /** Tables that may change with any request. */
  private static final List<String> TRACES = List.of("call_rate", "idempotent_reply");

  private static final int CONNECTIONS = 4;

  /** During these requests, a newly started server still compiles itself. */
  private static final int FIRST = 20_000;

  private static final int SLOW_MILLIS = 50;
  private static final int MAX_LOOKS = 60;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  @Option(
      names = "--requests",
      paramLabel = "N",
      required = true,
      description = "The number of requests.")
  long count;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of an earlier run, for the same requests (default: 1).")
  long seed = 1;

  public static void main(String[] arguments) {
    main("lab/fuzz", new RequestFuzzMain(), arguments);
  }

  @Override
  void check() {
    if (count < 1) {
      throw new BenchException("--requests must be at least 1.");
    }
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests)
      throws IOException, InterruptedException, SQLException {
    MalformedRequests bent = new MalformedRequests(account(server));
    Map<String, Long> before = settledRows(server);
    long start = System.nanoTime();
    FuzzAnswers all = send(server.port(), bent, 0, Math.min(count, FIRST));
    long slowFirst = all.slowerThan(SLOW_MILLIS);
    all.add(send(server.port(), bent, FIRST, count));
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, Long> after = rows(server);
    System.out.printf(
        Locale.ROOT, "requests: %,d in %.0f s, seed %d%n", all.count(), seconds, seed);
    all.statuses()
        .forEach((status, times) -> System.out.printf(Locale.ROOT, "%12s %,12d%n", status, times));
    System.out.printf(
        Locale.ROOT,
        "latency: p50 %.1f ms, p99 %.1f ms, p99.99 %.1f ms, max %.1f ms; slower than %d ms: %,d, %,d"
            + " of them among the first %,d%n",
        all.millis(50),
        all.millis(99),
        all.millis(99.99),
        all.millis(100),
        SLOW_MILLIS,
        all.slowerThan(SLOW_MILLIS),
        slowFirst,
        FIRST);
    System.out.println(after.equals(before) ? "nothing was written" : "WRITTEN: " + before + after);
    if (all.isBad() || !after.equals(before)) {
      throw new BenchException("some requests got a wrong response; see above.");
    }
  }

  /** Sends the requests of these numbers. */
  private FuzzAnswers send(int port, MalformedRequests bent, long from, long to)
      throws InterruptedException {
    AtomicLong next = new AtomicLong(from);
    FuzzAnswers all = new FuzzAnswers();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<FuzzAnswers>> running = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        running.add(
            threads.submit(
                () -> {
                  FuzzAnswers answers = new FuzzAnswers();
                  for (long n = next.getAndIncrement(); n < to; n = next.getAndIncrement()) {
                    answers.ask(port, bent.make(seed * 1_000_000_007L + n));
                  }
                  return answers;
                }));
      }
      for (Future<FuzzAnswers> each : running) {
        all.add(each.get());
      }
    } catch (ExecutionException failure) {
      throw new BenchException("The server cannot be reached: " + failure.getCause(), failure);
    }
    return all;
  }

  /** A merchant without products, so that no malformed request can change anything. */
  private static Marketplace.Account account(ServerUnderTest server)
      throws IOException, InterruptedException {
    String store = "fuzz" + System.nanoTime();
    JsonNode merchant =
        server.admin(
            "merchants",
            "{\"name\":\"Fuzz\",\"storeUrl\":\"%s\",\"storeName\":\"Fuzz\"}".formatted(store));
    JsonNode application = server.admin("applications", "{\"name\":\"fuzz\"}");
    int merchantId = merchant.path("merchantId").asInt();
    String appid = application.path("appid").asString();
    JsonNode token =
        server.admin(
            "tokens",
            "{\"appid\":\"%s\",\"merchantId\":%d,\"boundStore\":\"fuzz\"}"
                .formatted(appid, merchantId));
    return new Marketplace.Account(
        merchantId,
        appid,
        application.path("secret").asString(),
        token.path("accesstoken").asString());
  }

  /** The server may still work on changes of earlier programs. */
  private static Map<String, Long> settledRows(ServerUnderTest server)
      throws IOException, InterruptedException, SQLException {
    Map<String, Long> rows = rows(server);
    for (int i = 0; i < MAX_LOOKS; i++) {
      Thread.sleep(BETWEEN_LOOKS);
      Map<String, Long> then = rows(server);
      if (then.equals(rows)) {
        break;
      }
      rows = then;
    }
    return rows;
  }

  private static Map<String, Long> rows(ServerUnderTest server) throws IOException, SQLException {
    Map<String, Long> rows = new TreeMap<>();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet found =
          statement.executeQuery(
              """
              select tablename from pg_tables
              where schemaname = 'public'
                -- what the server notes of every call, refused ones as well
                and tablename not in ('traffic', 'request_log', 'node')
                -- what a background job derives from the products, minutes after they were made
                and tablename not in ('product_summary', 'product_summary_head', 'product_words')
              """)) {
        while (found.next()) {
          tables.add(found.getString(1));
        }
      }
      tables.removeAll(TRACES);
      for (String table : tables) {
        try (ResultSet counted = statement.executeQuery("select count(*) from " + table)) {
          counted.next();
          rows.put(table, counted.getLong(1));
        }
      }
    }
    return rows;
  }
}
