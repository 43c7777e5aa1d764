package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.lab.faults.RegisterClients.Shop;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Clients read and write the same stock entries on three nodes, while nodes are killed, PostgreSQL
 * loses a process, and a standby takes over. Every entry must behave like a single register: no
 * read may be older than the moment it was asked for.
 */
final class Linearizable {
  private static final int NODES = 3;
  private static final int SHOPS = 4;
  private static final int OPERATIONS_PER_ROUND = 1_000;
  private static final int OPERATIONS_PER_FAULT = 25_000;
  private static final Duration MAX_DURATION = Duration.ofHours(2);
  private static final int MAX_CONTROL_ROUNDS = 10;

  private Linearizable() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    // a short run ends before the second fault, the failover
    Failover pair = laboratory.brief() ? null : new Failover(laboratory);
    Postgres first = pair == null ? Postgres.start(laboratory, "registers") : pair.primary();
    int count = pair == null ? 2 : NODES;
    List<Server> nodes = start(laboratory, count, pair == null ? first.url() : pair.url());
    List<Shop> shops = shops(nodes.getFirst().operator(), first);
    int operations = rounds * OPERATIONS_PER_ROUND;
    RegisterClients clients =
        new RegisterClients(shops, nodes, operations).start(laboratory.random().nextLong());
    int faults = pair == null ? 1 : Math.max(2, operations / OPERATIONS_PER_FAULT);
    int happened = 0;
    for (int i = 0; i < faults; i++) {
      long due = (i + 1L) * operations / (faults + 1);
      Await.until(MAX_DURATION, "the clients", () -> clients.done() >= due || clients.isDone());
      if (clients.isDone()) {
        break;
      }
      happened++;
      if (pair == null || i % 3 == 0) {
        Server victim = nodes.get(i / 3 % count);
        victim.kill(() -> {});
        victim.start();
      } else if (i % 3 == 1) {
        pair.failOver(() -> {});
        pair.attach();
      } else {
        pair.primary().killBackend(() -> {});
      }
      laboratory.say("linearizable: fault %d, %,d operations".formatted(i + 1, clients.done()));
    }
    clients.await();
    report(report, rounds, clients);
    report.remark("%d faults".formatted(happened));
    violations(shops).forEach(report::fault);
    Server.leaveAll(nodes);
    if (pair == null) {
      first.leave();
    }
  }

  /** The checker must find the reads that a node answers without asking where the log ends. */
  static void control(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "stale-reads");
    String stale = StaleReads.javaOption(laboratory.newFolder("stale-reads-agent"));
    // one node with stale reads is enough, and a short run has another one
    List<Server> nodes =
        new ArrayList<>(start(laboratory, laboratory.brief() ? 1 : 2, postgres.url(), stale));
    if (laboratory.brief()) {
      nodes.addAll(start(laboratory, 1, postgres.url()));
    }
    List<Shop> shops = shops(nodes.getFirst().operator(), postgres);
    RegisterClients clients =
        new RegisterClients(
                shops, nodes, Math.min(rounds, MAX_CONTROL_ROUNDS) * OPERATIONS_PER_ROUND)
            .start(laboratory.random().nextLong());
    clients.await();
    report(report, Math.min(rounds, MAX_CONTROL_ROUNDS), clients);
    List<String> violations = violations(shops);
    if (violations.isEmpty()) {
      report.fault("the checker did not notice that reads were stale");
    } else {
      report.remark(
          "noticed %d violations, such as: %s".formatted(violations.size(), violations.getFirst()));
    }
    Server.stopAll(nodes);
    postgres.leave();
  }

  private static void report(Report report, int rounds, RegisterClients clients) {
    report.rounds(rounds);
    report.counted(clients.writes(), clients.unknown());
    report.remark(
        "%,d reads and %,d writes; %,d reads failed"
            .formatted(clients.reads(), clients.writes(), clients.failedReads()));
  }

  private static List<String> violations(List<Shop> shops) {
    return shops.stream()
        .flatMap(shop -> shop.registers().stream())
        .flatMap(register -> register.violations().stream())
        .toList();
  }

  private static List<Server> start(
      Laboratory laboratory, int count, String url, String... javaOptions) {
    List<Server> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Server node = Server.outside(laboratory, "node", url);
      List.of(javaOptions).forEach(node::javaOption);
      nodes.add(node);
    }
    return Server.startAll(nodes);
  }

  private static List<Shop> shops(Operator operator, Postgres postgres) throws SQLException {
    List<Shop> shops = new ArrayList<>();
    for (int i = 0; i < SHOPS; i++) {
      int merchant =
          operator
              .ask(
                  "/admin/merchants",
                  "{\"name\":\"M\",\"storeUrl\":\"m\",\"storeName\":\"M\",\"cell\":\"main\"}")
              .get("merchantId")
              .asInt();
      StringBuilder lines = new StringBuilder();
      for (int product = 0; product < RegisterClients.PRODUCTS; product++) {
        lines.append(
            """
            {"artNo":"A%d","title":"Shoe","price":59,\
            "skus":[{"color":"red","sizes":[{"size":36,"quantity":0}]}]}
            """
                .formatted(product));
      }
      operator.ask(
          "/admin/merchants/%d/imports?name=p.jsonl&apply=true&wait=true".formatted(merchant),
          lines.toString());
      JsonNode application = operator.ask("/admin/applications", "{\"name\":\"reader\"}");
      String appid = application.get("appid").asString();
      String body = "{\"appid\":\"%s\",\"merchantId\":%d}".formatted(appid, merchant);
      String token = operator.ask("/admin/tokens", body).get("accesstoken").asString();
      Credentials credentials = new Credentials(appid, application.get("secret").asString(), token);
      shops.add(new Shop(merchant, credentials, products(postgres, merchant)));
    }
    return shops;
  }

  private static List<Integer> products(Postgres postgres, int merchant) throws SQLException {
    List<Integer> products = new ArrayList<>();
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select product_id from product where merchant_id = %d order by product_id"
                    .formatted(merchant))) {
      while (row.next()) {
        products.add(row.getInt(1));
      }
    }
    return products;
  }
}
