package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.client.mirror.JdbcMirrorStore;
import io.stockroom.client.mirror.MemoryMirrorStore;
import io.stockroom.client.mirror.Verification;
import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Operator;
import io.stockroom.lab.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Clients of several nodes change, read, follow and sell one merchant's stock, while nodes die and
 * PostgreSQL loses processes. No read may be stale, whatever follows the changes must end with the
 * stock of the database, and the last pair is sold once. Followers with a defect and stale reads,
 * made on purpose, must be noticed.
 */
final class Histories {
  static final List<Experiment> ALL =
      List.of(
          new Experiment(
              "histories",
              "reads are never stale, copies end equal, the last pair is sold once",
              1,
              50,
              Histories::run));

  private static final int WRITERS = 4;
  private static final int PRODUCTS = 40;
  private static final int SELLERS = 8;
  private static final int SALES = 200;
  private static final Duration TIME = Duration.ofSeconds(20);
  private static final Duration SHORT_TIME = Duration.ofSeconds(3);

  /** A lease of 8 seconds, a retry after 5 seconds, and a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The merchant of a round. */
  record Setup(
      DirectSql database,
      Operator operator,
      int merchantId,
      Credentials credentials,
      List<Integer> pids) {}

  private final Stage stage;
  private final Laboratory laboratory;
  private final Report report;
  private final Random random;
  private final List<Server> nodes;
  private int faults;

  private Histories(Stage stage, Report report) {
    this.stage = stage;
    this.laboratory = stage.laboratory();
    this.report = report;
    this.random = laboratory.random();
    this.nodes = stage.nodes();
  }

  static void run(Stage stage, int rounds, Report report) throws Exception {
    stage.postgres().sql().execute("create database mirror");
    Histories histories = new Histories(stage, report);
    for (int round = 0; round < rounds; round++) {
      histories.round();
      report.rounds(1);
    }
    report.remark("%d faults", histories.faults);
  }

  private DirectSql database() {
    return stage.postgres().sql();
  }

  private Supplier<String> anyNode() {
    Random own = new Random(random.nextLong());
    return () -> {
      synchronized (own) {
        return nodes.get(own.nextInt(nodes.size())).url();
      }
    };
  }

  private void round() throws Exception {
    Setup setup = newMerchant();
    Credentials credentials = setup.credentials();
    Random rejecting = new Random(random.nextLong());
    try (Followers.Cursor cursor =
            new Followers.Cursor(credentials, anyNode(), new Random(random.nextLong()), false);
        Followers.Cursor losing =
            new Followers.Cursor(credentials, anyNode(), new Random(random.nextLong()), true);
        // each message is rejected at most once: the second retry is minutes later
        WebhookReceiver receiver =
            WebhookReceiver.start(
                attempt -> attempt == 1 && rejecting.nextInt(10) == 0 ? 500 : 204);
        WebhookReceiver counting = WebhookReceiver.startBroken();
        Followers.Mirror memory =
            new Followers.Mirror(nodes.get(0).url(), credentials, new MemoryMirrorStore());
        Followers.Mirror jdbc =
            new Followers.Mirror(nodes.get(1).url(), credentials, mirrorStore(setup))) {
      var _ = receiver.subscribe(nodes.getFirst().url(), credentials);
      var _ = counting.subscribe(nodes.getFirst().url(), credentials);
      addProducts(setup);
      workAndFail(setup);
      sell(setup);
      long last = database().number(of(setup, "select last_change from log_head"));
      StockCopy stock = StockCopy.of(database(), setup.merchantId());
      Map<String, StockCopy> copies = new LinkedHashMap<>();
      copies.put("the follower of the cursor", cursor.copy());
      copies.put("the receiver of webhooks", receiver.copy());
      copies.forEach((name, copy) -> awaitEnd(name, copy, last));
      // a defect must not look like one that merely is not there yet
      awaitEnd("the follower that loses a change", losing.copy(), last);
      String digest = compareMirror("the mirror in memory", memory, stock);
      String other = compareMirror("the mirror in a database", jdbc, stock);
      compareDigest("the mirror in a database", other, digest);
      copies.forEach((name, copy) -> compare(name, copy, stock));
      compareNodes(credentials, digest);
      report.remark("%d changes, %d messages", last, receiver.messages().size());
      requireNoticed("that loses a change", losing.copy(), stock);
      requireNoticed("that counts rejected messages", counting.copy(), stock);
    }
  }

  private static String of(Setup setup, String select) {
    return select + " where merchant_id = " + setup.merchantId();
  }

  private Setup newMerchant() {
    Operator operator = nodes.getFirst().operator();
    int id = operator.newMerchant("main");
    Credentials credentials = operator.newToken(operator.newApplication(), id);
    return new Setup(database(), operator, id, credentials, new ArrayList<>());
  }

