package io.stockroom.core.stock;

import io.stockroom.core.changes.Cursor;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The digests of merchants' stock. They are stored, and only blocks with changes since then are
 * computed again.
 */
final class StockDigests {
  private static final int ROWS_AT_ONCE = 2_000;
  private static final long NEVER = -1;

  /** The digests of all blocks of a merchant, by number, as they are at the cursor. */
  record Digests(Cursor cursor, List<DigestBlock> blocks) {}

  private static final String BLOCKS_AND_LOG =
      """
      select h.log_id, h.last_change, d.number, b.block, b.products, b.entries, b.digest
      from stock_digest d
      join log_head h on h.merchant_id = d.merchant_id
      left join stock_digest_block b on b.merchant_id = d.merchant_id
      where d.merchant_id = :merchantId
      """;

  /** The stored digests, unless changes came after them. */
  private static final Sql CURRENT =
      Sql.of(BLOCKS_AND_LOG + " and d.number = h.last_change order by b.block");

  private static final Sql STORED = Sql.of(BLOCKS_AND_LOG + " order by b.block");

  /**
   * Creates or locks the merchant's row. What a crash of the database loses is computed again, so
   * the commit need not wait for the disk.
   */
  private static final Sql LOCK_HEAD =
      Sql.of(
          """
          insert into stock_digest as d (merchant_id, number)
          select :merchantId, -1 where set_config('synchronous_commit', 'off', true) is not null
          on conflict (merchant_id) do update set number = d.number
          returning number
          """);

  private static final String LOG =
      """
      with log as (
        select h.last_change, coalesce(o.number, h.last_change + 1) as oldest
        from log_head h left join lateral (
          select number from change_log where merchant_id = h.merchant_id
          order by number limit 1
        ) o on true
        where h.merchant_id = :merchantId
      )
      """;

  /** The products with entries; see {@link DigestBlock.Digester#add}. */
  private static String products(String range) {
    return """
        (
          select e.product_id, e.packed, e.sizes, c.colors from (
            select product_id, string_agg(
                int8send((color_no::bigint << 32) | quantity), null) as packed,
              string_agg(size_text, chr(31)) as sizes
            from stock_entry where merchant_id = :merchantId %1$s group by product_id
          ) e join (
            select product_id, string_agg(color, chr(31) order by color_no) as colors
            from stock_color where merchant_id = :merchantId %1$s group by product_id
          ) c using (product_id)
        ) p
        """
        .formatted(range);
  }

  /**
   * Every product. The end of the log is read in the same snapshot; it is joined to the products,
   * because these come in the right order then, and the first arrive before the last are read.
   */
  private static final Sql ALL =
      Sql.of(
          LOG
              + "select log.*, p.product_id / 256 as block, p.* from "
              + products("")
              + "left join log on true order by p.product_id");

  /** The end of the log of a merchant without entries; no row if it has some. */
  private static final Sql EMPTY =
      Sql.of(
          LOG
              + """
              select log.*, null::int as block from log where not exists (
                select 1 from stock_entry where merchant_id = :merchantId
              )
              """);

  /** The products of every block with changes; one row for a block without entries. */
  private static final Sql CHANGED =
      Sql.of(
          LOG
              + """
              , changed as (
                select distinct product_id / 256 as block from change_log
                where merchant_id = :merchantId and number > :since and kind = 'stock'
              )
              select log.*, b.block, p.* from log
              left join changed b on true
              left join lateral
              """
              + products("and product_id >= b.block * 256 and product_id < (b.block + 1) * 256")
              + "on true order by b.block, p.product_id");

  private static final Sql DELETE_ALL =
      Sql.of("delete from stock_digest_block where merchant_id = :merchantId");

  /** Blocks without entries have no row. */
  private static final Sql SAVE =
      Sql.of(
          """
          with computed as (
            select * from unnest(:blocks::int[], :products::int[], :entries::int[],
              :digests::bytea[]) b (block, products, entries, digest)
          ), emptied as (
            delete from stock_digest_block b using computed c
            where b.merchant_id = :merchantId and b.block = c.block and c.entries = 0
          ), saved as (
            insert into stock_digest_block (merchant_id, block, products, entries, digest)
            select :merchantId, block, products, entries, digest from computed where entries > 0
            on conflict (merchant_id, block) do update
            set products = excluded.products, entries = excluded.entries,
              digest = excluded.digest
          )
          update stock_digest set number = :number where merchant_id = :merchantId
          """);

