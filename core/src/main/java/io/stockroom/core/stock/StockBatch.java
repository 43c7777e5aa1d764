package io.stockroom.core.stock;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.cache.ReadCache;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Failure;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.stock.StockList.Entries;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Stock/Batch}: the stock of several products, each in the place of its id. */
public final class StockBatch implements Endpoint<List<Integer>> {
  /** With more entries, the caller has to ask for fewer products. */
  static final int MAX_ENTRIES = 20_000;

  private static final Sql ENTRIES =
      Sql.of(
          """
          select count(*) from (
            select 1 from stock_entry
            where merchant_id = :merchantId and product_id = any (:productIds)
            limit :limit
          ) e
          """);

  /**
   * The stock of each product.
   *
   * @param stocks side by side with the ids; null where there is no such product
   */
  private record Stocks(List<Integer> productIds, List<@Nullable Entries> stocks)
      implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeStringProperty("msg", "");
      out.writeArrayPropertyStart("products");
      for (int i = 0; i < productIds.size(); i++) {
        int productId = productIds.get(i);
        Entries entries = stocks.get(i);
        out.writeStartObject();
        out.writeNumberProperty("pid", productId);
        if (entries == null) {
          Problem missing = Problem.of("", ErrorCode.PRODUCT_MISSING, productId);
          out.writeStringProperty("code", missing.code().name());
          out.writeStringProperty("msg", missing.message(language));
        } else {
          entries.write(out, "entries");
        }
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private final Cells cells;

  public StockBatch(Cells cells) {
    this.cells = cells;
  }

  @Override
  public CallKind kind() {
    return CallKind.OTHER;
  }

  @Override
  public List<Integer> read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.stockBatch(content);
  }

  @Override
  public Answer answer(Call call, List<Integer> productIds) throws SQLException {
    int merchantId = call.caller().merchantId();
    return cells
        .of(merchantId)
        .<Answer>read(connection -> read(connection, merchantId, productIds));
  }

  private static Answer read(Connection connection, int merchantId, List<Integer> productIds)
      throws SQLException {
    int entries =
        ENTRIES
            .on(connection)
            .set("merchantId", merchantId)
            .set("productIds", productIds.stream().mapToInt(Integer::intValue).toArray())
            .set("limit", MAX_ENTRIES + 1)
            .one(row -> row.getInt(1));
    if (entries > MAX_ENTRIES) {
      return Failure.of("productid", ErrorCode.ENTRIES_TOO_MANY, MAX_ENTRIES);
    }
    return new Stocks(
        productIds,
        StockList.read(
            connection,
            productIds.stream().map(id -> new ReadCache.Key.Stock(merchantId, id)).toList()));
  }
}
