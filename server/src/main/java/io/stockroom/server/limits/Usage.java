package io.stockroom.server.limits;

import io.stockroom.server.database.Database;
import io.stockroom.server.settings.Limits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How much of every limit a merchant has used, and which products still need a publish result. */
public final class Usage {
  private static final int PAGE = 50;

  /**
   * One limit.
   *
   * @param remaining how much is left; null where that is not a question
   * @param note what it means now, in a sentence
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
   * How the share of published products stands.
   *
   * @param fetched products that need a publish result by now
   * @param missing how many more have to be published
   * @param judged whether there are enough of them to be judged
   */
  public record Share(int fetched, int published, int missing, boolean judged) {}

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

    /** The same with more limits, which are kept elsewhere. */
    public Report with(List<Line> more) {
      List<Line> all = new ArrayList<>(limits);
      all.addAll(more);
      return new Report(all, share, page, totalPages, total, unpublished);
    }

    /** Writes it as fields of an object that has begun. */
    public void writeFields(JsonGenerator out) {
      out.writeArrayPropertyStart("limits");
      limits.forEach(line -> write(out, line));
      out.writeEndArray();
      out.writeObjectPropertyStart("unpublished");
      out.writeNumberProperty("page", page);
      out.writeNumberProperty("totalPages", totalPages);
      out.writeNumberProperty("total", total);
      out.writeArrayPropertyStart("data");
      unpublished.forEach(product -> write(out, product));
      out.writeEndArray();
      out.writeEndObject();
    }

    private static void write(JsonGenerator out, Line line) {
      out.writeStartObject();
      out.writeStringProperty("name", line.name);
      if (line.store != null) {
        out.writeStringProperty("store", line.store);
      }
      write(out, "limit", line.limit);
      write(out, "used", line.used);
      write(out, "remaining", line.remaining);
      write(out, "resetsAt", line.resetsAt);
      out.writeStringProperty("note", line.note);
      out.writeEndObject();
    }

    private static void write(JsonGenerator out, Unpublished product) {
      out.writeStartObject();
      out.writeNumberProperty("pid", product.pid);
      out.writeStringProperty("artNo", product.artNo);
      write(out, "fetchedAt", product.fetchedAt);
      write(out, "result", product.result);
      out.writeEndObject();
    }

