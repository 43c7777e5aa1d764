package io.stockroom.core.stock;

import io.stockroom.core.cache.ReadCache;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.database.CellReads;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.SizeJson;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * {@code POST /Stock/List}: the stock entries of one product. Concurrent calls share a statement.
 */
public final class StockList implements Endpoint<Integer> {
  record Entry(UUID guid, @Nullable String barCode, int colorNo, Size size, int stock) {}

  // encoded once, since an answer has hundreds of them
  private static final SerializableString GUID = new SerializedString("guid");
  private static final SerializableString BAR_CODE = new SerializedString("barCode");
  private static final SerializableString COLOR = new SerializedString("color");
  private static final SerializableString SIZE = new SerializedString("size");
  private static final SerializableString STOCK = new SerializedString("stock");

  /**
   * Entries with the names of their colors, by number.
   *
   * @param hash that of the log's head in the same snapshot
   */
  record Entries(List<Entry> data, List<String> colors, byte @Nullable [] hash) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      write(out, "data");
      out.writeStringProperty("msg", "");
      out.writeEndObject();
    }

    /** Writes the entries as a property. */
    void write(JsonGenerator out, String name) {
      out.writeArrayPropertyStart(name);
      for (Entry entry : data) {
        writeEntry(
            out, entry.guid, entry.barCode, colors.get(entry.colorNo), entry.size, entry.stock);
      }
      out.writeEndArray();
    }
  }

  /** Writes an entry as every call shows it. */
  static void writeEntry(
      JsonGenerator out, UUID guid, @Nullable String barCode, String color, Size size, int stock) {
    out.writeStartObject();
    out.writeName(GUID);
    out.writeString(Guids.text(guid));
    out.writeName(BAR_CODE);
    if (barCode == null) {
      out.writeNull();
    } else {
      out.writeString(barCode);
    }
    out.writeName(COLOR);
    out.writeString(color);
    out.writeName(SIZE);
    SizeJson.write(out, size);
    out.writeName(STOCK);
    out.writeNumber(stock);
    out.writeEndObject();
  }

  private record Rejected(Problem problem) implements Answer {
    @Override
    public Map<String, String> headers() {
      return Map.of(Answer.ERROR_CODE, problem.code().name());
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", false);
      out.writeStringProperty("data", "");
      out.writeStringProperty("msg", problem.message(language));
      out.writeEndObject();
    }
  }

  /**
   * Reads colors second: each is older than its entries, so none is missing. They are numbered from
   * 0 without gaps, so the index in the list is the number.
   */
  private static final Sql ENTRIES_AND_COLORS =
      Sql.of(
          """
          select k.n, e.guid, e.barcode, e.color_no, e.size_text, e.quantity, h.hash
          from unnest((select :merchantIds::int[]), (select :productIds::int[]))
            with ordinality k (merchant_id, product_id, n)
          join product p on p.merchant_id = k.merchant_id and p.product_id = k.product_id
          left join stock_entry e on e.merchant_id = p.merchant_id and e.product_id = p.product_id
          left join log_head h on h.merchant_id = k.merchant_id
          order by k.n, e.color_no, e.size;
          select k.n, c.color
          from unnest((select :merchantIds::int[]), (select :productIds::int[]))
            with ordinality k (merchant_id, product_id, n)
          join stock_color c on c.merchant_id = k.merchant_id and c.product_id = k.product_id
          order by k.n, c.color_no
          """);

  private final ReadCache cache;
  private final CellReads<ReadCache.Key.Stock, @Nullable Entries> reads;

  public StockList(Cells cells, ReadCache cache) {
    this.cache = cache;
    this.reads = cells.batched(ReadCache.Key.Stock::merchantId, StockList::read);
  }

  @Override
  public Integer read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.stockList(content);
  }

  @Override
  public Answer answer(Call call, Integer productId) throws SQLException {
    ReadCache.Key.Stock key = new ReadCache.Key.Stock(call.caller().merchantId(), productId);
    return cache.get(key, () -> read(key));
  }

  private ReadCache.Read read(ReadCache.Key.Stock key) throws SQLException {
    Entries found = reads.get(key);
    if (found != null && !found.data.isEmpty()) {
      return new ReadCache.Read(found, found.hash);
    }
    ErrorCode reason = found == null ? ErrorCode.PRODUCT_MISSING : ErrorCode.STOCK_NOT_ADDED;
    return new ReadCache.Read(new Rejected(Problem.of("productid", reason, key.productId())), null);
  }

  /** Colors are in the order they were added, sizes ascend; null where there is no such product. */
  static List<@Nullable Entries> read(Connection connection, List<ReadCache.Key.Stock> keys)
      throws SQLException {
    @Nullable Entries[] found = new Entries[keys.size()];
    ENTRIES_AND_COLORS
        .on(connection)
        .set("merchantIds", keys.stream().mapToInt(ReadCache.Key.Stock::merchantId).toArray())
        .set("productIds", keys.stream().mapToInt(ReadCache.Key.Stock::productId).toArray())
        .forEachOfEach(row -> addEntry(row, found), row -> addColor(row, found));
    return Arrays.asList(found);
  }

  private static void addEntry(ResultSet row, @Nullable Entries[] found) throws SQLException {
    int n = row.getInt("n") - 1;
    Entries product = found[n];
    if (product == null) {
      product = new Entries(new ArrayList<>(), new ArrayList<>(), row.getBytes("hash"));
      found[n] = product;
    }
    UUID guid = row.getObject("guid", UUID.class);
    if (guid != null) {
      product.data.add(
          new Entry(
              guid,
              row.getString("barcode"),
              row.getInt("color_no"),
              Size.of(row.getString("size_text")),
              row.getInt("quantity")));
    }
  }

  private static void addColor(ResultSet row, @Nullable Entries[] found) throws SQLException {
    Entries product = found[row.getInt("n") - 1];
    if (product != null) {
      product.colors.add(row.getString("color"));
    }
  }
}
