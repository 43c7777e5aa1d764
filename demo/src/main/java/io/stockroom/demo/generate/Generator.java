package io.stockroom.demo.generate;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.catalogue.ProductBlocks;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.TableCopy;
import io.stockroom.protocol.Size;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Copies a generated marketplace into the tables, as imports and creates would: ids and numbers
 * ascend within each merchant, and all counters are exact. Writes everything or nothing.
 */
public final class Generator {
  private static final String MERCHANT = "merchant";

  private static final String MERCHANT_DATA =
      "merchant_data, log_head, detail_usage, product, product_detail, product_block, stock_color,"
          + " stock_entry, change_log";

  private static final Sql NO_TIMEOUT = Sql.of("set local statement_timeout = 0");
  private static final Sql LOCK_MERCHANT = Sql.of("lock table " + MERCHANT + " in exclusive mode");

  private static final Sql LOCK_MERCHANT_DATA =
      Sql.of("lock table " + MERCHANT_DATA + " in exclusive mode");

  private static final Sql ANY_PRODUCT = Sql.of("select 1 from product limit 1");

  /** Reserves consecutive ids and returns the first. */
  private static final Sql TAKE_IDS =
      Sql.of(
          """
          select setval(:sequence::regclass, next + :count - 1) - :count + 1
          from (select nextval(:sequence::regclass) as next) taken
          """);

  /** The log of a merchant who has just got all products and entries. */
  private static final Sql RECORD =
      ChangeLog.recording(
          """
          with grouped as (
            select product_id, 'product' as kind, true as created, :fields::text[] as fields,
              null::smallint[] as colors, null::text[] as sizes,
              null::int[] as quantities_before, null::int[] as quantities_after,
              null::text[] as barcodes_before, null::text[] as barcodes_after,
              null::bigint as undoes
            from product where merchant_id = :merchantId
            union all
            select product_id, 'stock', null, null, array_agg(color_no), array_agg(size),
              array_agg(null::int), array_agg(quantity), array_agg(null::text), array_agg(barcode),
              null
            from stock_entry where merchant_id = :merchantId group by product_id
          )
          """);

  private static final Actor ACTOR = Actor.operator("");

  /** The result. */
  public record Made(
      int firstMerchantId, int merchants, int products, int stocked, long entries, long rows) {}

  private record First(int merchantId, int productId) {}

  private interface TableRows {
    void write(CopyRows to) throws IOException;
  }

  private interface ProductRows {
    void write(CopyRows to, int merchant, int number) throws IOException;
  }

  private interface MerchantRows {
    void write(CopyRows to, int merchant) throws IOException;
  }

  private final Connection connection;
  private final Plan plan;
  private final TableCopy.Watcher watcher;
  private final List<GeneratedColor> dyes;
  private final First first;
  private long rows;

  private Generator(Connection connection, Plan plan, TableCopy.Watcher watcher)
      throws SQLException {
    this.connection = connection;
    this.plan = plan;
    this.watcher = watcher;
    this.dyes = GeneratedColor.first(plan.colors());
    this.first = new First(merchantIds(), productIds());
  }

