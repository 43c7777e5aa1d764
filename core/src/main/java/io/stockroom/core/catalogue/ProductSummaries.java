package io.stockroom.core.catalogue;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the summaries of products up to date: status, quantity, colors and the words to search by.
 * The change log tells which products changed, so writes of stock pay nothing. A page summarizes
 * what changed just before it, and a background job the rest of a large change.
 */
public final class ProductSummaries {
  /** A page that follows a large import shows older summaries rather than wait longer. */
  private static final Duration PAGE_BUDGET = Duration.ofMillis(250);

  private static final Duration BACKGROUND_BUDGET = Duration.ofSeconds(10);
  private static final Duration MAX_POSTPONED = Duration.ofMinutes(2);
  private static final int PRODUCTS_OF_PAGE = 200;
  private static final int PRODUCTS_AT_ONCE = 1_000;
  private static final int MERCHANTS_AT_ONCE = 200;

  private record Head(long number, @Nullable Integer rebuiltTo) {}

  /**
   * The products to summarize next, and the head after that.
   *
   * @param last whether nothing is left to do after it
   */
  private record Step(
      List<Integer> products, long number, @Nullable Integer rebuiltTo, boolean last) {}

  private static final Sql IS_CURRENT =
      Sql.of(
          """
          select 1 from product_summary_head s
          join log_head l using (merchant_id)
          where s.merchant_id = :merchantId and s.number >= l.last_change
            and s.rebuilt_to is null
          """);

  private static final Sql BEHIND =
      Sql.of(
          """
          select m.merchant_id from merchant_data m
          join log_head l using (merchant_id)
          left join product_summary_head s using (merchant_id)
          where l.last_change - coalesce(s.number, 0) > :changes or s.rebuilt_to is not null
          limit :limit
          """);

  private static final Sql HAS_RUNNING_JOB =
      Sql.of(
          """
          select 1 from import where merchant_id = :merchantId
            and state in ('planning', 'applying') and lease_until > now()
          """);

  private static final Sql CREATE_HEAD =
      Sql.of(
          """
          insert into product_summary_head (merchant_id, number)
          select merchant_id, last_change from log_head where merchant_id = :merchantId
          on conflict do nothing
          """);

  private static final Sql LOCK_HEAD =
      Sql.of(
          """
          select number, rebuilt_to from product_summary_head
          where merchant_id = :merchantId for update
          """);

  /** If changes were deleted before they were summarized, everything is summarized again. */
  private static final Sql LOG_HAS_GAP =
      Sql.of(
          """
          select 1 from log_head l where l.merchant_id = :merchantId and l.last_change > :number
            and not exists (
              select 1 from change_log c
              where c.merchant_id = l.merchant_id and c.number = :number + 1)
          """);

  /**
   * A product that changed several times is summarized once, when its last change is reached. So
   * the head may have passed a change that no summary shows yet, because its product changed again
   * after the head.
   */
  private static final Sql CHANGED =
      Sql.of(
          """
          select c.number, c.product_id from change_log c
          where c.merchant_id = :merchantId and c.number > :number and not exists (
            select 1 from change_log later
            where later.merchant_id = c.merchant_id and later.product_id = c.product_id
              and later.number > c.number offset 0)
          order by c.number limit :limit
          """);

  /** Also products that are gone and still have a summary. */
  private static final Sql NEXT_PRODUCTS =
      Sql.of(
          """
          select product_id from (
            (select product_id from product
             where merchant_id = :merchantId and product_id > :after
             order by product_id limit :limit)
            union
            (select product_id from product_summary
             where merchant_id = :merchantId and product_id > :after
             order by product_id limit :limit)
          ) either
          order by product_id limit :limit
          """);

  private static final Sql MOVE_HEAD =
      Sql.of(
          """
          update product_summary_head set number = :number, rebuilt_to = :rebuiltTo::int,
            products = products + :products, low = low + :low, sold_out = sold_out + :soldOut,
            none_yet = none_yet + :noneYet
          where merchant_id = :merchantId
          """);

  private static final Sql REBUILD =
      Sql.of("update product_summary_head set rebuilt_to = 0 where merchant_id = :merchantId");

  private final Cells cells;

  /** Merchants whose summaries wait for a job, and since when. */
  private final Map<Integer, Long> postponedNanos = new ConcurrentHashMap<>();

  public ProductSummaries(Cells cells) {
    this.cells = cells;
  }

  /**
   * Summarizes what changed, for a page that reads the summaries next.
   *
   * @return whether the summaries are up to date; false after a large change
   */
  public boolean refresh(int merchantId) throws SQLException {
    boolean current =
        cells
            .of(merchantId)
            .read(connection -> IS_CURRENT.on(connection).set("merchantId", merchantId).exists());
    if (current) {
      return true;
    }
    long deadline = System.nanoTime() + PAGE_BUDGET.toNanos();
    do {
      if (!cells
          .of(merchantId)
          .write(connection -> step(connection, merchantId, PRODUCTS_OF_PAGE))) {
        return true;
      }
    } while (System.nanoTime() - deadline < 0);
    return false;
  }

