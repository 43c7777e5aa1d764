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

  private static final Sql MARK =
      Sql.of(
          """
          update detail_fetch f set reported = true, published = p.published
          from (
            select product_id, bool_or(result = 'published') as published
            from publish_result where merchant_id = :merchantId and product_id = any (:productIds)
            group by product_id
          ) p
          where f.merchant_id = :merchantId and f.product_id = p.product_id
            and (not f.reported or f.published <> p.published)
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
