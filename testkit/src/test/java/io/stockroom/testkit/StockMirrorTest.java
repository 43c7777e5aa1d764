package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockDigest;
import io.stockroom.client.StockEntry;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.mirror.JdbcMirrorStore;
import io.stockroom.client.mirror.MemoryMirrorStore;
import io.stockroom.client.mirror.MirrorStore;
import io.stockroom.client.mirror.MirrorStoreException;
import io.stockroom.client.mirror.StockMirror;
import io.stockroom.client.mirror.Verification;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.postgres.DataFolder;
import io.stockroom.postgres.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Mirrors of a real server's stock, in memory and in a PostgreSQL of their own. */
class StockMirrorTest {
  private static final StockroomServer SERVER = SharedServer.get();

  @TempDir static Path folder;

  private static DataFolder data;
  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void startDatabase() {
    data = DataFolder.open(folder);
    data.hold();
    postgres = EmbeddedPostgres.start(data);
  }

  @AfterAll
  static void stopDatabase() {
    postgres.close();
    data.close();
  }

  private static PGSimpleDataSource database() {
    DatabaseAddress owner = postgres.roles().owner();
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(owner.jdbcUrl());
    database.setUser(owner.user());
    database.setPassword(owner.password());
    return database;
  }

  private static JdbcMirrorStore table(TestMerchant merchant) {
    return new JdbcMirrorStore(database(), "merchant " + merchant.id()).createTables();
  }

  private static void change(String sql, Object... values) throws SQLException {
    try (Connection connection = database().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      assertThat(statement.executeUpdate()).isPositive();
    }
  }

  /** Every entry of a copy or of the server, as text and in one order. */
  private static List<String> entries(List<ProductStock> products) {
    List<String> entries = new ArrayList<>();
    for (ProductStock product : products) {
      product.entries().stream()
          .sorted(Comparator.comparing(StockEntry::color).thenComparing(StockEntry::size))
          .forEach(entry -> entries.add(product.pid() + " " + product.artNo() + " " + entry));
    }
    return entries;
  }

