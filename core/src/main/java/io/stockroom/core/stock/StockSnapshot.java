package io.stockroom.core.stock;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.cache.ReadCache;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.changes.Cursor;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.FeedReader.SnapshotRequest;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * {@code POST /Stock/Snapshot}: the whole stock of a merchant, page by page, so that a copy can
 * start. The first page and its cursor are read in one snapshot of the database.
 */
public final class StockSnapshot implements Endpoint<StockSnapshot.Request> {
  /** A page ends early after this many entries: one product may have thousands. */
  static final int MAX_ENTRIES = 20_000;

  /**
   * A well-formed request.
   *
   * @param next where the page begins; null for the first page
   */
  record Request(@Nullable Next next, int limit) {}

  /**
   * Where the next page begins.
   *
   * @param cursor that of the first page
   */
  record Next(Cursor cursor, int productId) {
    private static final String PREFIX = "s_";
    private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

    String text() {
      ByteBuffer bytes =
          ByteBuffer.allocate(BYTES)
              .putLong(cursor.log())
              .putLong(cursor.number())
              .putInt(productId);
      return PREFIX + Cursor.encode(bytes.array());
    }

    static @Nullable Next parse(String text) {
      byte[] bytes = text.startsWith(PREFIX) ? Cursor.decode(text.substring(2), BYTES) : null;
      if (bytes == null) {
        return null;
      }
      ByteBuffer content = ByteBuffer.wrap(bytes);
      return new Next(new Cursor(content.getLong(), content.getLong()), content.getInt());
    }
  }

  private record Product(int id, String artNo, List<Entry> entries) {}

  private record Entry(UUID guid, @Nullable String barCode, String color, Size size, int stock) {}

  private static final class Page implements Answer {
    private final UUID logId;
    private final byte[] hash;
    private final Cursor cursor;
    private final boolean hasMore;
    private final List<Product> products = new ArrayList<>();

    private Page(UUID logId, byte[] hash, Cursor cursor, boolean hasMore) {
      this.logId = logId;
      this.hash = hash;
      this.cursor = cursor;
      this.hasMore = hasMore;
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeStringProperty("msg", "");
      out.writeStringProperty("cursor", cursor.text());
      out.writeStringProperty(
          "next", hasMore ? new Next(cursor, products.getLast().id).text() : "");
      out.writeArrayPropertyStart("products");
      for (Product product : products) {
        out.writeStartObject();
        out.writeNumberProperty("pid", product.id);
        out.writeStringProperty("artNo", product.artNo);
        out.writeArrayPropertyStart("entries");
        for (Entry entry : product.entries) {
          StockList.writeEntry(
              out, entry.guid, entry.barCode, entry.color, entry.size, entry.stock);
        }
        out.writeEndArray();
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private static final Sql PAGE =
      Sql.of(
          """
          with page as materialized (
            select product_id, art_no, row_number() over (order by product_id) as n,
              sum(entries) over (order by product_id) - entries as entries_before
            from (
              select product_id, art_no from product
              where merchant_id = :merchantId and product_id > :after and has_stock
              order by product_id limit :limit + 1
            ) p cross join lateral (
              select count(*) as entries from stock_entry
              where merchant_id = :merchantId and product_id = p.product_id
            ) c
          ), kept as materialized (
            select product_id, art_no from page where n <= :limit and entries_before < :maxEntries
          )
          select h.log_id, h.last_change, h.hash,
            (select count(*) from page) > (select count(*) from kept) as more,
            k.product_id, k.art_no, e.guid, e.barcode, c.color, e.size_text, e.quantity
          from log_head h
          left join kept k on true
          left join stock_entry e on e.merchant_id = h.merchant_id and e.product_id = k.product_id
          left join stock_color c on c.merchant_id = h.merchant_id
            and c.product_id = k.product_id and c.color_no = e.color_no
          where h.merchant_id = :merchantId
          order by k.product_id, e.color_no, e.size
          """);

  private final Cells cells;
  private final ReadCache cache;

  public StockSnapshot(Cells cells, ReadCache cache) {
    this.cells = cells;
    this.cache = cache;
  }

  @Override
  public CallKind kind() {
    return CallKind.OTHER;
  }

  @Override
  public Request read(Call call, RequestContent content) throws InvalidRequest {
    SnapshotRequest read = FeedReader.snapshot(content);
    if (read.after().isEmpty()) {
      return new Request(null, read.limit());
    }
    Next next = Next.parse(read.after());
    if (next == null) {
      throw InvalidRequest.of("after", ErrorCode.CURSOR_FORMAT, read.after());
    }
    return new Request(next, read.limit());
  }

  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    Next next = request.next;
    int merchantId = call.caller().merchantId();
    ReadCache.Key.Snapshot key =
        next == null
            ? new ReadCache.Key.Snapshot(merchantId, 0, request.limit, 0, 0)
            : new ReadCache.Key.Snapshot(
                merchantId, next.productId, request.limit, next.cursor.log(), next.cursor.number());
    return cache.get(key, () -> read(merchantId, request));
  }

  private ReadCache.Read read(int merchantId, Request request) throws SQLException {
    Next next = request.next;
    Page page =
        cells
            .of(merchantId)
            .read(
                connection -> {
                  List<Page> read = new ArrayList<>(1);
                  PAGE.on(connection)
                      .set("merchantId", merchantId)
                      .set("after", next == null ? 0 : next.productId)
                      .set("limit", request.limit)
                      .set("maxEntries", MAX_ENTRIES)
                      .forEach(row -> add(row, read, next));
                  return read.getFirst();
                });
    return next != null && !next.cursor.isOf(page.logId)
        ? new ReadCache.Read(Rejection.of("after", ErrorCode.CURSOR_FORMAT, next.text()), null)
        : new ReadCache.Read(page, page.products.isEmpty() ? null : page.hash);
  }

  private static void add(ResultSet row, List<Page> read, @Nullable Next next) throws SQLException {
    if (read.isEmpty()) {
      UUID logId = row.getObject("log_id", UUID.class);
      Cursor cursor = next == null ? Cursor.of(logId, row.getLong("last_change")) : next.cursor;
      read.add(new Page(logId, row.getBytes("hash"), cursor, row.getBoolean("more")));
    }
    UUID guid = row.getObject("guid", UUID.class);
    if (guid == null) {
      return;
    }
    List<Product> products = read.getFirst().products;
    int id = row.getInt("product_id");
    if (products.isEmpty() || products.getLast().id != id) {
      products.add(new Product(id, row.getString("art_no"), new ArrayList<>()));
    }
    products
        .getLast()
        .entries
        .add(
            new Entry(
                guid,
                row.getString("barcode"),
                row.getString("color"),
                Size.of(row.getString("size_text")),
                row.getInt("quantity")));
  }
}
