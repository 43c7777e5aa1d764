package io.stockroom.core.catalogue;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.database.Database;
import io.stockroom.core.limits.DetailLimits;
import io.stockroom.core.limits.Limited;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Product/Detail}: one product with everything a listing needs. */
public final class ProductDetail implements Endpoint<Integer> {
  /** The failure of this call, in the same shape as that of the stock list. */
  record Failed(Problem problem) implements Answer {
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

  private final Database database;
  private final DetailLimits limits;

  public ProductDetail(Database database, DetailLimits limits) {
    this.database = database;
    this.limits = limits;
  }

  @Override
  public CallKind kind() {
    return CallKind.DETAIL;
  }

  /** The interface prescribes no content type, so a form, a query string and JSON all work. */
  @Override
  public Integer read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.detail(content);
  }

  /** Checks, reads and charges in one transaction: a rejected or failed call costs nothing. */
  @Override
  public Answer answer(Call call, Integer pid) throws SQLException {
    return database.write(connection -> fetch(connection, call.caller(), pid));
  }

  private Answer fetch(Connection connection, Caller caller, int pid) throws SQLException {
    DetailLimits.Moment moment = limits.hold(connection, caller.merchantId(), caller.limits());
    Products.Found found = Products.detail(connection, caller, pid, moment);
    Problem refusal = limits.refusal(connection, caller, moment, found.facts());
    if (refusal != null) {
      return limited(new Failed(refusal), caller, moment, found.facts())
          .retryAt(moment.now(), limits.retryAt(connection, caller, moment, refusal.code()));
    }
    Detail detail = found.detail();
    if (detail == null) {
      Problem missing = Problem.of("pid", ErrorCode.PRODUCT_MISSING, pid);
      return limited(new Failed(missing), caller, moment, found.facts());
    }
    limits.charge(connection, caller, pid, moment, found.facts());
    return limited(detail, caller, moment.afterOne(), found.facts().afterOne());
  }

  private static Limited limited(
      Answer answer, Caller caller, DetailLimits.Moment moment, DetailLimits.Facts facts) {
    return Limited.of(
        answer, DetailLimits.allowances(caller.limits(), moment, facts), moment.now());
  }
}
