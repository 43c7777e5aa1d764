package io.stockroom.core.stock;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.core.stock.AdjustProblems.Failure;
import io.stockroom.core.stock.AdjustedEntries.Adjusted;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.AdjustReader;
import io.stockroom.protocol.request.Adjustment;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.Problems;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.SizeJson;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * {@code POST /Stock/Adjust}: changes quantities relative to what they are, or only if they are
 * what the caller expects. All of them or none.
 */
public final class AdjustStock implements Endpoint<AdjustStock.Request> {
  public static final String PATH = "/Stock/Adjust";

  /**
   * A well-formed request.
   *
   * @param bodyHash recognizes a request that is sent again with its idempotency key
   */
  record Request(List<Adjustment> adjustments, byte[] bodyHash) {}

  private record Done(long number, List<Adjusted> entries) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeStringProperty("msg", "");
      out.writeNumberProperty("number", number);
      out.writeArrayPropertyStart("entries");
      for (Adjusted adjusted : entries) {
        out.writeStartObject();
        out.writeStringProperty("guid", Guids.text(adjusted.entry().guid()));
        out.writeNumberProperty("pid", adjusted.entry().productId());
        out.writeStringProperty("color", adjusted.entry().color());
        out.writeName("size");
        SizeJson.write(out, adjusted.entry().size());
        out.writeNumberProperty("before", adjusted.entry().quantity());
        out.writeNumberProperty("after", adjusted.after());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private record Failed(List<Failure> failures) implements Answer {
    @Override
    public Map<String, String> headers() {
      return Map.of(Answer.ERROR_CODE, failures.getFirst().problem().code().name());
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      List<Problem> problems = failures.stream().map(Failure::problem).toList();
      out.writeStartObject();
      out.writeBooleanProperty("success", false);
      out.writeStringProperty("msg", Rejection.message(problems, problems.size(), language));
      out.writeArrayPropertyStart("errors");
      for (Failure failure : failures) {
        out.writeStartObject();
        Rejection.writeFields(out, failure.problem(), language);
        if (failure.current() == null) {
          out.writeNullProperty("current");
        } else {
          out.writeNumberProperty("current", failure.current());
        }
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private final IdempotentReplies replies;

  public AdjustStock(IdempotentReplies replies) {
    this.replies = replies;
  }

  /** It locks the same rows as a create, for as long. */
  @Override
  public CallKind kind() {
    return CallKind.CREATE;
  }

  @Override
  public SignatureRule signatureRule() {
    return SignatureRule.NONCE;
  }

  @Override
  public boolean takesIdempotencyKey() {
    return true;
  }

  @Override
  public Request read(Call call, RequestContent content) throws InvalidRequest {
    return new Request(AdjustReader.read(content), IdempotentReplies.hash(content.body()));
  }

  /** Without a key every request counts: two equal sales in one second are two sales. */
  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    RateLimit limit = RateLimit.ofAdjusts(call.caller().limits());
    return replies.once(
        call,
        new Repeatable(PATH, request.bodyHash(), limit, isReplayable()),
        connection -> adjust(connection, call.caller(), request.adjustments()));
  }

  private static Answer adjust(Connection connection, Caller caller, List<Adjustment> adjustments)
      throws SQLException {
    AdjustedEntries entries = AdjustedEntries.locked(connection, caller.merchantId(), adjustments);
    Problems repeated = AdjustProblems.repeated(entries);
    if (repeated.any()) {
      return Rejection.of(repeated);
    }
    List<Failure> failures = AdjustProblems.failures(entries);
    if (!failures.isEmpty()) {
      return new Failed(failures);
    }
    List<Adjusted> adjusted = entries.adjusted();
    Origin origin =
        new Origin(
            Actor.of(caller),
            ChangeSource.INTERFACE,
            "stock.adjust",
            CreateStock.products(adjusted.stream().mapToInt(one -> one.entry().productId())),
            adjusted.size() + " entries");
    return new Done(entries.write(connection, origin), adjusted);
  }
}
