package io.stockroom.demo.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.TableCopy;
import io.stockroom.protocol.SizeRange;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Consistency;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratorTest {
  private static final TableCopy.Watcher NO_WATCHER = (_, _) -> {};
  private static final String BROKEN =
      """
      select 'number ' || product_id from (
        select product_id, number,
          row_number() over (partition by merchant_id order by product_id) - 1 as expected
        from product) numbered
      where number <> expected
      union all
      select 'no detail ' || product_id from product p
      left join product_detail d using (merchant_id, product_id) where d.title is null
      union all
      select 'no account ' || merchant_id from merchant_data
      left join detail_usage a using (merchant_id) where a.used is null
      union all
      select 'no color ' || product_id from stock_entry
      left join stock_color c using (merchant_id, product_id, color_no) where c.color is null
      union all
      select 'shared barcode ' || barcode from stock_entry
      group by merchant_id, barcode having count(*) > 1
      union all
      select 'shared guid ' || guid from stock_entry group by guid having count(*) > 1
      """;

  @TempDir Path folder;

  @Test
  void theSameSeedGivesTheSameRows() throws Exception {
    try (ScratchDatabase first = new ScratchDatabase();
        ScratchDatabase second = ScratchDatabase.withTables();
        ScratchDatabase other = ScratchDatabase.withTables()) {
      Generator.run(first.database(), plan(3, 50, 1), NO_WATCHER);
      Generator.run(second.database(), plan(3, 50, 1), NO_WATCHER);
      Generator.run(other.database(), plan(3, 50, 2), NO_WATCHER);

      Map<String, String> rows = withoutTrail(first);
      assertThat(withoutTrail(second)).isEqualTo(rows);
      assertThat(withoutTrail(other).get("stock_entry")).isNotEqualTo(rows.get("stock_entry"));
      assertThat(withoutTrail(other).get("product_block")).isEqualTo(rows.get("product_block"));
    }
  }

  @Test
  void keepsExactCountsAndSharesTheProductsEvenly() throws Exception {
    try (ScratchDatabase scratch = ScratchDatabase.withTables()) {
      Generator.Made made = Generator.run(scratch.database(), plan(3, 1000, 1), NO_WATCHER);

      assertThat(scratch.texts(BROKEN)).isEmpty();
      for (int merchantId = 1; merchantId <= 3; merchantId++) {
        assertThat(scratch.texts(Consistency.sql(merchantId))).isEmpty();
      }
      assertThat(scratch.texts("select products from merchant_data order by merchant_id"))
          .containsExactly("334", "333", "333");
      assertThat(made.stocked()).isEqualTo(268 + 267 + 267);
      assertThat(made.entries()).isEqualTo(made.stocked() * 2L * 5);
      assertThat(scratch.texts("select count(*) from product where has_stock"))
          .containsExactly("" + made.stocked());
      assertThat(scratch.texts("select count(*) from stock_entry"))
          .containsExactly("" + made.entries());
      assertThat(scratch.texts("select min(size_text) || ' ' || max(size_text) from stock_entry"))
          .containsExactly("36 40");
      assertThat(scratch.texts("select max(product_id) from product")).containsExactly("1000");
      assertThat(new Audit(Cells.single(scratch.database())).verify().intact()).isTrue();
    }
  }

  @Test
  void givesTheFirstMerchantAsManyAsAskedAndTheOthersTheRest() throws Exception {
    try (ScratchDatabase scratch = ScratchDatabase.withTables()) {
      Plan plan = new Plan(3, 701, 300, 2, SizeRange.parse("36-40"), 1, "http://localhost:8080");
      Generator.run(scratch.database(), plan, NO_WATCHER);

      assertThat(scratch.texts(BROKEN)).isEmpty();
      for (int merchantId = 1; merchantId <= 3; merchantId++) {
        assertThat(scratch.texts(Consistency.sql(merchantId))).isEmpty();
      }
      assertThat(scratch.texts("select products from merchant_data order by merchant_id"))
          .containsExactly("300", "201", "200");
    }
  }

  @Test
  void theInterfaceListsAndReadsWhatWasGenerated() throws Exception {
    try (ScratchDatabase scratch = ScratchDatabase.withTables()) {
      Generator.Made made = Generator.run(scratch.database(), plan(2, 600, 1), NO_WATCHER);
      try (Stockroom stockroom = scratch.serve(folder)) {
        TestServer server = TestServer.of(stockroom);
        TestMerchant newcomer = TestMerchant.on(server);
        Api api = accessTo(made.firstMerchantId() + 1, newcomer);

        Reply page = api.products("page=6");
        assertThat(page.json().get("totalPages").asInt()).isEqualTo(6);
        assertThat(page.data("id")).hasSize(50).startsWith("551").endsWith("600");
        assertThat(api.products("page=1&stock=false").json().get("totalPages").asInt())
            .isEqualTo(2);
        Reply stock = api.stock(301);
        assertThat(stock.data("size"))
            .containsExactly("36", "37", "38", "39", "40", "36", "37", "38", "39", "40");
        assertThat(new HashSet<>(stock.data("color"))).hasSize(2);
        assertThat(api.stock(305).data()).isEmpty();
        assertThat(api.detail(301).status()).isEqualTo(200);
        assertThat(newcomer.id()).isEqualTo(made.firstMerchantId() + 2);
        assertThat(newcomer.product()).isEqualTo(601);
      }
    }
  }

  @Test
  void rejectsADatabaseWithProductsAndLeavesItUnchanged() throws Exception {
    try (ScratchDatabase scratch = ScratchDatabase.withTables()) {
      Generator.run(scratch.database(), plan(1, 1, 1), NO_WATCHER);
      Map<String, String> before = scratch.checksums();

      assertThatThrownBy(() -> Generator.run(scratch.database(), plan(1, 1, 1), NO_WATCHER))
          .isInstanceOf(GeneratorException.class)
          .hasMessageContaining("already contains products");
      assertThat(scratch.checksums()).isEqualTo(before);
    }
  }

  @Test
  void keepsMerchantsWithoutProducts() throws Exception {
    try (ScratchDatabase scratch = ScratchDatabase.withTables()) {
      int early;
      try (Stockroom stockroom = scratch.serve(folder)) {
        early = TestMerchant.on(TestServer.of(stockroom)).id();
      }
      Generator.Made made = Generator.run(scratch.database(), plan(2, 10, 1), NO_WATCHER);

      assertThat(made.firstMerchantId()).isEqualTo(early + 1);
      assertThat(scratch.texts(BROKEN)).isEmpty();
    }
  }

  @Test
  void rejectsNumbersOutOfBounds() {
    SizeRange sizes = SizeRange.parse("1-100");

    new Plan(Plan.MAX_MERCHANTS, Plan.MAX_PRODUCTS, 0, 1, sizes, 1, "");
    assertThatThrownBy(() -> new Plan(0, 1, 0, 1, sizes, 1, ""))
        .hasMessageContaining("0 merchants");
    assertThatThrownBy(() -> new Plan(1, 0, 0, 1, sizes, 1, "")).hasMessageContaining("0 products");
    assertThatThrownBy(() -> new Plan(1, 1, 0, Plan.MAX_COLORS + 1, sizes, 1, ""))
        .hasMessageContaining("301 colors");
    assertThatThrownBy(() -> new Plan(1, Plan.MAX_PRODUCTS, 0, 2, sizes, 1, ""))
        .hasMessageContaining("Ask for fewer");
    assertThatThrownBy(() -> new Plan(2, 10, 11, 1, sizes, 1, ""))
        .hasMessageContaining("11 products of one merchant");
  }

  private static Api accessTo(int merchantId, TestMerchant other) {
    String body = "{\"appid\":\"%s\",\"merchantId\":%d}".formatted(other.api().appid(), merchantId);
    Reply reply = Admin.of(other.api().server()).post("/admin/tokens", body);
    return other.api().withToken(reply.json().get("accesstoken").asString());
  }

  private static Plan plan(int merchants, int products, long seed) {
    return new Plan(
        merchants, products, 0, 2, SizeRange.parse("36-40"), seed, "http://localhost:8080");
  }

  /** Checksums of all tables except the logs, which contain the time. */
  private static Map<String, String> withoutTrail(ScratchDatabase database) {
    Map<String, String> checksums = database.checksums();
    checksums.keySet().removeAll(List.of("audit", "change_log", "log_head"));
    return checksums;
  }
}
