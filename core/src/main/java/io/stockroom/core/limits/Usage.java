package io.stockroom.core.limits;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.PublishCounts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Reports the usage of each limit of a merchant, and the products without a publish result. */
public final class Usage {
  private static final int PAGE = 50;

  /**
   * One limit.
   *
   * @param remaining the remaining amount; null for a share, which cannot be used up
   * @param note what it means now, in one sentence
   */
  public record Line(
      String name,
      @Nullable String store,
      @Nullable Long limit,
      @Nullable Long used,
      @Nullable Long remaining,
      @Nullable Instant resetsAt,
      String note) {}

  /** A fetched product that has no publish result, or one that does not count. */
  public record Unpublished(int pid, String artNo, Instant fetchedAt, @Nullable String result) {}

  /**
   * The share of fetched products that have a publish result.
   *
   * @param fetched products whose publish result is due
   * @param results those of them that have a result that counts
   * @param missing how many more need one
   * @param judged whether the limit applies: it needs a minimum of fetched products
   */
  public record Share(int fetched, int results, int missing, boolean judged) {}

  public record Report(
      List<Line> limits,
      Share share,
      int page,
      int totalPages,
      int total,
      List<Unpublished> unpublished) {
    /** The limit of this name. */
    public Line limit(String name) {
      return limits.stream().filter(line -> line.name.equals(name)).findFirst().orElseThrow();
    }

    /** Adds limits that other packages count. */
    public Report with(List<Line> more) {
      List<Line> all = new ArrayList<>(limits);
      all.addAll(more);
      return new Report(all, share, page, totalPages, total, unpublished);
    }

    /** Writes its fields into the current JSON object. */
    public void writeFields(JsonGenerator out) {
      UsageJson.writeFields(out, this);
    }
  }

  /** An application with a token of the merchant, and the bound store of that token. */
  public record Access(int applicationId, String appid, String application, String store) {}

  private static final int MAX_ACCESSES = 50;

  private final Cells cells;
  private final DetailLimits detail;

  public Usage(Cells cells, DetailLimits detail) {
    this.cells = cells;
    this.detail = detail;
  }

  /** Reads the report; without an {@code applicationId}, it omits the rate limit of creates. */
  public Report report(
      int merchantId, @Nullable Integer applicationId, String store, Limits limits, int page)
      throws SQLException {
    return read(merchantId, applicationId, store, limits, page);
  }

  /** Reads only the limits, without the products that have no publish result. */
  public Report limits(int merchantId, @Nullable Integer applicationId, String store, Limits limits)
      throws SQLException {
    return read(merchantId, applicationId, store, limits, null);
  }

  private Report read(
      int merchantId,
      @Nullable Integer applicationId,
      String store,
      Limits limits,
      @Nullable Integer page)
      throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              DetailLimits.Fetch any = new DetailLimits.Fetch(merchantId, store, 0, limits);
              DetailLimits.Account account = detail.look(connection, any);
              DetailLimits.Moment moment = account.moment();
              DetailLimits.Facts facts = account.facts();
              Instant opens = DetailUsage.storeOpens(connection, any, moment);
              Instant lastCreate =
                  applicationId == null ? null : lastCreate(connection, merchantId, applicationId);
              List<Line> lines =
                  List.of(
                      UsageLines.perDay(limits, moment),
                      UsageLines.share(limits, facts),
                      UsageLines.store(limits, facts, store, opens),
                      UsageLines.createRate(limits, lastCreate, moment),
                      UsageLines.elements(limits),
                      UsageLines.adjustRate(limits));
              Share share =
                  new Share(
                      facts.fetched(),
                      facts.results(limits),
                      DetailLimits.missing(limits, facts),
                      DetailLimits.isJudged(limits, facts));
              return page == null
                  ? new Report(lines, share, 1, 0, 0, List.of())
                  : unpublished(connection, any, moment, page, lines, share);
            });
  }

  private static final Sql ACCESSES =
      Sql.of(
          """
          select a.application_id, a.appid, a.name, t.bound_store
          from access_token t join application a using (application_id)
          where t.merchant_id = :merchantId and t.revoked_at is null
            and (t.expires_at is null or t.expires_at > now())
          group by a.application_id, a.appid, a.name, t.bound_store
          order by max(t.last_used_at) desc nulls last, a.application_id, t.bound_store
          limit :limit
          """);

  /** The applications that use the limits of a merchant, most recently used first. */
  public List<Access> accesses(int merchantId) throws SQLException {
    return cells
        .directory()
        .read(
            connection ->
                ACCESSES
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("limit", MAX_ACCESSES)
                    .list(
                        row ->
                            new Access(
                                row.getInt("application_id"),
                                row.getString("appid"),
                                row.getString("name"),
                                row.getString("bound_store"))));
  }

  private static final Sql LAST_CREATE =
      Sql.of(
          """
          select calls[cardinality(calls)] as last_at from call_rate
          where merchant_id = :merchantId and application_id = :applicationId
            and endpoint = '/Stock/Creat' and cardinality(calls) > 0
          """);

  private static @Nullable Instant lastCreate(
      Connection connection, int merchantId, int applicationId) throws SQLException {
    return LAST_CREATE
        .on(connection)
        .set("merchantId", merchantId)
        .set("applicationId", applicationId)
        .first(row -> Sql.instant(row, "last_at"));
  }

  private static final Sql UNPUBLISHED =
      Sql.of(
          """
          with unpublished as materialized (
            select f.merchant_id, f.product_id, p.art_no, f.first_at
            from detail_fetch f
            join product p using (merchant_id, product_id)
            where f.merchant_id = :merchantId and f.last_at > :publishEdge
              and not (f.published or (f.reported and not :onlyPublished))
          )
          select u.product_id, u.art_no, u.first_at, t.total,
            (select r.result from publish_result r
             where r.merchant_id = u.merchant_id and r.product_id = u.product_id
             order by r.reported_at desc limit 1) as result
          from (select count(*) as total from unpublished) t
          left join (
            select * from unpublished order by first_at, product_id limit :limit offset :offset
          ) u on true
          order by u.first_at, u.product_id
          """);

  private static Report unpublished(
      Connection connection,
      DetailLimits.Fetch of,
      DetailLimits.Moment moment,
      int page,
      List<Line> lines,
      Share share)
      throws SQLException {
    List<Unpublished> data = new ArrayList<>();
    AtomicInteger total = new AtomicInteger();
    UNPUBLISHED
        .on(connection)
        .set("merchantId", of.merchantId())
        .set("publishEdge", moment.publishEdge())
        .set("onlyPublished", of.limits().publishCounts() == PublishCounts.PUBLISHED)
        .set("limit", PAGE)
        .set("offset", (page - 1L) * PAGE)
        .forEach(
            row -> {
              total.set(row.getInt("total"));
              Instant fetchedAt = Sql.instantOrNull(row, "first_at");
              if (fetchedAt != null) {
                data.add(
                    new Unpublished(
                        row.getInt("product_id"),
                        row.getString("art_no"),
                        fetchedAt,
                        row.getString("result")));
              }
            });
    return new Report(lines, share, page, Math.ceilDiv(total.get(), PAGE), total.get(), data);
  }
}