    private static void write(JsonGenerator out, String name, @Nullable Object value) {
      switch (value) {
        case null -> out.writeNullProperty(name);
        case Long number -> out.writeNumberProperty(name, number);
        default -> out.writeStringProperty(name, value.toString());
      }
    }
  }

  /** An application that may act for a merchant, with the outside store that its token names. */
  public record Access(int applicationId, String appid, String application, String store) {}

  private static final int MOST_ACCESSES = 50;

  private final Database database;
  private final DetailLimits detail;

  public Usage(Database database, DetailLimits detail) {
    this.database = database;
    this.detail = detail;
  }

  /** Reads everything at one moment. {@code applicationId} null looks at no application's pace. */
  public Report report(
      int merchantId, @Nullable Integer applicationId, String store, Limits limits, int page)
      throws SQLException {
    return database.write(
        connection -> {
          DetailLimits.Moment moment = detail.look(connection, merchantId, limits);
          DetailLimits.Facts facts = facts(connection, merchantId, store, moment);
          List<Line> lines = new ArrayList<>();
          lines.add(perDay(limits, moment));
          lines.add(published(limits, facts));
          Instant opens = DetailLimits.storeOpens(connection, merchantId, store, limits, moment);
          lines.add(store(limits, facts, store, opens));
          lines.add(pace(connection, merchantId, applicationId, limits, moment));
          lines.add(elements(limits));
          Share share =
              new Share(
                  facts.fetched(),
                  facts.published(),
                  DetailLimits.missing(limits, facts),
                  DetailLimits.isJudged(limits, facts));
          return unpublished(connection, merchantId, moment, page, lines, share);
        });
  }

  /** By whom the limits of a merchant are used, the last one first. */
  public List<Access> accesses(int merchantId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select a.application_id, a.appid, a.name, t.bound_store
                  from access_token t join application a using (application_id)
                  where t.merchant_id = ? and t.revoked_at is null
                    and (t.expires_at is null or t.expires_at > now())
                  group by a.application_id, a.appid, a.name, t.bound_store
                  order by max(t.last_used_at) desc nulls last, a.application_id, t.bound_store
                  limit ?
                  """)) {
            statement.setInt(1, merchantId);
            statement.setInt(2, MOST_ACCESSES);
            List<Access> accesses = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                accesses.add(
                    new Access(
                        row.getInt("application_id"),
                        row.getString("appid"),
                        row.getString("name"),
                        row.getString("bound_store")));
              }
            }
            return accesses;
          }
        });
  }

  private static DetailLimits.Facts facts(
      Connection connection, int merchantId, String store, DetailLimits.Moment moment)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("with " + DetailLimits.FACTS + " select * from facts")) {
      DetailLimits.bindFacts(statement, merchantId, store, 0, moment);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return DetailLimits.readFacts(row);
      }
    }
  }

  private static Line perDay(Limits limits, DetailLimits.Moment moment) {
    long limit = limits.detailPerDay();
    long left = Math.max(0, limit - moment.usedToday());
    return new Line(
        "detail-per-day",
        null,
        limit,
        (long) moment.usedToday(),
        left,
        moment.dayEnds(),
        "%d of %d product details left on %s (%s)"
            .formatted(left, limit, moment.day(), limits.zone()));
  }

  private static Line published(Limits limits, DetailLimits.Facts facts) {
    int missing = DetailLimits.missing(limits, facts);
    long needed = (long) facts.published() + missing;
    String state =
        !DetailLimits.isJudged(limits, facts)
            ? "not judged before %d fetched products are older than %s"
                .formatted(limits.publishMinimum(), limits.publishGrace())
            : missing == 0
                ? "enough"
                : "fetching is refused until %d more are published".formatted(missing);
    return new Line(
        "publish-share",
        null,
        needed,
        (long) facts.published(),
        null,
        null,
        "%d of %d fetched products are published (%s needed): %s"
            .formatted(facts.published(), facts.fetched(), limits.publishShare(), state));
  }

  private static Line store(
      Limits limits, DetailLimits.Facts facts, String store, @Nullable Instant opens) {
    long limit = limits.storeProducts();
    long left = Math.max(0, limit - facts.storeProducts());
    return new Line(
        "store-products",
        store,
        limit,
        (long) facts.storeProducts(),
        left,
        opens,
        "%d of %d products within %s left for the store \"%s\""
            .formatted(left, limit, limits.storeWindow(), store));
  }

  private static Line pace(
      Connection connection,
      int merchantId,
      @Nullable Integer applicationId,
      Limits limits,
      DetailLimits.Moment moment)
      throws SQLException {
    Duration interval = limits.createInterval();
    Instant free =
        applicationId == null ? null : lastCreate(connection, merchantId, applicationId, interval);
    boolean waiting = free != null && free.isAfter(moment.now());
    return new Line(
        "create-interval",
        null,
        1L,
        waiting ? 1L : 0L,
        waiting ? 0L : 1L,
        waiting ? free : null,
        "one create request per " + interval);
  }

  private static @Nullable Instant lastCreate(
      Connection connection, int merchantId, int applicationId, Duration interval)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select last_at from create_rate
            where merchant_id = ? and application_id = ? and last_at > '-infinity'
            """)) {
      statement.setInt(1, merchantId);
      statement.setInt(2, applicationId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? row.getObject(1, OffsetDateTime.class).toInstant().plus(interval)
            : null;
      }
    }
  }

  private static Line elements(Limits limits) {
    return new Line(
        "create-elements",
        null,
        (long) limits.createElements(),
        null,
        null,
        null,
        "at most %d colour groups in one create request".formatted(limits.createElements()));
  }

  private static Report unpublished(
      Connection connection,
      int merchantId,
      DetailLimits.Moment moment,
      int page,
      List<Line> lines,
      Share share)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            with unpublished as materialized (
              select f.merchant_id, f.product_id, p.art_no, f.first_at
              from detail_fetch f
              join product p using (merchant_id, product_id)
              where f.merchant_id = ? and f.last_at > ? and not f.published
            )
            select u.product_id, u.art_no, u.first_at, t.total,
              (select r.result from publish_result r
               where r.merchant_id = u.merchant_id and r.product_id = u.product_id
               order by r.reported_at desc limit 1) as result
            from (select count(*) as total from unpublished) t
            left join (
              select * from unpublished order by first_at, product_id limit ? offset ?
            ) u on true
            order by u.first_at, u.product_id
            """)) {
      statement.setInt(1, merchantId);
      statement.setObject(2, moment.publishEdge().atOffset(java.time.ZoneOffset.UTC));
      statement.setInt(3, PAGE);
      statement.setLong(4, (page - 1L) * PAGE);
      List<Unpublished> data = new ArrayList<>();
      int total = 0;
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          total = row.getInt("total");
          OffsetDateTime fetchedAt = row.getObject("first_at", OffsetDateTime.class);
          if (fetchedAt != null) {
            data.add(
                new Unpublished(
                    row.getInt("product_id"),
                    row.getString("art_no"),
                    fetchedAt.toInstant(),
                    row.getString("result")));
          }
        }
      }
      return new Report(lines, share, page, (total + PAGE - 1) / PAGE, total, data);
    }
  }
}
