package io.stockroom.core.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Feed;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import io.stockroom.server.testing.WebhookReceiver;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merchants move between two cells, of which one is in the directory's database. */
class MerchantMoveTest {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir static Path folder;

  private static Stockroom stockroom;
  private static TestServer server;
  private static Admin admin;
  private static SteppedMoves moves;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(OwnDatabase.withTables()));
    settings.put("limits.create-interval", "PT0S");
    settings.put("webhooks.allow-private", "true");
    stockroom = Stockroom.start(folder, Settings.with(settings));
    server = TestServer.of(stockroom);
    admin = Admin.of(server);
    moves = new SteppedMoves(server);
    assertThat(addCell("east").status()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    stockroom.close();
  }

  private static Reply addCell(String name) {
    DatabaseAddress address = OwnDatabase.create();
    return admin.post(
        "/admin/cells",
        """
        {"name":"%s","databaseUrl":"%s","databaseUser":"%s","databasePassword":"%s"}"""
            .formatted(name, address.jdbcUrl(), address.user(), address.password()));
  }

  @Test
  void movesAMerchantWhileItIsUsed() throws Exception {
    TestMerchant merchant = TestMerchant.in("main", server);
    int product = merchant.products(3).getFirst();
    assertThat(merchant.api().create(Stock.one(product, "red", "36-40", 1000)).success()).isTrue();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger sold = new AtomicInteger();
    Feed feed = new Feed(merchant.application());
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      Reply created =
          merchant
              .api()
              .call("/Webhook/Create")
              .json("{\"url\":\"%s\"}".formatted(receiver.url()))
              .send();
      assertThat(created.success()).as(created.whole()).isTrue();
      Api writer = merchant.application();
      Api reader = merchant.application();
      Thread writing = use(isOver, failures, () -> sell(writer, product, sold));
      Thread reading = use(isOver, failures, () -> check(reader, product, sold));
      Thread following = use(isOver, failures, () -> feed.next("wait=1"));

      assertThat(moves.move(merchant, "east").status()).isEqualTo(201);
      assertThat(moves.move(merchant, "east").body()).contains("MOVE_REFUSED", "moving already");
      moves.awaitPhase(merchant, "done");
      int soldBefore = sold.get();
      assertThat(Eventually.within(SOON, () -> sold.get() > soldBefore + 2 || !failures.isEmpty()))
          .isTrue();
      isOver.set(true);
      for (Thread thread : List.of(writing, reading, following)) {
        thread.join();
      }
      while (!feed.next("").isEmpty()) {
        // to the end of the log
      }

      assertThat(failures).isEmpty();
      long last =
          Long.parseLong(
              merchant.texts("select last_change from log_head where merchant_id = ?").getFirst());
      List<Long> all = LongStream.rangeClosed(1, last).boxed().toList();
      assertThat(Feed.numbers(feed.seen())).isEqualTo(all);
      assertThat(Eventually.within(SOON, () -> receiver.numbers().contains(last))).isTrue();
      assertThat(receiver.numbers()).doesNotHaveDuplicates();
      assertThat(
              merchant.texts("select 5000 - sum(quantity) from stock_entry where merchant_id = ?"))
          .containsExactly(Integer.toString(sold.get()));
    }
    assertThat(merchant.inDirectory("select cell_id from merchant where merchant_id = ?"))
        .containsExactly("2");
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(moves.rows(1, merchant)).isZero();
    assertThat(admin.post("/admin/audit/verify", "").json().get("intact").asBoolean()).isTrue();
    assertThat(
            admin
                .get("/admin/merchants/" + merchant.id() + "/move")
                .json()
                .get("pauseMillis")
                .asInt())
        .isLessThan(2000);
  }

  private static void sell(Api api, int product, AtomicInteger sold) {
    Reply reply =
        api.adjust("[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":-1}]".formatted(product));
    assertThat(reply.success()).as(reply.whole()).isTrue();
    sold.incrementAndGet();
  }

  /** A read that begins after a sale shows it. */
  private static void check(Api api, int product, AtomicInteger sold) {
    int before = sold.get();
    Reply reply = api.stock(product);
    assertThat(reply.success()).as(reply.whole()).isTrue();
    int quantity = Integer.parseInt(reply.data("stock").getFirst());
    assertThat(1000 - quantity).isGreaterThanOrEqualTo(before);
  }

  private static Thread use(AtomicBoolean isOver, Queue<String> failures, Runnable call) {
    return Thread.ofVirtual()
        .start(
            () -> {
              while (!isOver.get() && failures.isEmpty()) {
                try {
                  call.run();
                } catch (RuntimeException | AssertionError failure) {
                  failures.add(String.valueOf(failure.getMessage()));
                }
                LockSupport.parkNanos(Duration.ofMillis(130).toNanos());
              }
            });
  }

  /**
   * A fresh mover continues from whatever it finds, at every step. One that was suspended meanwhile
   * can do nothing more.
   */
  @Test
  void continuesAfterEveryStep() throws Exception {
    TestMerchant merchant = TestMerchant.in("main", server);
    int product = merchant.product();
    assertThat(merchant.api().create(Stock.one(product, "red", "36", 5)).success()).isTrue();
    MoveTable table = moves.claim(merchant, "copying");
    Move begun = moves.find(merchant);
    CellSide suspended = CellSide.of(begun, moves.address(1));
    Move move = begun;
    boolean hasPaused = false;
    Queue<Integer> statuses = new ConcurrentLinkedQueue<>();

    while (move.endedAt() == null) {
      if (move.phase() == Move.Phase.CATCHING_UP && !hasPaused) {
        hasPaused = pause(move);
        Thread reading =
            Thread.ofVirtual().start(() -> statuses.add(merchant.api().stock(product).status()));
        statuses.add(merchant.api().create(Stock.one(product, "red", "37", 5)).status());
        reading.join();
        assertThat(statuses).containsExactly(503, 503);
      }
      Mover.Step step = moves.mover(table).step(move);
      LockSupport.parkNanos(Math.min(step.pause().toNanos(), 100_000_000));
      move = table.find(move.id());
    }

    assertThat(move.phase()).isEqualTo(Move.Phase.DONE);
    assertThat(hasPaused).isTrue();
    assertThatThrownBy(() -> suspended.unmark(merchant.id())).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> moves.mover(table).step(begun)).isInstanceOf(LostLease.class);
    assertThat(moves.rows(1, merchant)).isZero();
    assertThat(merchant.entries()).isEqualTo(1);
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(merchant.api().create(Stock.one(product, "red", "37", 5)).success()).isTrue();
  }

  /** A mover that dies between the permanent pause and the switch. */
  private static boolean pause(Move move) throws SQLException {
    try (CellSide source = moves.side(1);
        CellSide target = moves.side(2)) {
      Pause pause =
          new Pause(
              source,
              server.cells().of(0),
              new Replication(source, target, move),
              move.merchantId());
      assertThat(pause.begin(Instant.EPOCH)).isNull();
      return pause.keep();
    }
  }

  @Test
  void givesUpIfTheCellsStayDifferent() throws Exception {
    TestMerchant merchant = TestMerchant.in("main", server);
    int product = merchant.product();
    logged(merchant, 1, merchant.api().create(Stock.one(product, "red", "36-37", 5)));
    MoveTable table = moves.claim(merchant, "copying");
    Move move = moves.find(merchant);
    while (move.phase() != Move.Phase.CATCHING_UP) {
      LockSupport.parkNanos(Math.min(moves.mover(table).step(move).pause().toNanos(), 100_000_000));
      move = table.find(move.id());
    }
    try (CellSide source = moves.side(1);
        CellSide target = moves.side(2)) {
      Replication replication = new Replication(source, target, move);
      String end = replication.end();
      while (!replication.hasReached(end)) {
        LockSupport.parkNanos(10_000_000);
      }
      try (RowComparison rows = new RowComparison(move, source, target)) {
        rows.fix();
        // lists over all merchants leave out the copy
        assertThat(new Audit(server.cells()).page(null, 1).entries())
            .filteredOn(entry -> entry.merchantId() == merchant.id())
            .isNotEmpty()
            .doesNotHaveDuplicates();
        target.execute(
            "update stock_entry set quantity = 4 where size_text = '36' and merchant_id = "
                + merchant.id());
        assertThat(rows.differing()).isEmpty();
        assertThat(rows.differingCounts(source, target)).isEmpty();
        logged(merchant, 2, merchant.api().create(Stock.one(product, "red", "36", 6)));
        source.execute("delete from product_words where merchant_id = " + merchant.id());
        String later = replication.end();
        while (!replication.hasReached(later)) {
          LockSupport.parkNanos(10_000_000);
        }
        assertThat(rows.differingCounts(source, target)).isEmpty();
        target.execute(
            "update log_head set last_change = last_change - 1 where merchant_id = "
                + merchant.id());
        assertThat(rows.differingCounts(source, target)).containsExactly("log_head");
        target.execute(
            "update log_head set last_change = last_change + 1 where merchant_id = "
                + merchant.id());
        target.execute(
            "delete from stock_entry where size_text = '37' and merchant_id = " + merchant.id());
        assertThat(rows.differingCounts(source, target)).containsExactly("stock_entry");
      }
      try (RowComparison rows = new RowComparison(move, source, target)) {
        rows.fix();
        assertThat(rows.differing()).containsExactly("stock_entry");
      }
    }
    // all attempts but one
    table.countAttempts(move.id(), 19);
    while (move.endedAt() == null) {
      LockSupport.parkNanos(Math.min(moves.mover(table).step(move).pause().toNanos(), 100_000_000));
      move = table.find(move.id());
    }

    assertThat(move.phase()).isEqualTo(Move.Phase.FAILED);
    assertThat(move.message()).startsWith("gave up after 20 attempts").contains("stock_entry");
    assertThat(moves.rows(2, merchant)).isZero();
    assertThat(merchant.api().create(Stock.one(product, "red", "38", 5)).success()).isTrue();
  }

  /** The log and the counts of calls are written later, and would differ for a moment. */
  private static void logged(TestMerchant merchant, int calls, Reply created) {
    assertThat(created.success()).isTrue();
    Logged.await(merchant, created);
    Logged.awaitCalls(merchant, calls);
  }

  @Test
  void cancelsAMove() throws Exception {
    TestMerchant merchant = TestMerchant.in("main", server);
    int product = merchant.product();
    MoveTable table = moves.claim(merchant, "copying");
    Mover.Step _ = moves.mover(table).step(moves.find(merchant));
    assertThat(admin.send("DELETE", "/admin/merchants/" + merchant.id() + "/move", "").status())
        .isEqualTo(200);
    for (Move move = moves.find(merchant); move.endedAt() == null; move = moves.find(merchant)) {
      Mover.Step _ = moves.mover(table).step(move);
    }

    assertThat(moves.phase(merchant)).isEqualTo("cancelled");
    assertThat(moves.rows(2, merchant)).isZero();
    assertThat(merchant.api().create(Stock.one(product, "red", "36", 5)).success()).isTrue();
    assertThat(admin.send("DELETE", "/admin/merchants/" + merchant.id() + "/move", "").codes())
        .containsExactly("MOVE_REFUSED");
  }

  /** The node that removes the data of a closed merchant dies midway; another one continues. */
  @Test
  void continuesARemovalThatAnotherNodeHasBegun() throws Exception {
    TestMerchant merchant = TestMerchant.in("main", server);
    assertThat(merchant.api().create(Stock.one(merchant.product(), "red", "36-40", 5)).success())
        .isTrue();
    String path = "/admin/merchants/" + merchant.id();
    String confirm = "{\"confirm\":\"%s\"}".formatted(merchant.storeUrl());
    try (CellSide other = moves.side(1)) {
      assertThat(
              AdvisoryLock.MERCHANT_REMOVAL.tryHoldForConnection(other.connection(), merchant.id()))
          .isTrue();
      assertThat(admin.post(path + "/close", confirm).status()).isEqualTo(200);
      assertThat(admin.post(path + "/remove", confirm).status()).isEqualTo(200);
      other.mark(merchant.id(), "left");
      other.execute("delete from stock_entry where merchant_id = " + merchant.id());

      assertThat(moves.move(merchant, "east").body()).contains("MOVE_REFUSED", "being removed");
      assertThat(admin.get(path).json().get("removedAt").isNull()).isTrue();
    }

    assertThat(Eventually.within(SOON, () -> admin.get(path).json().get("removedAt").isString()))
        .isTrue();
    assertThat(
            merchant.texts(
                """
                select (select count(*) from product where merchant_id = m) || ' ' ||
                  (select count(*) from change_log where merchant_id = m) || ' ' ||
                  (select count(*) from absent_merchant where merchant_id = m)
                from (select ?::int as m) of
                """))
        .containsExactly("0 0 0");
    assertThat(merchant.texts("select action from audit where merchant_id = ? order by number"))
        .endsWith("merchant.remove");
  }

  @Test
  void refusesImpossibleMoves() {
    TestMerchant merchant = TestMerchant.in("main", server);
    assertThat(moves.move(merchant, "main").body()).contains("MOVE_REFUSED", "already");
    assertThat(moves.move(merchant, "west").codes()).containsExactly("CELL_MISSING");
    assertThat(admin.post("/admin/merchants/999999/move", "{\"to\":\"east\"}").codes())
        .containsExactly("MERCHANT_MISSING");
    assertThat(addCell("south").status()).isEqualTo(201);
    assertThat(admin.post("/admin/cells/south/drain", "").json().get("moves").asInt()).isZero();
    assertThat(moves.move(merchant, "south").body()).contains("MOVE_REFUSED", "draining");
    assertThat(admin.send("DELETE", "/admin/cells/south/drain", "").status()).isEqualTo(200);
    TestMerchant.in("south", server);
    assertThat(
            admin.post("/admin/cells/south/drain", "{\"to\":\"east\"}").json().get("moves").asInt())
        .isEqualTo(1);
    assertThat(admin.send("DELETE", "/admin/cells/south/drain", "").status()).isEqualTo(200);
  }
}