  /**
   * Summarizes what changed of merchants with many changes, which would take a page too long; a
   * later run does the rest.
   */
  public void refreshAll() throws SQLException {
    long deadline = System.nanoTime() + BACKGROUND_BUDGET.toNanos();
    List<Integer> behind =
        cells.list(
            connection ->
                BEHIND
                    .on(connection)
                    .set("changes", PRODUCTS_OF_PAGE)
                    .set("limit", MERCHANTS_AT_ONCE)
                    .list(row -> row.getInt("merchant_id")));
    for (int merchantId : behind) {
      while (stepInBackground(merchantId)) {
        if (System.nanoTime() - deadline >= 0) {
          return;
        }
      }
    }
  }

  private boolean stepInBackground(int merchantId) throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection ->
                !isPostponed(connection, merchantId)
                    && step(connection, merchantId, PRODUCTS_AT_ONCE));
  }

  /**
   * While a job changes the merchant's products, their summaries wait for its end: they would slow
   * it down, and it would outdate them. They do not wait for long, or for one job after another.
   */
  private boolean isPostponed(Connection connection, int merchantId) throws SQLException {
    if (!HAS_RUNNING_JOB.on(connection).set("merchantId", merchantId).exists()) {
      postponedNanos.remove(merchantId);
      return false;
    }
    long since = postponedNanos.computeIfAbsent(merchantId, _ -> System.nanoTime());
    return System.nanoTime() - since < MAX_POSTPONED.toNanos();
  }

  /** Summarizes all products of the merchant again, because what is low has changed. */
  static void rebuild(Connection connection, int merchantId) throws SQLException {
    CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
    REBUILD.on(connection).set("merchantId", merchantId).update();
  }

  /** Summarizes these products, although nothing changed in the log. */
  static void summarize(Connection connection, int merchantId, List<Integer> products)
      throws SQLException {
    CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
    Head head = lock(connection, merchantId);
    if (head != null) {
      summarize(connection, merchantId, new Step(products, head.number, head.rebuiltTo, true));
    }
  }

  /** Summarizes some products; false if there is nothing left to do. */
  private static boolean step(Connection connection, int merchantId, int atOnce)
      throws SQLException {
    CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
    Head head = lock(connection, merchantId);
    Step step = head == null ? null : next(connection, merchantId, head, atOnce);
    if (step == null) {
      return false;
    }
    summarize(connection, merchantId, step);
    return !step.last;
  }

  /** Null if there is no such merchant. */
  private static @Nullable Head lock(Connection connection, int merchantId) throws SQLException {
    return LOCK_HEAD
        .on(connection)
        .set("merchantId", merchantId)
        .first(row -> new Head(row.getLong("number"), row.getObject("rebuilt_to", Integer.class)));
  }

  private static @Nullable Step next(Connection connection, int merchantId, Head head, int atOnce)
      throws SQLException {
    Integer after = head.rebuiltTo;
    if (after == null
        && LOG_HAS_GAP
            .on(connection)
            .set("merchantId", merchantId)
            .set("number", head.number)
            .exists()) {
      after = 0;
    }
    if (after != null) {
      return rebuild(connection, merchantId, head.number, after, atOnce);
    }
    long[] last = {head.number};
    List<Integer> changed =
        CHANGED
            .on(connection)
            .set("merchantId", merchantId)
            .set("number", head.number)
            .set("limit", atOnce)
            .list(
                row -> {
                  last[0] = row.getLong("number");
                  return row.getInt("product_id");
                });
    return changed.isEmpty() ? null : new Step(changed, last[0], null, changed.size() < atOnce);
  }

  private static final Sql LAST_CHANGE =
      Sql.of("select last_change from log_head where merchant_id = :merchantId");

  private static Step rebuild(
      Connection connection, int merchantId, long number, int after, int atOnce)
      throws SQLException {
    // changes since the rebuild's first step are summarized after it
    long from =
        after > 0
            ? number
            : LAST_CHANGE.on(connection).set("merchantId", merchantId).one(row -> row.getLong(1));
    List<Integer> products =
        NEXT_PRODUCTS
            .on(connection)
            .set("merchantId", merchantId)
            .set("after", after)
            .set("limit", atOnce)
            .list(row -> row.getInt("product_id"));
    boolean last = products.size() < atOnce;
    return new Step(products, from, last ? null : products.getLast(), last && after == 0);
  }

  private static void summarize(Connection connection, int merchantId, Step step)
      throws SQLException {
    Integer[] products = step.products.toArray(Integer[]::new);
    SummaryWriter.Counts more = SummaryWriter.write(connection, merchantId, products);
    MOVE_HEAD
        .on(connection)
        .set("merchantId", merchantId)
        .set("number", step.number)
        .set("rebuiltTo", step.rebuiltTo)
        .set("products", more.products())
        .set("low", more.low())
        .set("soldOut", more.soldOut())
        .set("noneYet", more.noneYet())
        .update();
  }
}
