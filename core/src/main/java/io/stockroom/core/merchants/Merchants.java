package io.stockroom.core.merchants;

import io.stockroom.core.access.MerchantLimits;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Creates and finds merchants, and sets their limits. */
public final class Merchants {
  public static final int NAME_CHARACTERS = 100;

  private static final String COLUMNS =
      """
      select m.merchant_id, m.name, m.store_url, m.store_name, m.created_at, m.limits, %s
      from merchant m
      """
          .formatted(MerchantStatus.COLUMNS);

  private static final Sql FIND = Sql.of(COLUMNS + "where m.merchant_id = :merchantId");
  private static final Sql ALL = Sql.of(COLUMNS + "order by m.merchant_id");

  private static final Sql NEXT_ID =
      Sql.of("select nextval(pg_get_serial_sequence('merchant', 'merchant_id'))");

  private static final Sql CREATE =
      Sql.of(
          """
          insert into merchant (merchant_id, name, store_url, store_name, cell_id)
          values (:merchantId, :name, :storeUrl, :storeName, :cellId)
          """);

  private static final Sql CREATE_DATA =
      Sql.of(
          """
          with created as (
            insert into merchant_data (merchant_id, store_url, store_name)
            values (:merchantId, :storeUrl, :storeName) returning merchant_id
          ), log as (
            insert into log_head (merchant_id) select merchant_id from created
          )
          insert into detail_usage (merchant_id, day, used)
          select merchant_id, '-infinity', 0 from created
          """);

  private static final Sql LOCK_LIMITS =
      Sql.of(
          """
          select limits from merchant where merchant_id = :merchantId for no key update
          """);

  private static final Sql SET_LIMIT =
      Sql.of(
          """
          update merchant set limits = limits || jsonb_build_object(:name::text, :value::text)
          where merchant_id = :merchantId
          """);

  private static final Sql UNSET_LIMIT =
      Sql.of(
          """
          update merchant set limits = limits - :name::text where merchant_id = :merchantId
          """);

  /**
   * One merchant.
   *
   * @param limits the limits that the operator set for this merchant, which override the settings
   */
  public record Merchant(
      int merchantId,
      String name,
      String storeUrl,
      String storeName,
      int products,
      int productsWithStock,
      Instant createdAt,
      MerchantStatus status,
      Map<String, String> limits) {
    private static Merchant read(ResultSet row) throws SQLException {
      return new Merchant(
          row.getInt("merchant_id"),
          row.getString("name"),
          row.getString("store_url"),
          row.getString("store_name"),
          0,
          0,
          Sql.instant(row, "created_at"),
          MerchantStatus.read(row),
          new TreeMap<>(MerchantLimits.read(row)));
    }

    private Merchant with(MerchantSummary summary) {
      return new Merchant(
          merchantId,
          name,
          storeUrl,
          storeName,
          summary.products(),
          summary.withStock(),
          createdAt,
          status,
          limits);
    }
  }

  private final Cells cells;
  private final Audit audit;

  public Merchants(Cells cells, Audit audit) {
    this.cells = cells;
    this.audit = audit;
  }

  /** Creates a merchant in the active cell with the fewest merchants. */
  public int create(String name, String storeUrl, String storeName, Actor actor)
      throws SQLException {
    return create(name, storeUrl, storeName, null, actor);
  }

  /**
   * Creates a merchant in a cell.
   *
   * @param cellId the cell; null for the active one with the fewest merchants
   */
  public int create(
      String name, String storeUrl, String storeName, @Nullable Integer cellId, Actor actor)
      throws SQLException {
    Database directory = cells.directory();
    int merchantId = directory.read(connection -> NEXT_ID.on(connection).one(row -> row.getInt(1)));
    int chosen = cellId == null ? directory.read(Merchants::emptiest) : cellId;
    cells.place(merchantId, chosen);
    // Data without a merchant is harmless, and its id is never used again; the reverse is not.
    cells
        .of(merchantId)
        .write(
            connection ->
                CREATE_DATA
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("storeUrl", storeUrl)
                    .set("storeName", storeName)
                    .update());
    return directory.write(
        connection -> {
          CREATE
              .on(connection)
              .set("merchantId", merchantId)
              .set("name", name)
              .set("storeUrl", storeUrl)
              .set("storeName", storeName)
              .set("cellId", chosen)
              .update();
          audit.addFromDirectory(connection, merchantId, actor, "merchant.create", storeUrl, name);
          return merchantId;
        });
  }

  private static int emptiest(Connection connection) throws SQLException {
    Integer emptiest = CellTable.emptiest(connection);
    return emptiest == null ? Cells.MAIN : emptiest;
  }

  /** The id of the cell with this name; null if there is none. */
  public @Nullable Integer cell(String name) throws SQLException {
    return cells
        .directory()
        .<@Nullable Integer>read(connection -> CellTable.named(connection, name));
  }

  public @Nullable Merchant find(int merchantId) throws SQLException {
    List<Merchant> found =
        cells
            .directory()
            .read(
                connection ->
                    FIND.on(connection).set("merchantId", merchantId).list(Merchant::read));
    return found.isEmpty() ? null : summarized(found).getFirst();
  }

  public List<Merchant> all() throws SQLException {
    return summarized(
        cells.directory().read(connection -> ALL.on(connection).list(Merchant::read)));
  }

  private List<Merchant> summarized(List<Merchant> merchants) throws SQLException {
    Map<Integer, MerchantSummary> summaries =
        MerchantSummary.find(cells, merchants.stream().map(Merchant::merchantId).toList());
    return merchants.stream()
        .map(each -> each.with(summaries.getOrDefault(each.merchantId, MerchantSummary.NONE)))
        .toList();
  }

  /** Sets limits of a merchant, in the form in which they are stored; null restores the default. */
  public void change(int merchantId, Map<String, @Nullable String> limits, Actor actor)
      throws SQLException {
    cells
        .directory()
        .write(
            connection -> {
              Map<String, String> former = lockLimits(connection, merchantId);
              for (Map.Entry<String, @Nullable String> limit : limits.entrySet()) {
                change(connection, merchantId, limit.getKey(), limit.getValue());
              }
              audit.addFromDirectory(
                  connection,
                  merchantId,
                  actor,
                  "merchant.limits",
                  "limits",
                  LimitHistory.details(former, limits));
              return merchantId;
            });
  }

  /** Reads the limits, and locks them until the transaction ends. */
  private static Map<String, String> lockLimits(Connection connection, int merchantId)
      throws SQLException {
    Map<String, String> limits =
        LOCK_LIMITS.on(connection).set("merchantId", merchantId).first(MerchantLimits::read);
    return limits == null ? Map.of() : limits;
  }

  private static void change(
      Connection connection, int merchantId, String name, @Nullable String value)
      throws SQLException {
    Sql.Call call = (value == null ? UNSET_LIMIT : SET_LIMIT).on(connection);
    if (value != null) {
      call.set("value", value);
    }
    call.set("name", name).set("merchantId", merchantId).update();
  }
}
