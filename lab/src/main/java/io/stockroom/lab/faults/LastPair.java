package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;

/**
 * 64 clients on three nodes sell the last pair at the same time: exactly one succeeds. In every
 * second round each client has an idempotency key; then the one that has sold and some others send
 * their requests again. Several products are sold side by side, so that a round does not leave the
 * machine idle while it waits for the disk.
 */
final class LastPair {
  private static final int NODES = 3;
  private static final int CLIENTS = 64;
  private static final int APPLICATIONS = 8;
  private static final int PRODUCTS = 2;
  private static final int REPEATS = 8;
  private static final int PROGRESS = 1000;
  private static final Duration SHED_PAUSE = Duration.ofMillis(20);
  private final List<Server> nodes;
  private final List<Credentials> sellers;
  private final Report report;
  private final LongAdder requests = new LongAdder();
  private final LongAdder shed = new LongAdder();

  private LastPair(List<Server> nodes, List<Credentials> sellers, Report report) {
    this.nodes = nodes;
    this.sellers = sellers;
    this.report = report;
  }

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "last-pair-database");
    List<Server> nodes = new ArrayList<>();
    for (int i = 0; i < (laboratory.brief() ? 2 : NODES); i++) {
      nodes.add(Server.outside(laboratory, "last-pair", postgres.url()));
    }
    Server.startAll(nodes);
    Operator operator = nodes.getFirst().operator();
    int merchant =
        operator
            .ask(
                "/admin/merchants",
                "{\"name\":\"M\",\"storeUrl\":\"m\",\"storeName\":\"M\",\"cell\":\"main\"}")
            .get("merchantId")
            .asInt();
    StringBuilder products = new StringBuilder();
    for (int product = 0; product < PRODUCTS; product++) {
      products.append(
          """
          {"artNo":"A%1$d","title":"Shoe","price":59,"skus":[{"color":"red",\
          "sizes":[{"size":36,"quantity":0,"barCode":"690123456789%1$d"}]}]}
          """
              .formatted(product));
    }
    operator.ask(
        "/admin/merchants/%d/imports?name=products.jsonl&apply=true&wait=true".formatted(merchant),
        products.toString());
    LastPair experiment = new LastPair(nodes, sellers(operator, merchant), report);
    experiment.sellAll(laboratory, rounds);
    experiment.compare(postgres, merchant, rounds);
    report.remark(
        "%d requests, of which %d were shed and sent again"
            .formatted(experiment.requests.sum(), experiment.shed.sum()));
    Server.leaveAll(nodes);
    postgres.leave();
  }

  private static List<Credentials> sellers(Operator operator, int merchant) {
    List<Credentials> sellers = new ArrayList<>();
    for (int i = 0; i < APPLICATIONS; i++) {
      JsonNode application = operator.ask("/admin/applications", "{\"name\":\"seller\"}");
      String appid = application.get("appid").asString();
      String body = "{\"appid\":\"%s\",\"merchantId\":%d}".formatted(appid, merchant);
      String token = operator.ask("/admin/tokens", body).get("accesstoken").asString();
      sellers.add(new Credentials(appid, application.get("secret").asString(), token));
    }
    return sellers;
  }

  private void sellAll(Laboratory laboratory, int rounds) throws Exception {
    AtomicInteger begun = new AtomicInteger();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> lanes = new ArrayList<>();
      for (int i = 0; i < PRODUCTS; i++) {
        int product = i;
        lanes.add(
            clients.submit(
                () -> {
                  for (int round = begun.incrementAndGet();
                      round <= rounds;
                      round = begun.incrementAndGet()) {
                    round(clients, product, round);
                    if (round % PROGRESS == 0) {
                      laboratory.say("last-pair: %d rounds".formatted(round));
                    }
                  }
                  return product;
                }));
      }
      for (Future<?> lane : lanes) {
        lane.get();
      }
    }
    report.rounds(rounds);
    report.counted((long) CLIENTS * rounds, 0);
  }

  private void round(ExecutorService clients, int product, int round) throws Exception {
    String refill =
        "[{\"artNo\":\"A%d\",\"color\":\"red\",\"size\":36,\"set\":1}]".formatted(product);
    Answer refilled = send(round, refill, "");
    if (!refilled.text().contains("\"after\":1}")) {
      report.fault("round %d: not refilled: %s".formatted(round, refilled.text()));
    }
    String sale = "[{\"barCode\":\"690123456789%d\",\"change\":-1}]".formatted(product);
    boolean isKeyed = round % 2 == 0;
    List<String> answers =
        together(clients, CLIENTS, client -> send(client, sale, isKeyed ? key(round, client) : ""));
    List<Integer> sold = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      String text = answers.get(client);
      if (text.startsWith("{\"success\":true")) {
        sold.add(client);
      } else if (!text.contains("\"STOCK_INSUFFICIENT\"") || !text.contains("\"current\":0}")) {
        report.fault("round %d: %s".formatted(round, text));
      }
    }
    if (sold.size() != 1) {
      report.fault("round %d: sold %d times".formatted(round, sold.size()));
    } else if (isKeyed) {
      int first = sold.getFirst();
      List<String> again =
          together(
              clients,
              REPEATS,
              i -> {
                int client = (first + i) % CLIENTS;
                return send(client + 1, client, sale, key(round, client));
              });
      for (int i = 0; i < REPEATS; i++) {
        if (!again.get(i).equals(answers.get((first + i) % CLIENTS))) {
          report.fault("round %d: a repeated request got another answer".formatted(round));
        }
      }
    }
  }

  private static String key(int round, int client) {
    return "round-%d-client-%d".formatted(round, client);
  }

  /** Lets clients send at the same moment; returns their answers in the order of the clients. */
  private static List<String> together(
      ExecutorService threads, int count, IntFunction<Answer> client) throws Exception {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      answers.add(
          threads.submit(
              () -> {
                start.await();
                return client.apply(number).text();
              }));
    }
    List<String> texts = new ArrayList<>();
    for (Future<String> answer : answers) {
      texts.add(answer.get());
    }
    return texts;
  }

  private Answer send(int client, String body, String key) {
    return send(client, client, body, key);
  }

  /** Sends a request again while the server sheds load, because that changes nothing. */
  private Answer send(int node, int client, String body, String key) {
    Credentials seller = sellers.get(client % sellers.size());
    Map<String, String> headers = new HashMap<>(seller.headers(Instant.now()));
    if (!key.isEmpty()) {
      headers.put("Idempotency-Key", key);
    }
    String url = nodes.get(node % nodes.size()).url() + "/Stock/Adjust";
    while (true) {
      requests.increment();
      Answer answer = HttpCalls.post(url, headers, HttpCalls.JSON, body);
      if (answer.status() != 503) {
        return answer;
      }
      shed.increment();
      Await.pause(SHED_PAUSE);
    }
  }

  /** Every pair was sold once, and the log of changes has every sale without a gap. */
  private void compare(Postgres postgres, int merchant, int rounds) throws SQLException {
    String sql =
        """
        select (select sum(quantity) from stock_entry where merchant_id = %1$d),
          count(*) filter (where quantities_before = '{1}' and quantities_after = '{0}'),
          count(*) = max(number)
        from change_log where merchant_id = %1$d
        """
            .formatted(merchant);
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      if (row.getInt(1) != 0 || row.getInt(2) != rounds || !row.getBoolean(3)) {
        report.fault(
            "the database has %d left, %d sales, gap-free: %s"
                .formatted(row.getInt(1), row.getInt(2), row.getBoolean(3)));
      }
    }
  }
}
