package io.stockroom.core.publish;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.DetailLimits;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.JsonPath;
import io.stockroom.protocol.request.PublishReader;
import io.stockroom.protocol.request.ReportedResult;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * {@code POST /Product/Publish}: reports whether fetched products were published in the bound
 * store. Reports are idempotent. An unknown product fails alone; the other products are recorded.
 */
public final class PublishResults implements Endpoint<PublishResults.Request> {
  public static final String PATH = "/Product/Publish";

  /**
   * A well-formed request.
   *
   * @param bodyHash recognizes a request that is sent again with its idempotency key
   */
  record Request(List<ReportedResult> results, byte[] bodyHash) {}

  record Reported(int accepted, List<Problem> problems) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", problems.isEmpty());
      out.writeStringProperty("msg", Rejection.message(problems, problems.size(), language));
      out.writeNumberProperty("accepted", accepted);
      Rejection.writeErrors(out, problems, language);
      out.writeEndObject();
    }
  }

  private final Cells cells;
  private final Audit audit;
  private final IdempotentReplies replies;

  public PublishResults(Cells cells, Audit audit, IdempotentReplies replies) {
    this.cells = cells;
    this.audit = audit;
    this.replies = replies;
  }

  @Override
  public CallKind kind() {
    return CallKind.OTHER;
  }

  @Override
  public boolean takesIdempotencyKey() {
    return true;
  }

  @Override
  public Request read(Call call, RequestContent content) throws InvalidRequest {
    return new Request(PublishReader.read(content), IdempotentReplies.hash(content.body()));
  }

  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    Caller caller = call.caller();
    Reporter reporter = new Reporter(caller.merchantId(), caller.boundStore(), Actor.of(caller));
    return replies.once(
        call,
        new Repeatable(PATH, request.bodyHash(), RateLimit.NONE, isReplayable()),
        connection -> report(connection, reporter, request.results()));
  }

  /**
   * The sender of a report.
   *
   * @param boundStore the external store that the results are about
   */
  public record Reporter(int merchantId, String boundStore, Actor actor) {}

  /** Reports one result for several products; returns how many of them exist. */
  public int report(Reporter reporter, List<Integer> products, boolean published)
      throws SQLException {
    List<ReportedResult> results = new ArrayList<>();
    for (int product : new TreeSet<>(products)) {
      JsonPath at = JsonPath.BODY.element(results.size());
      results.add(new ReportedResult(at, product, published ? "published" : "failed", "", ""));
    }
    return results.isEmpty()
        ? 0
        : cells
            .of(reporter.merchantId)
            .write(connection -> report(connection, reporter, results))
            .accepted;
  }

  /** Takes the lock of product detail, so that no fetch sees half a report. */
  private Reported report(Connection connection, Reporter reporter, List<ReportedResult> results)
      throws SQLException {
    DetailLimits.hold(connection, reporter.merchantId());
    Set<Integer> present = present(connection, reporter.merchantId(), results);
    List<ReportedResult> accepted = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    for (ReportedResult result : results) {
      if (present.contains(result.pid())) {
        accepted.add(result);
      } else {
        problems.add(
            Problem.of(
                result.at().field("pid").toString(), ErrorCode.PRODUCT_MISSING, result.pid()));
      }
    }
    if (!accepted.isEmpty()) {
      store(connection, reporter, accepted);
      audit.add(
          connection,
          reporter.merchantId(),
          reporter.actor(),
          "publish.report",
          reporter.boundStore(),
          accepted.size() + " results");
    }
    return new Reported(accepted.size(), problems);
  }

  private static final Sql PRESENT =
      Sql.of(
          """
          select product_id from product
          where merchant_id = :merchantId and product_id = any (:productIds)
          """);

  private static Set<Integer> present(
      Connection connection, int merchantId, List<ReportedResult> results) throws SQLException {
    return Set.copyOf(
        PRESENT
            .on(connection)
            .set("merchantId", merchantId)
            .set("productIds", ids(results))
            .list(row -> row.getInt(1)));
  }

  private static final Sql STORE =
      Sql.of(
          """
          insert into publish_result as r
            (merchant_id, bound_store, product_id, result, url, msg)
          select :merchantId, :store, *
          from unnest(:productIds::int[], :results::text[], :urls::text[], :messages::text[])
          on conflict (merchant_id, product_id, bound_store) do update
          set result = excluded.result, url = excluded.url, msg = excluded.msg,
              reported_at = excluded.reported_at
          where (r.result, r.url, r.msg) <> (excluded.result, excluded.url, excluded.msg)
          """);

  /** Marks the fetches of these products, and counts those that are due in the account. */
  private static final Sql MARK =
      Sql.of(
          """
          with result as (
            select product_id, bool_or(result = 'published') as published
            from publish_result where merchant_id = :merchantId and product_id = any (:productIds)
            group by product_id
          ), before as (
            select f.product_id, f.first_at, f.last_at, f.reported, f.published,
              r.published as to_published
            from detail_fetch f join result r on r.product_id = f.product_id
            where f.merchant_id = :merchantId
              and (not f.reported or f.published <> r.published)
          ), marked as (
            update detail_fetch f set reported = true, published = b.to_published
            from before b where f.merchant_id = :merchantId and f.product_id = b.product_id
          )
          update detail_usage a set due_reported = a.due_reported + c.reported,
            due_published = a.due_published + c.published
          from (
            select count(*) filter (where not b.reported) as reported,
              coalesce(sum(b.to_published::int - b.published::int), 0) as published
            from before b join detail_usage e on e.merchant_id = :merchantId
            where b.first_at <= e.grace_edge and b.last_at > e.publish_edge
          ) c
          where a.merchant_id = :merchantId and (c.reported <> 0 or c.published <> 0)
          """);

  private static void store(Connection connection, Reporter reporter, List<ReportedResult> results)
      throws SQLException {
    STORE
        .on(connection)
        .set("merchantId", reporter.merchantId())
        .set("store", reporter.boundStore())
        .set("productIds", ids(results))
        .set("results", results.stream().map(ReportedResult::result).toArray(String[]::new))
        .set("urls", results.stream().map(ReportedResult::url).toArray(String[]::new))
        .set("messages", results.stream().map(ReportedResult::msg).toArray(String[]::new))
        .update();
    MARK.on(connection)
        .set("merchantId", reporter.merchantId())
        .set("productIds", ids(results))
        .update();
  }

  private static int[] ids(List<ReportedResult> results) {
    return results.stream().mapToInt(ReportedResult::pid).toArray();
  }
}
