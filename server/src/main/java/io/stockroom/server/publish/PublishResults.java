package io.stockroom.server.publish;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.server.admission.CallKind;
import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.call.Answer;
import io.stockroom.server.call.Call;
import io.stockroom.server.call.Caller;
import io.stockroom.server.call.Endpoint;
import io.stockroom.server.call.Input;
import io.stockroom.server.call.Place;
import io.stockroom.server.call.Problems;
import io.stockroom.server.call.Refused;
import io.stockroom.server.database.Database;
import io.stockroom.server.limits.DetailLimits;
import io.stockroom.server.settings.Limits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * {@code POST /Product/Publish}: what became of fetched products in the bound store. Reporting the
 * same again changes nothing; a product that does not exist fails alone, and the others count.
 */
public final class PublishResults implements Endpoint<List<PublishResult>> {
  record Reported(int accepted, List<Problem> problems) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", problems.isEmpty());
      out.writeStringProperty("msg", Refused.message(problems, problems.size(), language));
      out.writeNumberProperty("accepted", accepted);
      Refused.writeErrors(out, problems, language);
      out.writeEndObject();
    }
  }

  private final Database database;
  private final DetailLimits limits;
  private final Audit audit;

  public PublishResults(Database database, DetailLimits limits, Audit audit) {
    this.database = database;
    this.limits = limits;
    this.audit = audit;
  }

  @Override
  public CallKind kind() {
    return CallKind.DETAIL;
  }

  @Override
  public @Nullable List<PublishResult> read(Call call, Input input, Problems problems) {
    input.require(Input.JSON, problems);
    return problems.any() ? null : PublishParser.read(input.body(), problems);
  }

  @Override
  public Answer answer(Call call, List<PublishResult> results) throws SQLException {
    Caller caller = call.caller();
    Reporter reporter =
        new Reporter(caller.merchantId(), caller.limits(), caller.boundStore(), Actor.of(caller));
    return report(reporter, results);
  }

  /**
   * Who reports.
   *
   * @param boundStore the outside store in which the products are published, or are not
   */
  public record Reporter(int merchantId, Limits limits, String boundStore, Actor actor) {}

  /** Reports the same result of several products, and gives how many of them exist. */
  public int report(Reporter reporter, List<Integer> products, boolean published)
      throws SQLException {
    List<PublishResult> results = new ArrayList<>();
    for (int product : new TreeSet<>(products)) {
      Place at = Place.BODY.element(results.size());
      results.add(new PublishResult(at, product, published ? "published" : "failed", "", ""));
    }
    return results.isEmpty() ? 0 : report(reporter, results).accepted;
  }

  private Reported report(Reporter reporter, List<PublishResult> results) throws SQLException {
    return database.write(connection -> report(connection, reporter, results));
  }

  /** Holds the account that product detail is judged by, so that no fetch sees half a report. */
  private Reported report(Connection connection, Reporter reporter, List<PublishResult> results)
      throws SQLException {
    limits.hold(connection, reporter.merchantId(), reporter.limits());
    Set<Integer> present = present(connection, reporter.merchantId(), results);
    List<PublishResult> accepted = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    for (PublishResult result : results) {
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

  private static Set<Integer> present(
      Connection connection, int merchantId, List<PublishResult> results) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select product_id from product where merchant_id = ? and product_id = any (?)")) {
      statement.setInt(1, merchantId);
      statement.setObject(2, ids(results));
      Set<Integer> present = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          present.add(rows.getInt(1));
        }
      }
      return present;
    }
  }

  private static void store(Connection connection, Reporter reporter, List<PublishResult> results)
      throws SQLException {
    try (PreparedStatement report =
            connection.prepareStatement(
                """
                insert into publish_result as r
                  (merchant_id, bound_store, product_id, result, url, msg)
                select ?, ?, * from unnest(?::int[], ?::text[], ?::text[], ?::text[])
                on conflict (merchant_id, product_id, bound_store) do update
                set result = excluded.result, url = excluded.url, msg = excluded.msg,
                    reported_at = excluded.reported_at
                where (r.result, r.url, r.msg) <> (excluded.result, excluded.url, excluded.msg)
                """);
        PreparedStatement mark =
            connection.prepareStatement(
                """
                update detail_fetch f set published = p.published
                from (
                  select product_id, bool_or(result = 'published') as published
                  from publish_result where merchant_id = ? and product_id = any (?)
                  group by product_id
                ) p
                where f.merchant_id = ? and f.product_id = p.product_id
                  and f.published <> p.published
                """)) {
      report.setInt(1, reporter.merchantId());
      report.setString(2, reporter.boundStore());
      report.setObject(3, ids(results));
      report.setObject(4, results.stream().map(PublishResult::result).toArray(String[]::new));
      report.setObject(5, results.stream().map(PublishResult::url).toArray(String[]::new));
      report.setObject(6, results.stream().map(PublishResult::msg).toArray(String[]::new));
      report.executeUpdate();
      mark.setInt(1, reporter.merchantId());
      mark.setObject(2, ids(results));
      mark.setInt(3, reporter.merchantId());
      mark.executeUpdate();
    }
  }

  private static int[] ids(List<PublishResult> results) {
    return results.stream().mapToInt(PublishResult::pid).toArray();
  }
}
