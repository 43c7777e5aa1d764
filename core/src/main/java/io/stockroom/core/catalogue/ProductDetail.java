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
          select facts.*, d.*
          from facts
          left join lateral (
            select %s from %s
            where p.merchant_id = facts.merchant_id and p.product_id = :productId
          ) d on true
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

  @Override
  public Answer answer(Call call, Integer pid) throws SQLException {
    Caller caller = call.caller();
    DetailLimits.Fetch fetch =
        new DetailLimits.Fetch(caller.merchantId(), caller.boundStore(), pid, caller.limits());
    return cells.of(caller.merchantId()).write(connection -> fetch(connection, fetch));
  }

  /** Checks, reads and charges in one transaction, so a rejected or failed call is free. */
  private Answer fetch(Connection connection, DetailLimits.Fetch fetch) throws SQLException {
    Found found = limits.hold(connection, FIND, fetch, ProductDetail::found);
    DetailLimits.Moment moment = found.account.moment();
    Problem problem = limits.problem(connection, fetch, found.account);
    if (problem != null) {
      limits.keep(connection, fetch, found.account);
      return limited(new Rejected(problem), fetch, found.account)
          .retryAt(moment.now(), limits.retryAt(connection, fetch, moment, problem.code()));
    }
    if (found.detail == null) {
      Problem missing = Problem.of("pid", ErrorCode.PRODUCT_MISSING, fetch.productId());
      return limited(new Rejected(missing), fetch, found.account);
    }
    limits.charge(connection, fetch, found.account);
    return limited(found.detail, fetch, found.account.afterOne());
  }

  private static Found found(ResultSet row) throws SQLException {
    boolean exists = row.getString("art_no") != null;
    return new Found(DetailUsage.read(row), exists ? Detail.read(row) : null);
  }

  private static Limited limited(Answer answer, DetailLimits.Fetch fetch, DetailLimits.Account of) {
    return Limited.of(answer, DetailLimits.allowances(fetch.limits(), of), of.moment().now());
  }
}
