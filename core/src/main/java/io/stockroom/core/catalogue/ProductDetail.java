package io.stockroom.core.catalogue;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.Allowance.Limited;
import io.stockroom.core.limits.DetailLimits;
import io.stockroom.core.limits.DetailUsage;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Product/Detail}: all fields of one product, for publishing it elsewhere. */
public final class ProductDetail implements Endpoint<Integer> {
  /** Has the same fields as a rejected stock list. */
  public record Rejected(Problem problem) implements Answer {
    @Override
    public Map<String, String> headers() {
      return Map.of(Answer.ERROR_CODE, problem.code().name());
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", false);
      out.writeStringProperty("msg", problem.message(language));
      out.writeStringProperty("data", "");
      out.writeEndObject();
    }
  }

  /**
   * A product's detail and the usage that the limits check, read in one statement.
   *
   * @param detail null if the merchant does not have the product
   */
  private record Found(DetailLimits.Account account, @Nullable Detail detail) {}

  private static final Sql FIND =
      DetailUsage.beside(
          """
          select facts.*, %s
          from facts
          left join (%s) on p.merchant_id = :merchantId and p.product_id = :productId
          """
              .formatted(Detail.COLUMNS, Detail.TABLES));

  private final Cells cells;
  private final DetailLimits limits;

  public ProductDetail(Cells cells, DetailLimits limits) {
    this.cells = cells;
    this.limits = limits;
  }

  @Override
  public CallKind kind() {
    return CallKind.DETAIL;
  }

  /** Accepts a form, a query string and JSON: the interface prescribes no content type. */
  @Override
  public Integer read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.detail(content);
  }

  /** Checks, reads and charges in one transaction, so a rejected or failed call is free. */
  @Override
  public Answer answer(Call call, Integer pid) throws SQLException {
    return cells
        .of(call.caller().merchantId())
        .write(connection -> fetch(connection, call.caller(), pid));
  }

  private Answer fetch(Connection connection, Caller caller, int pid) throws SQLException {
    Found found = limits.hold(connection, FIND, caller, pid, ProductDetail::found);
    DetailLimits.Moment moment = found.account.moment();
    DetailLimits.Facts facts = found.account.facts();
    Problem problem = limits.problem(connection, caller, moment, facts);
    if (problem != null) {
      return limited(new Rejected(problem), caller, moment, facts)
          .retryAt(moment.now(), limits.retryAt(connection, caller, moment, problem.code()));
    }
    if (found.detail == null) {
      Problem missing = Problem.of("pid", ErrorCode.PRODUCT_MISSING, pid);
      return limited(new Rejected(missing), caller, moment, facts);
    }
    limits.charge(connection, caller, pid, moment, facts);
    return limited(found.detail, caller, moment.afterOne(), facts.afterOne());
  }

  private static Found found(ResultSet row) throws SQLException {
    boolean exists = row.getString("art_no") != null;
    return new Found(DetailUsage.read(row), exists ? Detail.read(row) : null);
  }

  private static Limited limited(
      Answer answer, Caller caller, DetailLimits.Moment moment, DetailLimits.Facts facts) {
    return Limited.of(
        answer, DetailLimits.allowances(caller.limits(), moment, facts), moment.now());
  }
}