  public static Made run(Database database, Plan plan, TableCopy.Watcher watcher)
      throws SQLException, IOException {
    List<String> elsewhere = CellTable.elsewhere(database);
    if (!elsewhere.isEmpty()) {
      throw new GeneratorException(
          "The data of merchants is in several databases (cells: %s), and nothing was changed. Generate a marketplace into a new data folder, add the cells there with stockroom cell add, and move merchants to them with stockroom merchant move."
              .formatted(String.join(", ", elsewhere)));
    }
    Migrations.run(database);
    Audit audit = new Audit(Cells.single(database));
    try {
      Made made =
          database.writeOnce(
              connection -> {
                prepare(connection);
                Made copied = new Generator(connection, plan, watcher).copyAll();
                audit.add(
                    connection,
                    Audit.SERVER,
                    ACTOR,
                    "marketplace.generate",
                    "marketplace",
                    "%d merchants, %d products, %d entries"
                        .formatted(copied.merchants, copied.products, copied.entries));
                return copied;
              });
      database.settle(MERCHANT);
      database.settle(MERCHANT_DATA);
      return made;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The locks allow reads and block imports and creates, so ids stay in order. */
  private static void prepare(Connection connection) throws SQLException {
    NO_TIMEOUT.on(connection).update();
    LOCK_MERCHANT.on(connection).update();
    LOCK_MERCHANT_DATA.on(connection).update();
    if (ANY_PRODUCT.on(connection).exists()) {
      throw new GeneratorException(
          "The database already contains products. A marketplace can only be generated into a database"
              + " without products; nothing was changed.");
    }
  }

  private int merchantIds() throws SQLException {
    return ids("merchant_merchant_id_seq", plan.merchants());
  }

  private int productIds() throws SQLException {
    return ids("product_id", plan.products());
  }

  private int ids(String sequence, int count) throws SQLException {
    return TAKE_IDS
        .on(connection)
        .set("sequence", sequence)
        .set("count", (long) count)
        .one(row -> row.getInt(1));
  }

  private Made copyAll() throws SQLException {
    merchants("merchant (merchant_id, name, store_url, store_name, created_at)", this::merchant);
    merchants("merchant_data (merchant_id, store_url, store_name, products)", this::merchantData);
    merchants("log_head (merchant_id)", (to, merchant) -> to.number(merchantId(merchant)).end());
    merchants("detail_usage (merchant_id, day, used)", this::detailUsage);
    products("product (merchant_id, product_id, number, has_stock, art_no, pic)", this::product);
    products(
        """
        product_detail (merchant_id, product_id, title, description, imgs, price,
          category_id_tree, category_name_tree, attribute_names, attribute_values, video,
          image_colors, image_urls)""",
        this::detail);
    merchants("product_block (merchant_id, level, block, products, with_stock)", this::blocks);
    products("stock_color (merchant_id, product_id, color_no, color)", this::colors);
    long entries =
        products(
            """
            stock_entry (merchant_id, product_id, color_no, size, size_text, quantity, guid,
              barcode)""",
            this::entries);
    int stocked = 0;
    for (int merchant = 0; merchant < plan.merchants(); merchant++) {
      stocked += Plan.stocked(plan.productsOf(merchant));
      record(merchant);
    }
    return new Made(first.merchantId, plan.merchants(), plan.products(), stocked, entries, rows);
  }

  private void record(int merchant) throws SQLException {
    Sql.Call call =
        RECORD.on(connection).set("fields", ChangeLog.PRODUCT_FIELDS.toArray(String[]::new));
    Origin origin =
        new Origin(
            ACTOR,
            ChangeSource.IMPORT,
            "marketplace.generate",
            "products",
            plan.productsOf(merchant) + " products");
    ChangeLog.record(call, merchantId(merchant), origin);
  }

  private long merchants(String target, MerchantRows each) throws SQLException {
    return copy(
        target,
        to -> {
          for (int merchant = 0; merchant < plan.merchants(); merchant++) {
            each.write(to, merchant);
          }
        });
  }

  private long products(String target, ProductRows each) throws SQLException {
    return merchants(
        target,
        (to, merchant) -> {
          int products = plan.productsOf(merchant);
          for (int number = 0; number < products; number++) {
            each.write(to, merchant, number);
          }
        });
  }

  private long copy(String target, TableRows content) throws SQLException {
    String table = target.substring(0, target.indexOf(' '));
    try {
      long copied =
          TableCopy.in(
              connection,
              "copy " + target + " from stdin",
              stream -> {
                CopyRows copy = new CopyRows(stream, table, watcher);
                content.write(copy);
                copy.finish();
              });
      rows += copied;
      return copied;
    } catch (IOException e) {
      if (e.getCause() instanceof SQLException refused) {
        throw refused;
      }
      throw new UncheckedIOException(e);
    }
  }

  private void merchant(CopyRows to, int merchant) throws IOException {
    int number = merchant + 1;
    to.number(merchantId(merchant))
        .text("商家 " + number)
        .word("store-" + number)
        .text("鞋店 " + number)
        .word(SeededRandom.BEGINNING)
        .end();
  }

  private void merchantData(CopyRows to, int merchant) throws IOException {
    int number = merchant + 1;
    to.number(merchantId(merchant))
        .word("store-" + number)
        .text("鞋店 " + number)
        .number(plan.productsOf(merchant))
        .end();
  }

  private void detailUsage(CopyRows to, int merchant) throws IOException {
    to.number(merchantId(merchant)).word("-infinity").number(0).end();
  }

  private void product(CopyRows to, int merchant, int number) throws IOException {
    ProductDetails look = look(merchant, number);
    begin(to, merchant, number)
        .number(number)
        .flag(Plan.isStocked(number))
        .text(look.artNo())
        .text(look.pic())
        .end();
  }

  private void detail(CopyRows to, int merchant, int number) throws IOException {
    ProductDetails look = look(merchant, number);
    begin(to, merchant, number)
        .text(look.title())
        .text(look.description())
        .texts(look.pictures())
        .word(look.price())
        .text(look.categoryIds())
        .text(look.categoryNames())
        .texts(look.attributeNames())
        .texts(look.attributeValues())
        .word("")
        .texts(look.colors())
        .texts(look.picturesOfColors())
        .end();
  }

  private void blocks(CopyRows to, int merchant) throws IOException {
    int products = plan.productsOf(merchant);
    for (int level = 0; level < ProductBlocks.SPANS.size(); level++) {
      int span = ProductBlocks.SPANS.get(level);
      for (int start = 0; start < products; start += span) {
        int end = Math.min(products, start + span);
        to.number(merchantId(merchant))
            .number(level)
            .number(start / span)
            .number(end - start)
            .number(Plan.stocked(end) - Plan.stocked(start))
            .end();
      }
    }
  }

  private void colors(CopyRows to, int merchant, int number) throws IOException {
    if (!Plan.isStocked(number)) {
      return;
    }
    ProductDetails look = look(merchant, number);
    for (int color = 0; color < plan.colors(); color++) {
      begin(to, merchant, number).number(color).text(look.color(color)).end();
    }
  }

  private void entries(CopyRows to, int merchant, int number) throws IOException {
    if (!Plan.isStocked(number)) {
      return;
    }
    int ordinal = ordinal(merchant, number);
    SeededRandom chance = SeededRandom.ofStock(plan.seed(), ordinal);
    long entry = (long) ordinal * plan.colors() * plan.sizes().count();
    for (int color = 0; color < plan.colors(); color++) {
      for (Size size : plan.sizes().sizes()) {
        begin(to, merchant, number)
            .number(color)
            .word(size.rank())
            .word(size.text())
            .number(chance.below(200))
            .word(chance.guid())
            .word(GeneratedBarcode.of(entry++))
            .end();
      }
    }
  }

  private CopyRows begin(CopyRows to, int merchant, int number) {
    return to.number(merchantId(merchant))
        .number((long) first.productId + ordinal(merchant, number));
  }

  private ProductDetails look(int merchant, int number) {
    return new ProductDetails(plan, dyes, ordinal(merchant, number), number);
  }

  private int merchantId(int merchant) {
    return first.merchantId + merchant;
  }

  private int ordinal(int merchant, int number) {
    return plan.productsBefore(merchant) + number;
  }
}
