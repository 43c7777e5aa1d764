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
import java.util.Arrays;
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

  // encoded once: a page has hundreds of each
  private static final SerializableString ID = new SerializedString("id");
  private static final SerializableString ART_NO = new SerializedString("artNo");
  private static final SerializableString PIC = new SerializedString("pic");

  /**
   * A page of products. The database returns one row with an array for each column. The statement
   * and its result cost about half of what they do with a row for each product.
   *
   * @param hash that of the log's head in the same snapshot
   */
  private record Page(
      int totalPages,
      List<Integer> ids,
      List<String> artNos,
      List<String> pics,
      byte @Nullable [] hash)
      implements Answer {
    static final String COLUMNS =
        """
        coalesce(array_agg(product_id order by number), '{}') as ids,
        coalesce(array_agg(art_no order by number), '{}') as art_nos,
        coalesce(array_agg(pic order by number), '{}') as pics
        """;

    static Page of(ResultSet row, int pageSize) throws SQLException {
      return new Page(
          Math.ceilDiv(row.getInt("total"), pageSize),
          List.of((Integer[]) row.getArray("ids").getArray()),
          Sql.texts(row, "art_nos"),
          Sql.texts(row, "pics"),
          row.getBytes("hash"));
    }

    /** A page beyond the last is not cached. */
    ReadCache.Read cacheable() {
      return new ReadCache.Read(this, ids.isEmpty() ? null : hash);
    }

    @Override
    public int expectedBytes() {
      return 64 + 160 * ids.size();
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeNumberProperty("totalPages", totalPages);
      out.writeArrayPropertyStart("data");
      for (int i = 0; i < ids.size(); i++) {
        out.writeStartObject();
        out.writeName(ID);
        out.writeNumber(ids.get(i));
        out.writeName(ART_NO);
        out.writeString(artNos.get(i));
        out.writeName(PIC);
        out.writeString(pics.get(i));
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private final Cells cells;
  private final ReadCache cache;
  private final CellReads<Key, @Nullable Page> pages;
  private final int pageSize;

  public ProductList(Cells cells, ReadCache cache, int pageSize) {
    this.cells = cells;
    this.cache = cache;
    this.pages = cells.batched(Key::merchantId, this::read);
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
    Page found = pages.get(key);
    return found == null ? counted(ALL, merchantId, page) : found.cacheable();
  }

  private static int within(long number) {
    return (int) Math.min(number, Integer.MAX_VALUE);
  }

  private static final Sql PAGES =
      Sql.of(
          """
          select k.n, m.products as total, p.ids, p.art_nos, p.pics, h.hash
          from unnest((select :merchantIds::int[]), (select :firsts::int[]), (select :lasts::int[]))
            with ordinality k (merchant_id, first, last, n)
          join merchant_data m on m.merchant_id = k.merchant_id and m.archived = 0
          left join log_head h on h.merchant_id = k.merchant_id
          cross join lateral (
            select %s from product
            where merchant_id = k.merchant_id and number >= k.first and number <= k.last
          ) p
          """
              .formatted(Page.COLUMNS));

  /** Null for a merchant with archived products. */
  private List<@Nullable Page> read(Connection connection, List<Key> keys) throws SQLException {
    @Nullable Page[] pages = new Page[keys.size()];
    PAGES
        .on(connection)
        .set("merchantIds", keys.stream().mapToInt(Key::merchantId).toArray())
        .set("firsts", keys.stream().mapToInt(Key::first).toArray())
        .set("lasts", keys.stream().mapToInt(Key::last).toArray())
        .forEach(row -> pages[row.getInt("n") - 1] = Page.of(row, pageSize));
    return Arrays.asList(pages);
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
        select block * %4$d as first, skip - (upto - matching) as skip
        from fine where upto > skip order by block limit 1
      )
      select (select coalesce(max(upto), 0) from coarse) as total, p.ids, p.art_nos, p.pics,
             (select hash from log_head where merchant_id = :merchantId) as hash
      from (
        select %5$s
        from start cross join lateral (
          select product_id, art_no, pic, number from product
          where merchant_id = :merchantId %2$s and number >= start.first
          order by number
          offset start.skip limit :pageSize
        ) found
      ) p
      """
            .formatted(
                matching,
                condition,
                ProductBlocks.FINE_PER_COARSE,
                ProductBlocks.SPANS.getFirst(),
                Page.COLUMNS));
  }

  /** Adds up the block counts to find the start of the page. */
  private ReadCache.Read counted(Sql statement, int merchantId, int page) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                statement
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("skipped", (page - 1L) * pageSize)
                    .set("pageSize", pageSize)
                    .one(row -> Page.of(row, pageSize))
                    .cacheable());
  }
}
