package io.stockroom.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.cache.ReadCache.StoredAnswer;
import io.stockroom.core.call.Answer;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Language;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;

/** What a cached answer survives, and what it does not. */
class ReadCacheTest {
  private static final Sql HASH =
      Sql.of("select hash from log_head where merchant_id = :merchantId");

  /** An answer of a certain size. */
  private record Text(int length) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeString("x".repeat(length));
    }
  }

  private final TestMerchant merchant = TestMerchant.fresh();
  private final ReadCache cache = cache(1_000_000);
  private int product;
  private int neighbor;
  private ReadCache.Key stock = new ReadCache.Key.Stock(0, 0);
  private ReadCache.Key neighborStock = stock;
  private ReadCache.Key all = stock;
  private ReadCache.Key filtered = stock;
  private ReadCache.Key snapshot = stock;

  @BeforeEach
  void fill() {
    List<Integer> products = merchant.products(2);
    product = products.getFirst();
    neighbor = products.getLast();
    products.forEach(each -> merchant.api().create(Stock.one(each, "red", "36", 5)));
    stock = new ReadCache.Key.Stock(merchant.id(), product);
    neighborStock = new ReadCache.Key.Stock(merchant.id(), neighbor);
    all = new ReadCache.Key.Products(merchant.id(), null, 1);
    filtered = new ReadCache.Key.Products(merchant.id(), true, 1);
    snapshot = new ReadCache.Key.Snapshot(merchant.id(), 0, 100, 0, 0);
    List.of(stock, neighborStock, all, filtered, snapshot).forEach(this::warm);
  }

  @Test
  void aQuantityDropsItsProductAndSnapshotsOnly() {
    merchant.api().create(Stock.one(product, "red", "36", 6));

    assertThat(isHit(stock)).isFalse();
    assertThat(isHit(snapshot)).isFalse();
    assertThat(isHit(neighborStock)).isTrue();
    assertThat(isHit(all)).isTrue();
    assertThat(isHit(filtered)).isTrue();
  }

  @Test
  void aNewEntryAlsoDropsFilteredLists() {
    merchant.api().create(Stock.one(product, "red", "37", 6));

    assertThat(isHit(filtered)).isFalse();
    assertThat(isHit(all)).isTrue();
    assertThat(isHit(neighborStock)).isTrue();
  }

  @Test
  void aProductDropsAllLists() {
    merchant.importProducts(TestMerchant.line("Another"));

    assertThat(isHit(all)).isFalse();
    assertThat(isHit(filtered)).isFalse();
    assertThat(isHit(stock)).isTrue();
  }

  @Test
  void anEntryOfTheAuditLogWithoutChangesDropsNothing() {
    merchant.application();

    assertThat(isHit(stock)).isTrue();
    assertThat(isHit(snapshot)).isTrue();
  }

  @Test
  void dropsEverythingIfTheLogNoLongerReachesBack() throws Exception {
    merchant.api().create(Stock.one(product, "red", "36", 6));
    merchant.api().create(Stock.one(product, "red", "36", 7));
    asOwner(
        "delete from change_log where merchant_id = %1$d and number = (select last_change - 1"
            + " from log_head where merchant_id = %1$d)");

    assertThat(isHit(neighborStock)).isFalse();
  }

  @Test
  void dropsEverythingAfterMoreChangesThanItFollows() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i <= Barrier.MAX_STEPS; i++) {
      lines.append(TestMerchant.line("Bulk" + i)).append('\n');
    }
    merchant.importProducts(lines.toString());

    assertThat(isHit(neighborStock)).isFalse();
  }

  @Test
  void dropsEverythingAfterARestore() throws Exception {
    asOwner("update log_head set log_id = gen_random_uuid() where merchant_id = %1$d");

    assertThat(isHit(neighborStock)).isFalse();
  }

  /** The new primary never got the last change, and gave its number to another. */
  @Test
  void dropsEverythingAfterAFailoverThatLostChanges() throws Exception {
    merchant.api().create(Stock.one(neighbor, "red", "36", 8));
    warm(neighborStock);
    asOwner(
        "set session_replication_role = replica",
        """
        update log_head h set number = a.number, hash = a.hash, last_change = h.last_change - 1
        from audit a where h.merchant_id = %1$d and a.merchant_id = h.merchant_id
          and a.number = h.number - 1
        """,
        "delete from audit a using log_head h where a.merchant_id = %1$d"
            + " and h.merchant_id = a.merchant_id and a.number > h.number",
        "delete from change_log c using log_head h where c.merchant_id = %1$d"
            + " and h.merchant_id = c.merchant_id and c.number > h.last_change",
        "update stock_entry set quantity = 5 where merchant_id = %1$d");
    merchant.api().create(Stock.one(product, "red", "36", 9));
    merchant.api().create(Stock.one(product, "red", "36", 10));

    assertThat(isHit(neighborStock)).isFalse();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void readsThroughWithoutALogOrWithoutSize() throws Exception {
    ReadCache.Key nobody = new ReadCache.Key.Stock(Integer.MAX_VALUE, 1);
    ReadCache none = cache(0);

    assertThat(isCached(cache, nobody)).isFalse();
    assertThat(isCached(none, stock)).isFalse();
    assertThat(none.bytes()).isZero();
  }

  @Test
  void keepsWhatIsUsedWhenSomebodyAsksForEverythingElse() {
    ReadCache small = cache(200_000);
    List<ReadCache.Key> used = List.of(stock, neighborStock, all, filtered, snapshot);
    for (int i = 0; i < 10; i++) {
      used.forEach(key -> isHit(small, key));
    }

    int hits = 0;
    for (int i = 1; i <= 2_000; i++) {
      isHit(small, new ReadCache.Key.Products(merchant.id(), null, 1_000 + i));
      if (i % 100 == 0) {
        hits += (int) used.stream().filter(key -> isHit(small, key)).count();
      }
    }

    assertThat(small.bytes()).isBetween(100_000L, 200_000L);
    assertThat(hits).isGreaterThan(90);
  }

  @Test
  void doesNotStoreAnAnswerThatWouldFillTheCache() {
    ReadCache small = cache(20_000);

    assertThat(isCached(small, all)).isFalse();
    assertThat(small.bytes()).isZero();
  }

  @Test
  void anotherNodeNeverShowsAnOldAnswer() {
    Api elsewhere = merchant.api().on(TestServer.other());
    for (int quantity = 10; quantity < 20; quantity++) {
      merchant.api().create(Stock.one(product, "red", "36", quantity));

      String first = elsewhere.stock(product).body();

      assertThat(first).contains("\"stock\":%d}".formatted(quantity));
      assertThat(elsewhere.stock(product).body()).isEqualTo(first);
    }
  }

  @Test
  void compressesAnAnswerOnce() {
    AtomicInteger compressions = new AtomicInteger();
    byte[] json = new byte[1_000];
    AtomicInteger weight = new AtomicInteger();
    StoredAnswer answer = new StoredAnswer(json, grown -> weight.set(grown.weight()));
    int plain = answer.weight();
    for (int i = 0; i < 3; i++) {
      byte[] gzip =
          answer.gzip(
              json,
              body -> {
                compressions.incrementAndGet();
                return new byte[500];
              });
      assertThat(gzip).hasSize(500);
    }

    assertThat(compressions).hasValue(1);
    assertThat(weight).hasValue(plain + 500);
  }

  private ReadCache cache(long size) {
    return new ReadCache(merchant.server().cells(), size, new SimpleMeterRegistry());
  }

  private void warm(ReadCache.Key key) {
    assertThat(Eventually.within(Duration.ofSeconds(20), () -> isHit(key))).isTrue();
  }

  /** Whether one of three reads was answered from memory. */
  private boolean isCached(ReadCache asked, ReadCache.Key key) {
    int hits = 0;
    for (int i = 0; i < 3; i++) {
      hits += isHit(asked, key) ? 1 : 0;
    }
    return hits > 0;
  }

  private boolean isHit(ReadCache.Key key) {
    return isHit(cache, key);
  }

  private boolean isHit(ReadCache asked, ReadCache.Key key) {
    AtomicInteger reads = new AtomicInteger();
    try {
      asked.get(
          key,
          () -> {
            reads.incrementAndGet();
            return new ReadCache.Read(new Text(1_000), hash());
          });
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
    return reads.get() == 0;
  }

  private byte[] hash() throws SQLException {
    return merchant
        .server()
        .database()
        .read(
            connection ->
                HASH.on(connection)
                    .set("merchantId", merchant.id())
                    .one(row -> row.getBytes("hash")));
  }

  private void asOwner(String... statements) throws SQLException {
    DatabaseAddress owner = TestServer.ownerOfCell();
    try (Connection connection =
            DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql.formatted(merchant.id()));
      }
    }
  }
}
