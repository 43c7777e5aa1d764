package io.stockroom.server.catalogue;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.server.admission.CallKind;
import io.stockroom.server.call.Answer;
import io.stockroom.server.call.Call;
import io.stockroom.server.call.Caller;
import io.stockroom.server.call.Endpoint;
import io.stockroom.server.call.Input;
import io.stockroom.server.call.Json;
import io.stockroom.server.call.Parameters;
import io.stockroom.server.call.Problems;
import io.stockroom.server.database.Database;
import io.stockroom.server.limits.DetailLimits;
import io.stockroom.server.limits.Limited;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** {@code POST /Product/Detail}: one product with everything a listing needs. */
public final class ProductDetail implements Endpoint<Integer> {
  /** The failure shape of this call, after its sibling, the stock list. */
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

  /** The content type is not laid down, so every habit works: form, query string, JSON object. */
  @Override
  public CallKind kind() {
    return CallKind.DETAIL;
  }

  @Override
  public @Nullable Integer read(Call call, Input input, Problems problems) {
    boolean json = input.body().length > 0 && input.contentType().equals(Input.JSON);
    if (input.body().length > 0 && !json) {
      input.require(Input.FORM, problems);
      if (problems.any()) {
        return null;
      }
    }
    if (!json) {
      int pid = Parameters.read(input, problems).positive("pid");
      return problems.any() ? null : pid;
    }
    String inQuery = Parameters.readQuery(input, problems).get("pid");
    String inBody = pidOf(input.body(), problems);
    if (problems.any()) {
      return null;
    }
    if (inQuery != null && inBody != null && !inQuery.equals(inBody)) {
      problems.add("pid", ErrorCode.FIELD_CONFLICT, "pid", inQuery, inBody);
      return null;
    }
    String text = inBody != null ? inBody : inQuery;
    if (text == null) {
      problems.add("pid", ErrorCode.FIELD_MISSING, "pid");
      return null;
    }
    int pid = Parameters.positive("pid", text, problems);
    return problems.any() ? null : pid;
  }

  /** Judged, read and charged in one transaction: a refused or failed call costs nothing. */
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

  private static @Nullable String pidOf(byte[] body, Problems problems) {
    String pid = null;
    try (JsonParser parser = Json.parser(body)) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        String kind = first == null ? "nothing" : Json.kind(first);
        problems.add("", ErrorCode.FIELD_TYPE, kind, "an object such as {\"pid\": 1}");
        return null;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (!name.equals("pid")) {
          parser.skipChildren();
        } else if (value == JsonToken.VALUE_NUMBER_INT || value == JsonToken.VALUE_STRING) {
          pid = parser.getString();
        } else {
          problems.add("pid", ErrorCode.FIELD_TYPE, Json.kind(value), "a whole number or a string");
          parser.skipChildren();
        }
      }
      Json.requireEnd(parser, problems);
    } catch (JacksonException broken) {
      problems.add(Json.broken(broken));
    }
    return pid;
  }
}
