package io.stockroom.core.catalogue;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Failure;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.Success;
import io.stockroom.core.changes.ChangeFeed;
import io.stockroom.core.changes.Cursor;
import io.stockroom.core.database.Cells;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.ProductsReader;
import io.stockroom.protocol.request.ProductsReader.FindRequest;
import io.stockroom.protocol.request.RequestContent;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /Product/Find}: products by item number, barcode, words and changes, in the order of
 * their ids, page by page.
 */
public final class FindProducts implements Endpoint<FindProducts.Request> {
  /**
   * A well-formed request.
   *
   * @param next where the page begins; null for the first page
   */
  record Request(FindRequest wanted, @Nullable Cursor changedAfter, @Nullable Next next) {}

  /** Where the next page begins: after this product, of the merchant with this log. */
  private record Next(long log, int productId) {
    private static final String PREFIX = "p_";
    private static final int BYTES = Long.BYTES + Integer.BYTES;

    private static Next of(UUID logId, int productId) {
      return new Next(Cursor.of(logId, 0).log(), productId);
    }

    private String text() {
      ByteBuffer bytes = ByteBuffer.allocate(BYTES).putLong(log).putInt(productId);
      return PREFIX + Cursor.encode(bytes.array());
    }

    private static @Nullable Next parse(String text) {
      byte[] bytes =
          text.startsWith(PREFIX) ? Cursor.decode(text.substring(PREFIX.length()), BYTES) : null;
      if (bytes == null) {
        return null;
      }
      ByteBuffer content = ByteBuffer.wrap(bytes);
      return new Next(content.getLong(), content.getInt());
    }
  }

  private record Found(int pid, String artNo, String title, StockStatus status) {
    private static Found read(ResultSet row) throws SQLException {
      return new Found(
          row.getInt("product_id"),
          row.getString("art_no"),
          row.getString("title"),
          StockStatus.of(
              row.getLong("entries") > 0,
              row.getLong("quantity"),
              row.getLong("least"),
              row.getInt("low_below")));
    }
  }

  private final Cells cells;
  private final ChangeFeed feed;
  private final ProductSummaries summaries;

  public FindProducts(Cells cells, ChangeFeed feed) {
    this.cells = cells;
    this.feed = feed;
    this.summaries = new ProductSummaries(cells);
  }

  @Override
  public CallKind kind() {
    return CallKind.OTHER;
  }

  @Override
  public Request read(Call call, RequestContent content) throws InvalidRequest {
    FindRequest wanted = ProductsReader.find(content);
    Cursor changedAfter =
        wanted.changedAfter().isEmpty() ? null : Cursor.parse(wanted.changedAfter());
    if (changedAfter == null && !wanted.changedAfter().isEmpty()) {
      throw InvalidRequest.of("changedAfter", ErrorCode.CURSOR_FORMAT, wanted.changedAfter());
    }
    Next next = wanted.after().isEmpty() ? null : Next.parse(wanted.after());
    if (next == null && !wanted.after().isEmpty()) {
      throw InvalidRequest.of("after", ErrorCode.CURSOR_FORMAT, wanted.after());
    }
    return new Request(wanted, changedAfter, next);
  }

  /** The cursor is read first, so that no change is missed between this call and the next. */
  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    int merchantId = call.caller().merchantId();
    ChangeFeed.Page log = feed.after(merchantId, 0, 0);
    Cursor changedAfter = request.changedAfter;
    if (changedAfter != null && !log.knows(changedAfter)) {
      return Rejection.of("changedAfter", ErrorCode.CURSOR_FORMAT, request.wanted.changedAfter());
    }
    if (request.next != null && request.next.log != Next.of(log.logId(), 0).log) {
      return Rejection.of("after", ErrorCode.CURSOR_FORMAT, request.wanted.after());
    }
    if (changedAfter != null && log.isExpired(changedAfter.number())) {
      return Failure.of("changedAfter", ErrorCode.CURSOR_EXPIRED, log.oldest());
    }
    if (!request.wanted.words().isEmpty()) {
      var _ = summaries.refresh(merchantId);
    }
    List<Found> found = find(merchantId, request);
    boolean hasMore = found.size() > request.wanted.limit();
    List<Found> page = hasMore ? found.subList(0, request.wanted.limit()) : found;
    String next = hasMore ? Next.of(log.logId(), page.getLast().pid).text() : "";
    return new Success(
        out -> {
          out.writeStringProperty("cursor", log.cursor().text());
          out.writeStringProperty("next", next);
          out.writeArrayPropertyStart("products");
          for (Found product : page) {
            out.writeStartObject();
            out.writeNumberProperty("pid", product.pid);
            out.writeStringProperty("artNo", product.artNo);
            out.writeStringProperty("title", product.title);
            out.writeStringProperty("status", product.status.word());
            out.writeEndObject();
          }
          out.writeEndArray();
        });
  }

  /** One product more than the page has, if there are more. */
  private List<Found> find(int merchantId, Request request) throws SQLException {
    FindRequest wanted = request.wanted;
    return cells
        .of(merchantId)
        .read(
            connection -> {
              ProductSearch search =
                  new ProductSearch(merchantId, ProductFilter.search(wanted.words()))
                      .begin(connection);
              if (request.next != null) {
                search.add("and s.product_id > :after", "after", request.next.productId);
              }
              if (!wanted.artNos().isEmpty()) {
                search.add(
                    "and s.art_no = any (:artNos)",
                    "artNos",
                    wanted.artNos().toArray(String[]::new));
              }
              if (!wanted.barCodes().isEmpty()) {
                search.add(
                    """
                    and s.product_id in (
                      select product_id from stock_entry
                      where merchant_id = s.merchant_id and barcode = any (:barCodes))
                    """,
                    "barCodes",
                    wanted.barCodes().toArray(String[]::new));
              }
              if (request.changedAfter != null) {
                search.add(
                    """
                    and s.product_id in (
                      select product_id from change_log
                      where merchant_id = s.merchant_id and number > :changedAfter)
                    """,
                    "changedAfter",
                    request.changedAfter.number());
              }
              return search.products(connection, wanted.limit() + 1).list(Found::read);
            });
  }
}