  private final Cells cells;

  StockDigests(Cells cells) {
    this.cells = cells;
  }

  Digests of(int merchantId) throws SQLException {
    Digests current =
        cells
            .of(merchantId)
            .<@Nullable Digests>read(connection -> read(connection, CURRENT, merchantId));
    return current != null
        ? current
        : cells.of(merchantId).write(connection -> refreshed(connection, merchantId));
  }

  /** Null if there is no row. */
  private static @Nullable Digests read(Connection connection, Sql statement, int merchantId)
      throws SQLException {
    List<DigestBlock> blocks = new ArrayList<>();
    List<Cursor> cursors = new ArrayList<>(1);
    statement
        .on(connection)
        .set("merchantId", merchantId)
        .forEach(
            row -> {
              if (cursors.isEmpty()) {
                UUID logId = row.getObject("log_id", UUID.class);
                cursors.add(Cursor.of(logId, row.getLong("number")));
              }
              byte[] digest = row.getBytes("digest");
              if (digest != null) {
                blocks.add(
                    new DigestBlock(
                        row.getInt("block"),
                        row.getInt("products"),
                        row.getInt("entries"),
                        digest));
              }
            });
    return cursors.isEmpty() ? null : new Digests(cursors.getFirst(), blocks);
  }

  /**
   * Locks the merchant's digests, so that concurrent calls, on any node, compute a block once. Each
   * statement sees what was committed before it.
   */
  private static Digests refreshed(Connection connection, int merchantId) throws SQLException {
    long since =
        LOCK_HEAD.on(connection).set("merchantId", merchantId).one(row -> row.getLong("number"));
    Computed computed = since == NEVER ? null : changed(connection, merchantId, since);
    if (computed == null || computed.oldest > since + 1) {
      DELETE_ALL.on(connection).set("merchantId", merchantId).update();
      computed = all(connection, merchantId);
    }
    save(connection, merchantId, computed);
    Digests digests = read(connection, STORED, merchantId);
    if (digests == null) {
      throw new SQLException("merchant " + merchantId + " has no log");
    }
    return digests;
  }

  /**
   * Blocks as they are after a change.
   *
   * @param oldest the oldest change that the log still has
   */
  private record Computed(List<DigestBlock> blocks, long lastChange, long oldest) {}

  private static Computed all(Connection connection, int merchantId) throws SQLException {
    Computed computed = null;
    while (computed == null) {
      computed = compute(ALL.on(connection).set("merchantId", merchantId));
      if (computed == null) {
        computed = compute(EMPTY.on(connection).set("merchantId", merchantId));
      }
    }
    return computed;
  }

  private static @Nullable Computed changed(Connection connection, int merchantId, long since)
      throws SQLException {
    return compute(CHANGED.on(connection).set("merchantId", merchantId).set("since", since));
  }

  /** Null if there is no row. */
  private static @Nullable Computed compute(Sql.Call call) throws SQLException {
    DigestBlock.Digester digester = new DigestBlock.Digester();
    List<Computed> log = new ArrayList<>(1);
    call.fetchSize(ROWS_AT_ONCE)
        .forEach(
            row -> {
              if (log.isEmpty()) {
                log.add(new Computed(List.of(), row.getLong("last_change"), row.getLong("oldest")));
              }
              int block = row.getInt("block");
              if (!row.wasNull()) {
                digester.add(
                    block,
                    row.getInt("product_id"),
                    row.getBytes("packed"),
                    row.getString("sizes"),
                    row.getBytes("colors"));
              }
            });
    if (log.isEmpty()) {
      return null;
    }
    Computed head = log.getFirst();
    return new Computed(digester.blocks(), head.lastChange, head.oldest);
  }

  private static void save(Connection connection, int merchantId, Computed computed)
      throws SQLException {
    List<DigestBlock> blocks = computed.blocks;
    SAVE.on(connection)
        .set("merchantId", merchantId)
        .set("blocks", blocks.stream().mapToInt(DigestBlock::number).toArray())
        .set("products", blocks.stream().mapToInt(DigestBlock::products).toArray())
        .set("entries", blocks.stream().mapToInt(DigestBlock::entries).toArray())
        .set("digests", blocks.stream().map(DigestBlock::digest).toArray(byte[][]::new))
        .set("number", computed.lastChange)
        .update();
  }
}
