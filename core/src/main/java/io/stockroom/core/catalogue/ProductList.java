package io.stockroom.core.catalogue;

import io.stockroom.core.cache.ReadCache;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.database.CellReads;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.FormReader.ProductListRequest;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * {@code POST /Stock/Product}: the merchant's products, page by page. The last page is as fast as
 * the first.
 */
public final class ProductList implements Endpoint<ProductListRequest> {
  private record Key(int merchantId, int first, int last) {}

  private record Summary(int id, String artNo, String pic) {}

  // encoded once: a page has hundreds of each
  private static final SerializableString ID = new SerializedString("id");
  private static final SerializableString ART_NO = new SerializedString("artNo");
  private static final SerializableString PIC = new SerializedString("pic");

  private record Page(int totalPages, List<Summary> data) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeNumberProperty("totalPages", totalPages);
      out.writeArrayPropertyStart("data");
      for (Summary product : data) {
        out.writeStartObject();
        out.writeName(ID);
        out.writeNumber(product.id);
        out.writeName(ART_NO);
        out.writeString(product.artNo);
        out.writeName(PIC);
        out.writeString(product.pic);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  /** Collects the rows of one page. */
  private static final class Found {
    private final List<Summary> data = new ArrayList<>();
    private int total;
    private byte @Nullable [] hash;
    private boolean hasArchived;

    /** Reads the columns from {@code first} on: the total, the product or nulls, the log's hash. */
    void add(ResultSet row, int first) throws SQLException {
      if (data.isEmpty()) {
        total = row.getInt(first);
        hash = row.getBytes(first + 4);
      }
      String artNo = row.getString(first + 2);
      if (artNo != null) {
        data.add(new Summary(row.getInt(first + 1), artNo, row.getString(first + 3)));
      }
    }

    /** The page; one beyond the last is not cached. */
    ReadCache.Read page(int pageSize) {
      return new ReadCache.Read(
          new Page(Math.ceilDiv(total, pageSize), data), data.isEmpty() ? null : hash);
    }
  }

  private final Cells cells;
  private final ReadCache cache;
  private final CellReads<Key, Found> pages;
  private final int pageSize;

  public ProductList(Cells cells, ReadCache cache, int pageSize) {
    this.cells = cells;
    this.cache = cache;
    this.pages = cells.batched(Key::merchantId, ProductList::read);
    this.pageSize = pageSize;
  }

  @Override
  public ProductListRequest read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.productList(content);
  }

  @Override
  public Answer answer(Call call, ProductListRequest request) throws SQLException {
    int merchantId = call.caller().merchantId();
    Boolean stock = request.stock();
    int page = request.page();
    return cache.get(
        new ReadCache.Key.Products(merchantId, stock, page),
        () ->
            stock == null
                ? all(merchantId, page)
                : counted(stock ? WITH_STOCK : WITHOUT_STOCK, merchantId, page));
  }

  /**
   * A page of all products is a range of product numbers. Archived products leave gaps in them, so
   * their merchants' pages are found by the counts of the blocks.
   */
  private ReadCache.Read all(int merchantId, int page) throws SQLException {
    long first = (page - 1L) * pageSize;
    Key key = new Key(merchantId, within(first), within(first + pageSize - 1));
    Found found = pages.get(key);
    return found.hasArchived ? counted(ALL, merchantId, page) : found.page(pageSize);
  }

  private static int within(long number) {
    return (int) Math.min(number, Integer.MAX_VALUE);
  }

  private static final Sql PAGES =
      Sql.of(
          """
          select k.n, m.archived > 0, m.products, p.product_id, p.art_no, p.pic, h.hash
          from unnest(:merchantIds::int[], :firsts::int[], :lasts::int[])
            with ordinality k (merchant_id, first, last, n)
          join merchant_data m on m.merchant_id = k.merchant_id
          left join product p
            on m.archived = 0 and p.merchant_id = m.merchant_id
            and p.number >= k.first and p.number <= k.last
          left join log_head h on h.merchant_id = k.merchant_id
          order by k.n, p.number
          """);

  private static List<Found> read(Connection connection, List<Key> keys) throws SQLException {
    List<Found> pages = new ArrayList<>(keys.size());
    keys.forEach(_ -> pages.add(new Found()));
    PAGES
        .on(connection)
        .set("merchantIds", keys.stream().mapToInt(Key::merchantId).toArray())
        .set("firsts", keys.stream().mapToInt(Key::first).toArray())
        .set("lasts", keys.stream().mapToInt(Key::last).toArray())
        .forEach(
            row -> {
              Found page = pages.get(row.getInt(1) - 1);
              page.hasArchived = row.getBoolean(2);
              page.add(row, 3);
            });
    return pages;
  }

  private static final Sql ALL = counted("products", "");
  private static final Sql WITH_STOCK = counted("with_stock", "and has_stock");
  private static final Sql WITHOUT_STOCK = counted("products - with_stock", "and not has_stock");

  private static Sql counted(String matching, String condition) {
    return Sql.of(
        """
      with coarse as materialized (
        select block, matching, sum(matching) over (order by block) as upto
        from (
          select block, %1$s as matching from product_block where merchant_id = :merchantId and level = 1
        ) counted
      ), region as (
        select block, :skipped - (upto - matching) as skip
        from coarse where upto > :skipped order by block limit 1
      ), fine as materialized (
        select f.block, f.matching, region.skip, sum(f.matching) over (order by f.block) as upto
        from region cross join lateral (
          select block, %1$s as matching from product_block
          where merchant_id = :merchantId and level = 0
            and block >= region.block * %3$d and block < (region.block + 1) * %3$d
        ) f
      ), start as (
        select block * %4$d as number, skip - (upto - matching) as skip
        from fine where upto > skip order by block limit 1
      )
      select (select coalesce(max(upto), 0) from coarse) as total,
             p.product_id, p.art_no, p.pic,
             (select hash from log_head where merchant_id = :merchantId)
      from (select 1) one
      left join (
        select found.product_id, found.art_no, found.pic, found.number
        from start, lateral (
          select product_id, art_no, pic, number from product
          where merchant_id = :merchantId %2$s and number >= start.number
          order by number
          offset start.skip limit :pageSize
        ) found
      ) p on true
      order by p.number
      """
            .formatted(
                matching,
                condition,
                ProductBlocks.FINE_PER_COARSE,
                ProductBlocks.SPANS.getFirst()));
  }

  /** Adds up the block counts to find the start of the page. */
  private ReadCache.Read counted(Sql statement, int merchantId, int page) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              Found found = new Found();
              statement
                  .on(connection)
                  .set("merchantId", merchantId)
                  .set("skipped", (page - 1L) * pageSize)
                  .set("pageSize", pageSize)
                  .forEach(row -> found.add(row, 1));
              return found.page(pageSize);
            });
  }
}
