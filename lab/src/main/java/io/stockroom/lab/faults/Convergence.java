package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.client.mirror.JdbcMirrorStore;
import io.stockroom.client.mirror.MemoryMirrorStore;
import io.stockroom.client.mirror.Verification;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Changes a merchant's stock at random on three nodes and kills nodes meanwhile. Everything that
 * follows the changes must end with the stock of the database: a client with a cursor, a receiver
 * of webhooks, and the SDK's mirrors. Two followers with a defect must be caught.
 */
final class Convergence {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int NODES = 3;
  private static final int WRITERS = 4;
  private static final int PRODUCTS = 40;
  private static final int DEFAULT_SECONDS = 20;
  private static final int SHORT_SECONDS = 2;

  /** Every tenth message is rejected, but each of them once: the second retry is minutes later. */
  private static final int REJECTED_SHARE = 10;

  /** A lease of 8 seconds, a retry after 5 seconds, and a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The merchant of a round. */
  record Setup(
      Postgres postgres,
      Operator operator,
      int merchantId,
      Credentials credentials,
      String session,
      List<Integer> pids) {
    String text(String sql) throws SQLException {
      return postgres.text(sql);
    }
  }

  private final Laboratory laboratory;
  private final Report report;
  private final Postgres postgres;
  private final List<Server> nodes;
  private final Random random;
  private int kills;
  private int caught;
  private long changes;
  private long messages;