  private void addProducts(Setup setup) {
    StringBuilder lines = new StringBuilder(Sale.PRODUCT);
    for (int i = 0; i < PRODUCTS; i++) {
      lines.append("{\"artNo\":\"A%d\",\"title\":\"Shoe\",\"price\":59}\n".formatted(i));
    }
    var _ = setup.operator().imports(setup.merchantId(), "products.jsonl", lines.toString());
    setup.pids().addAll(products(setup, "A"));
  }

  private List<Integer> products(Setup setup, String artNo) {
    String sql = of(setup, "select product_id from product") + " and art_no like '%s%%' order by 1";
    return database().column(sql.formatted(artNo)).stream().map(Integer::valueOf).toList();
  }

  private JdbcMirrorStore mirrorStore(Setup setup) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    DirectSql sql = stage.postgres().sql();
    source.setUrl("jdbc:postgresql://127.0.0.1:%d/mirror".formatted(stage.postgres().port()));
    source.setUser(sql.user());
    source.setPassword(sql.password());
    return new JdbcMirrorStore(source, "merchant " + setup.merchantId()).createTables();
  }

  private void workAndFail(Setup setup) throws Exception {
    List<RandomWriter> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Random own = new Random(random.nextLong());
      writers.add(new RandomWriter(setup, anyNode(), report, own));
    }
    RegisterClients registers = RegisterClients.start(setup.operator(), database(), anyNode());
    Duration time = laboratory.brief() ? SHORT_TIME : TIME;
    long deadline = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - deadline < 0) {
      Await.pause(Duration.ofMillis(500 + random.nextInt(1500)));
      fail();
    }
    writers.forEach(RandomWriter::stop);
    registers.stop(report);
    // an import of a killed node goes on at another one
    String open =
        of(setup, "select count(*) from import")
            + " and state in ('waiting', 'planning', 'applying')";
    Await.until(PATIENCE, "all imports to end", () -> database().number(open) == 0);
  }

  private void fail() throws Exception {
    faults++;
    if (faults % 3 == 0) {
      stage.postgres().killBackend();
    } else {
      Server victim = nodes.get(random.nextInt(nodes.size()));
      victim.kill();
      Await.pause(Duration.ofMillis(random.nextInt(1000)));
      var _ = victim.start();
    }
  }

  private void sell(Setup setup) throws Exception {
    Operator operator = setup.operator();
    List<Credentials> sellers =
        IntStream.range(0, SELLERS)
            .mapToObj(_ -> operator.newToken(operator.newApplication(), setup.merchantId()))
            .toList();
    int sales = laboratory.brief() ? 4 : SALES;
    new Sale(sellers, anyNode(), report).sell(sales);
    long sold =
        database()
            .number(
                of(setup, "select count(*) from change_log")
                    + " and quantities_before = '{1}' and quantities_after = '{0}' and product_id = "
                    + products(setup, "LAST").getFirst());
    if (sold != sales) {
      report.fault("the log has %d sales of the last pair, not %d".formatted(sold, sales));
    }
  }

  private void awaitEnd(String name, StockCopy copy, long last) {
    if (!Await.within(PATIENCE, () -> copy.last() >= last)) {
      report.lost("%s stays at change %d of %d".formatted(name, copy.last(), last));
    }
  }

  private void compare(String name, StockCopy copy, StockCopy stock) {
    copy.problems().forEach(problem -> report.fault(name + ": " + problem));
    copy.differences(stock).forEach(difference -> report.fault(name + ": " + difference));
  }

  /** Returns the mirror's digest. */
  private String compareMirror(String name, Followers.Mirror mirror, StockCopy stock) {
    Verification verification = mirror.end();
    if (!verification.wasEqual()) {
      report.fault("%s: repaired the blocks %s".formatted(name, verification.repaired()));
    }
    compare(name, mirror.copy(), stock);
    return verification.digest();
  }

  private void compareNodes(Credentials credentials, String digest) {
    for (Server node : nodes) {
      Answer answer = HttpCalls.call(credentials, node.url() + "/Stock/Digest", "");
      compareDigest(node.url(), answer.json().path("digest").asString(""), digest);
    }
  }

  private void compareDigest(String name, String digest, String expected) {
    if (!digest.equals(expected)) {
      report.fault("%s has the digest %s, not %s".formatted(name, digest, expected));
    }
  }

  private void requireNoticed(String name, StockCopy copy, StockCopy stock) {
    if (copy.problems().isEmpty() && copy.differences(stock).isEmpty()) {
      report.fault("a follower %s was not noticed".formatted(name));
    }
  }
}
