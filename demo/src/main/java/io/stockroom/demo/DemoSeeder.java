package io.stockroom.demo;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.stock.StockEntries;
import io.stockroom.core.stock.StockEntries.NewEntry;
import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.JobRejection;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.pictures.Pictures;
import io.stockroom.protocol.Size;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Fills an empty server with the demo marketplace, through the regular import and stock rules. If
 * the marketplace exists already, only updates the picture URLs and keeps changed stock.
 */
public final class DemoSeeder {
  static final Actor DEMO = new Actor("demo", "");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final JsonFactory JSON = new JsonFactory();

  /** A merchant of the demo, with one product that has stock and one that has none. */
  public record Seeded(
      int merchantId, String name, int products, int stockedProductId, int bareProductId) {}

  private static final Sql PRODUCT_IDS =
      Sql.of("select art_no, product_id from product where merchant_id = :merchantId");

  private final Cells cells;
  private final Pictures pictures;
  private final Merchants merchants;
  private final Imports imports;
  private final StockEntries entries;

  public DemoSeeder(
      Cells cells, Pictures pictures, Merchants merchants, Imports imports, StockEntries entries) {
    this.cells = cells;
    this.pictures = pictures;
    this.merchants = merchants;
    this.imports = imports;
    this.entries = entries;
  }

  public List<Seeded> seed(String baseUrl) throws SQLException, IOException {
    List<Seeded> seeded = new ArrayList<>();
    String server = baseUrl.replaceAll("/+$", "");
    for (DemoMarketplace.Merchant merchant : DemoMarketplace.merchants()) {
      seeded.add(seed(merchant, server));
    }
    return seeded;
  }

  private Seeded seed(DemoMarketplace.Merchant merchant, String server)
      throws SQLException, IOException {
    int merchantId = find(merchant);
    DemoPictures stored = new DemoPictures(pictures, merchantId, server);
    List<DemoMarketplace.Product> products = merchant.products(stored::address);
    ImportJob done = imported(merchantId, lines(products));
    Map<String, Integer> ids = ids(merchantId);
    if (done.report().counts().created() > 0) {
      List<NewEntry> stock = stock(products, ids);
      Origin origin =
          new Origin(DEMO, ChangeSource.IMPORT, "stock.create", "demo", stock.size() + " entries");
      cells.of(merchantId).write(connection -> entries.put(connection, merchantId, stock, origin));
    }
    return new Seeded(
        merchantId,
        merchant.name(),
        products.size(),
        first(products, ids, true),
        first(products, ids, false));
  }

  private ImportJob imported(int merchantId, byte[] lines) throws SQLException, IOException {
    ImportJob job;
    try {
      job =
          imports.submit(
              merchantId,
              "demo.jsonl",
              new ByteArrayInputStream(lines),
              true,
              false,
              ImportOptions.NONE,
              DEMO);
    } catch (JobRejection refused) {
      throw new IllegalStateException("the demo's products were rejected", refused);
    }
    ImportJob done = imports.await(merchantId, job.importId(), PATIENCE);
    if (done == null || done.state() != ImportJob.State.APPLIED) {
      throw new IllegalStateException("the demo's products were not imported: " + done);
    }
    return done;
  }

  private int find(DemoMarketplace.Merchant merchant) throws SQLException {
    for (Merchants.Merchant known : merchants.all()) {
      if (known.storeUrl().equals(merchant.storeUrl()) && known.name().equals(merchant.name())) {
        return known.merchantId();
      }
    }
    return merchants.create(merchant.name(), merchant.storeUrl(), merchant.storeName(), DEMO);
  }

  private static int first(
      List<DemoMarketplace.Product> products, Map<String, Integer> ids, boolean stocked) {
    return products.stream()
        .filter(product -> product.colors().isEmpty() != stocked)
        .map(product -> ids.getOrDefault(product.artNo(), 0))
        .findFirst()
        .orElseThrow();
  }

  private Map<String, Integer> ids(int merchantId) throws SQLException {
    Map<String, Integer> ids = new HashMap<>();
    cells
        .of(merchantId)
        .read(
            connection -> {
              PRODUCT_IDS
                  .on(connection)
                  .set("merchantId", merchantId)
                  .forEach(row -> ids.put(row.getString("art_no"), row.getInt("product_id")));
              return ids;
            });
    return ids;
  }

  private static List<NewEntry> stock(
      List<DemoMarketplace.Product> products, Map<String, Integer> ids) {
    List<NewEntry> stock = new ArrayList<>();
    for (DemoMarketplace.Product product : products) {
      int productId = ids.getOrDefault(product.artNo(), 0);
      for (DemoMarketplace.Color color : product.colors()) {
        for (DemoMarketplace.Entry entry : color.entries()) {
          stock.add(
              new NewEntry(
                  productId,
                  color.name(),
                  Size.of(entry.size()),
                  entry.quantity(),
                  entry.barCode()));
        }
      }
    }
    return stock;
  }

  private static byte[] lines(List<DemoMarketplace.Product> products) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (DemoMarketplace.Product product : products) {
      try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
        write(out, product);
      }
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator out, DemoMarketplace.Product product) {
    out.writeStartObject();
    out.writeStringProperty("artNo", product.artNo());
    out.writeStringProperty("title", product.title());
    out.writeStringProperty("description", product.description());
    out.writeArrayPropertyStart("imgs");
    product.imgs().forEach(out::writeString);
    out.writeEndArray();
    out.writeNumberProperty("price", product.price());
    out.writeStringProperty("categoryIdTree", product.categoryIdTree());
    out.writeStringProperty("categoryNameTree", product.categoryNameTree());
    out.writeArrayPropertyStart("attributes");
    for (DemoMarketplace.Attribute attribute : product.attributes()) {
      out.writeStartObject();
      out.writeStringProperty("name", attribute.name());
      out.writeStringProperty("value", attribute.value());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeStringProperty("video", product.video());
    out.writeArrayPropertyStart("skus");
    for (DemoMarketplace.Color color : product.colors()) {
      out.writeStartObject();
      out.writeStringProperty("color", color.name());
      out.writeStringProperty("skuImg", color.picture());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