  private static void assertEqual(MirrorStore store, StockroomClient client) {
    List<ProductStock> copied = new ArrayList<>();
    store.read(copied::add);
    assertThat(entries(copied)).isEqualTo(entries(client.snapshot().products().toList()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void followsEveryChangeAndProvesToBeEqual(boolean inDatabase) throws Exception {
    TestMerchant merchant = SERVER.merchant("Followed");
    List<Integer> pids = merchant.addProducts(4);
    merchant.addStock(pids.getFirst(), "red", "36-38", 5);
    RecordingStore store =
        new RecordingStore(inDatabase ? table(merchant) : new MemoryMirrorStore());
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (StockroomClient client = merchant.client()) {
      StockMirror mirror = new StockMirror(client, store);
      Future<?> following = threads.submit(mirror::follow);
      new RandomChanges(SERVER, merchant, pids, 17).run(40);
      Verification proof = mirror.verify();
      assertThat(proof.repaired()).isEmpty();
      assertThat(proof.digest()).isEqualTo(client.digest().digest());
      assertEqual(store, client);
      assertThat(store.snapshots()).isEqualTo(1);

      merchant.addStock(pids.getFirst(), "red", "36", 77);
      mirror.sync();
      assertThat(mirror.stock(pids.getFirst(), "red", 36)).hasValue(77);
      assertThat(mirror.stock(pids.getFirst(), "none", 36)).isEmpty();
      mirror.close();
      following.get(30, TimeUnit.SECONDS);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void continuesWhereAKilledProgramStopped() {
    TestMerchant merchant = SERVER.merchant("Killed");
    List<Integer> pids = merchant.addProducts(3);
    int kills = 0;
    int snapshots = 0;
    try (StockroomClient client = merchant.client()) {
      for (int round = 0; round < 8; round++) {
        new RandomChanges(SERVER, merchant, pids, round).run(5);
        RecordingStore store = new RecordingStore(table(merchant)).dieAfter(round % 3);
        try (StockMirror mirror = new StockMirror(client, store)) {
          mirror.sync();
        } catch (RecordingStore.Killed killed) {
          kills++;
        }
        snapshots += store.snapshots();
      }
      assertThat(kills).isPositive();
      assertThat(snapshots).isEqualTo(1);
      RecordingStore last = new RecordingStore(table(merchant));
      try (StockMirror mirror = new StockMirror(client, last)) {
        assertThat(mirror.verify().wasEqual()).isTrue();
      }
      assertThat(last.snapshots()).isZero();
      assertEqual(last, client);
    }
  }

  @Test
  void repairsOnlyTheBlocksThatDiffer() throws SQLException {
    TestMerchant merchant = SERVER.merchant("Repaired");
    List<Integer> pids = merchant.addProducts(2 * StockDigest.PRODUCTS_PER_BLOCK + 1);
    int first = pids.getFirst();
    int middle = pids.get(StockDigest.PRODUCTS_PER_BLOCK);
    int last = pids.getLast();
    for (int pid : List.of(first, middle, last)) {
      merchant.addStock(pid, "red", "36-38", 5);
    }
    String name = "merchant " + merchant.id();
    RecordingStore store = new RecordingStore(table(merchant));
    try (StockroomClient client = merchant.client();
        StockMirror mirror = new StockMirror(client, store)) {
      assertThat(mirror.verify())
          .isEqualTo(new Verification(3, List.of(), client.digest().digest()));

      change(
          "update stockroom_entry set stock = 6 where mirror = ? and pid = ? and size = '37'",
          name,
          middle);
      assertThat(mirror.verify().repaired()).containsExactly(block(middle));
      assertEqual(store, client);

      change("delete from stockroom_entry where mirror = ? and pid = ?", name, first);
      change("update stockroom_entry set pid = pid - 1 where mirror = ? and pid = ?", name, last);
      assertThat(mirror.verify().repaired()).containsExactly(block(first), block(last));
      assertThat(store.replacedBlocks()).containsExactly(block(middle), block(first), block(last));
      assertEqual(store, client);
      assertThat(mirror.verify().wasEqual()).isTrue();
      assertThat(store.snapshots()).isEqualTo(1);
    }
  }

  private static int block(int pid) {
    return pid / StockDigest.PRODUCTS_PER_BLOCK;
  }

  @Test
  void comparesAtOnePositionWhileTheStockChanges() throws Exception {
    TestMerchant merchant = SERVER.merchant("Busy");
    List<Integer> pids = merchant.addProducts(3);
    merchant.addStock(pids.getFirst(), "red", "36-39", 5);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try (StockroomClient client = merchant.client()) {
      StockMirror mirror = new StockMirror(client, new MemoryMirrorStore());
      Future<?> changing =
          threads.submit(() -> new RandomChanges(SERVER, merchant, pids, 5).run(60));
      Future<?> following = threads.submit(mirror::follow);
      int proofs = 0;
      do {
        assertThat(mirror.verify().wasEqual()).isTrue();
        proofs++;
      } while (!changing.isDone());
      changing.get();
      assertThat(proofs).isGreaterThan(1);
      mirror.close();
      following.get(30, TimeUnit.SECONDS);
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refusesASecondWriter(boolean inDatabase) {
    MirrorStore store = inDatabase ? table(SERVER.merchant("Shared")) : new MemoryMirrorStore();
    store.replaceAll("c_1", Stream.empty());
    store.apply("c_1", "c_2", Collections.emptyList());
    assertThatThrownBy(() -> store.apply("c_1", "c_3", List.of()))
        .isInstanceOf(MirrorStoreException.class)
        .hasMessageContaining("Another mirror");
    assertThat(store.cursor()).contains("c_2");
  }

  @Test
  void runsTheDocumentedExample() throws InterruptedException {
    TestMerchant merchant = SERVER.merchant("Documented");
    int pid = merchant.addProduct();
    merchant.addStock(pid, "red", "36", 5);
    try (StockroomClient client = merchant.client()) {
      Snippets.mirror(client, database(), pid);
      assertThat(new JdbcMirrorStore(database(), "acme").product(pid).orElseThrow().entries())
          .isEqualTo(client.stock(pid));
    }
  }

  @Test
  void reportsAFailureOfTheDatabase() {
    PGSimpleDataSource wrong = database();
    wrong.setPassword("wrong");
    assertThatThrownBy(() -> new JdbcMirrorStore(wrong, "any").cursor())
        .isInstanceOf(MirrorStoreException.class)
        .hasCauseInstanceOf(SQLException.class);
  }
}