  private Convergence(Laboratory laboratory, Report report, Postgres postgres, List<Server> nodes) {
    this.laboratory = laboratory;
    this.report = report;
    this.postgres = postgres;
    this.nodes = nodes;
    this.random = laboratory.random();
  }

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "converge-database");
    postgres.execute("create database mirror");
    List<Server> nodes = new ArrayList<>();
    for (int i = 0; i < (laboratory.brief() ? 2 : NODES); i++) {
      nodes.add(Server.outside(laboratory, "converge", postgres.url()));
    }
    Server.startAll(nodes);
    Convergence experiment = new Convergence(laboratory, report, postgres, nodes);
    for (int round = 0; round < rounds; round++) {
      experiment.round();
      report.round();
    }
    report.remark(
        "%d changes, %d nodes killed, %d messages received; %d of %d broken followers caught"
            .formatted(
                experiment.changes,
                experiment.kills,
                experiment.messages,
                experiment.caught,
                2 * rounds));
    Server.leaveAll(nodes);
    postgres.leave();
  }

  private Supplier<String> anyNode() {
    Random own = new Random(random.nextLong());
    return () -> nodes.get(own.nextInt(nodes.size())).url();
  }

  private void round() throws Exception {
    Setup setup = newMerchant();
    Credentials credentials = setup.credentials();
    Random rejecting = new Random(random.nextLong());
    JdbcMirrorStore table =
        new JdbcMirrorStore(mirrorDatabase(), "merchant " + setup.merchantId()).createTables();
    try (CursorFollower follower =
            CursorFollower.start(credentials, anyNode(), new Random(random.nextLong()));
        CursorFollower losing =
            CursorFollower.startBroken(credentials, anyNode(), new Random(random.nextLong()));
        WebhookReceiver receiver = WebhookReceiver.start();
        WebhookReceiver counting = WebhookReceiver.startBroken();
        MirrorFollower memory =
            MirrorFollower.start(nodes.get(0).url(), credentials, new MemoryMirrorStore());
        MirrorFollower jdbc = MirrorFollower.start(nodes.get(1).url(), credentials, table)) {
      receiver.behave(
          attempt ->
              attempt == 1 && rejecting.nextInt(REJECTED_SHARE) == 0
                  ? rejecting.nextBoolean() ? 500 : WebhookReceiver.RESET
                  : WebhookReceiver.ACCEPTED);
      receiver.subscribe(nodes.getFirst().url(), credentials.headers(Instant.now()));
      counting.subscribe(nodes.getFirst().url(), credentials.headers(Instant.now()));
      addProducts(setup);
      RandomWriters writers = RandomWriters.start(setup, WRITERS, random, anyNode(), report);
      killNodes(
          Duration.ofSeconds(
              laboratory.seconds(laboratory.brief() ? SHORT_SECONDS : DEFAULT_SECONDS)));
      writers.stop();
      awaitImports(setup);

      long last = Long.parseLong(setup.text(head(setup)));
      changes += last;
      Map<String, StockCopy> copies = new LinkedHashMap<>();
      copies.put("the follower of the cursor", follower.copy());
      copies.put("the receiver of webhooks", receiver.copy());
      copies.forEach((name, copy) -> awaitEnd(name, copy, last));
      // a defect must not look like one that merely is not there yet
      awaitEnd("the follower that loses a change", losing.copy(), last);
      messages += receiver.messages().size();
      StockCopy database;
      try (Connection connection = postgres.connect()) {
        database = StockCopy.of(connection, setup.merchantId());
      }
      copies.forEach((name, copy) -> compare(name, copy, database));
      compareMirror("the mirror in memory", memory, setup, database);
      compareMirror("the mirror in a database", jdbc, setup, database);
      compareDigests(credentials, database);
      checkLog(setup, last);
      caught += isCaught("that loses a change", losing.copy(), database) ? 1 : 0;
      caught += isCaught("that counts rejected messages", counting.copy(), database) ? 1 : 0;
    }
  }

  private Setup newMerchant() throws SQLException {
    Operator operator = nodes.getFirst().operator();
    int merchantId =
        operator
            .ask(
                "/admin/merchants",
                "{\"name\":\"M\",\"storeUrl\":\"m\",\"storeName\":\"M\",\"cell\":\"main\"}")
            .get("merchantId")
            .asInt();
    JsonNode application = operator.ask("/admin/applications", "{\"name\":\"converge\"}");
    String appid = application.get("appid").asString();
    String token =
        operator
            .ask(
                "/admin/tokens",
                "{\"appid\":\"%s\",\"merchantId\":%d}".formatted(appid, merchantId))
            .get("accesstoken")
            .asString();
    String session = "session-of-merchant-%d-%d".formatted(merchantId, random.nextInt(1_000_000));
    var _ =
        operator.ask(
            "/admin/people",
            "{\"email\":\"m%1$d@example.com\",\"merchantId\":%1$d}".formatted(merchantId));
    postgres.execute(
        """
        insert into session (hash, person_id, address, browser)
        select sha256(convert_to('%s', 'UTF8')), person_id, '127.0.0.1', 'lab' from person
        where merchant_id = %d
        """
            .formatted(session, merchantId));
    Credentials credentials = new Credentials(appid, application.get("secret").asString(), token);
    return new Setup(postgres, operator, merchantId, credentials, session, new ArrayList<>());
  }

  private static void addProducts(Setup setup) throws SQLException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < PRODUCTS; i++) {
      lines.append("{\"artNo\":\"A%d\",\"title\":\"Shoe\",\"price\":59}\n".formatted(i));
    }
    var _ =
        setup
            .operator()
            .ask(
                "/admin/merchants/%d/imports?name=products.jsonl&apply=true&wait=true"
                    .formatted(setup.merchantId()),
                lines.toString());
    String ids =
        setup.text(
            "select string_agg(product_id::text, ',' order by product_id) from product"
                + " where merchant_id = "
                + setup.merchantId());
    for (String id : ids.split(",", -1)) {
      setup.pids().add(Integer.parseInt(id));
    }
  }

  private PGSimpleDataSource mirrorDatabase() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:%d/mirror".formatted(postgres.port()));
    source.setUser(postgres.user());
    source.setPassword(postgres.password());
    return source;
  }

  /** Kills a random node and starts it again, until the time is over. */
  private void killNodes(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - deadline < 0) {
      Await.pause(Duration.ofMillis(500 + random.nextInt(1500)));
      Server victim = nodes.get(random.nextInt(nodes.size()));
      victim.kill(() -> {});
      kills++;
      Await.pause(Duration.ofMillis(random.nextInt(1000)));
      victim.start();
    }
  }

  private static String head(Setup setup) {
    return "select last_change from log_head where merchant_id = " + setup.merchantId();
  }

  /** An import of a killed node goes on at another one. */
  private static void awaitImports(Setup setup) {
    String open =
        "select count(*) from import where merchant_id = %d and state in %s"
            .formatted(setup.merchantId(), "('waiting', 'planning', 'applying')");
    Await.untilSeldom(
        PATIENCE,
        "all imports to end",
        () -> {
          try {
            return setup.text(open).equals("0");
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private void awaitEnd(String name, StockCopy copy, long last) {
    if (!Await.within(PATIENCE, () -> copy.last() >= last)) {
      report.lost("%s stays at change %d of %d".formatted(name, copy.last(), last));
    }
  }

  private void compare(String name, StockCopy copy, StockCopy database) {
    copy.problems().forEach(problem -> report.fault(name + ": " + problem));
    copy.differences(database).forEach(difference -> report.fault(name + ": " + difference));
    if (!copy.digest().equals(database.digest())) {
      report.fault(name + ": the digest differs");
    }
  }

  private void compareMirror(String name, MirrorFollower mirror, Setup setup, StockCopy database)
      throws SQLException {
    Verification verification = mirror.end();
    if (!verification.wasEqual()) {
      report.fault("%s: repaired the blocks %s".formatted(name, verification.repaired()));
    }
    if (!verification.digest().equals(database.digest())) {
      report.fault(name + ": the digest differs");
    }
    compare(name, mirror.copy(), database);
    String all =
        setup.text(
            "select coalesce(string_agg(number::text, ', ' order by number), '') from change_log"
                + " where kind = 'stock' and merchant_id = "
                + setup.merchantId());
    String applied = mirror.numbers().toString();
    if (mirror.snapshots() != 1 || !applied.equals("[" + all + "]")) {
      report.fault(
          "%s: %d snapshots, and did not get each change once and in order"
              .formatted(name, mirror.snapshots()));
    }
  }

  /** Every node answers with the digest of the tables. */
  private void compareDigests(Credentials credentials, StockCopy database) {
    for (Server node : nodes) {
      Answer answer =
          HttpCalls.post(
              node.url() + "/Stock/Digest", credentials.headers(Instant.now()), HttpCalls.FORM, "");
      JsonNode digest = JSON.readTree(answer.text());
      if (!digest.path("digest").asString("").equals(database.digest())
          || digest.path("entries").asInt() != database.size()) {
        report.fault("%s answers another digest: %s".formatted(node.url(), answer.text()));
      }
    }
  }

  private void checkLog(Setup setup, long last) throws SQLException {
    String numbers =
        setup.text(
            "select count(*) || ' ' || max(number) from change_log where merchant_id = "
                + setup.merchantId());
    if (!numbers.equals("%1$d %1$d".formatted(last))) {
      report.fault("the log ends with %d and has %s".formatted(last, numbers));
    }
  }

  private boolean isCaught(String name, StockCopy copy, StockCopy database) {
    boolean caughtNow = !copy.problems().isEmpty() || !copy.differences(database).isEmpty();
    if (!caughtNow) {
      report.fault("a follower %s was not noticed".formatted(name));
    }
    return caughtNow;
  }
}
