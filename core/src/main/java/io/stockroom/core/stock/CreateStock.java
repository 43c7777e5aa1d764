package io.stockroom.core.stock;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.core.stock.StockEntries.NewEntry;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.CreateReader.CreateItem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Stock/Creat}: many colors, sizes and products at once, all of them or none. */
public final class CreateStock implements Endpoint<CreateStock.Request> {
  public static final String PATH = "/Stock/Creat";

  /** How many products the audit log names. */
  private static final int MAX_NAMED = 10;

  /**
   * A well-formed request.
   *
   * @param entries every color and size in it, each once
   * @param bodyHash SHA-256 of the body, to recognize a request that is sent again
   */
  record Request(List<NewEntry> entries, byte[] bodyHash) {}

  private record Created() implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      writeOutcome(out, true, "");
    }
  }

  private record Rejected(List<Problem> problems) implements Answer {
    @Override
    public Map<String, String> headers() {
      return Map.of(Answer.ERROR_CODE, problems.getFirst().code().name());
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      String message =
          problems.stream()
              .map(problem -> problem.message(language))
              .collect(Collectors.joining(" "));
      writeOutcome(out, false, message);
    }
  }

  private final StockEntries entries;
  private final IdempotentReplies replies;
  private final boolean anySize;

  /**
   * @param anySize the setting {@code sizes.in-create}
   */
  public CreateStock(StockEntries entries, IdempotentReplies replies, boolean anySize) {
    this.anySize = anySize;
    this.entries = entries;
    this.replies = replies;
  }

  @Override
  public CallKind kind() {
    return CallKind.CREATE;
  }

  @Override
  public boolean takesIdempotencyKey() {
    return true;
  }

  /** By its timestamp and body: see {@link IdempotentReplies}. */
  @Override
  public boolean isReplayable() {
    return true;
  }

  @Override
  public Request read(Call call, RequestContent content) throws InvalidRequest {
    int maxGroups = call.caller().limits().createElements();
    List<CreateItem> items = CreateReader.read(content, maxGroups, anySize);
    return new Request(expand(items), IdempotentReplies.hash(content.body()));
  }

  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    RateLimit limit = RateLimit.ofCreates(call.caller().limits());
    return replies.once(
        call,
        new Repeatable(PATH, request.bodyHash(), limit, isReplayable()),
        connection -> create(connection, call.caller(), request));
  }

  private Answer create(Connection connection, Caller caller, Request request) throws SQLException {
    Origin origin =
        new Origin(
            Actor.of(caller),
            ChangeSource.INTERFACE,
            "stock.create",
            products(request.entries().stream().mapToInt(NewEntry::productId)),
            request.entries().size() + " entries");
    List<Problem> problems =
        entries.put(connection, caller.merchantId(), request.entries(), origin);
    return problems.isEmpty() ? new Created() : new Rejected(problems);
  }

  /** The products of a request, for the audit log. */
  static String products(IntStream productIds) {
    int[] ids = productIds.sorted().toArray();
    StringJoiner first = new StringJoiner(", ");
    int count = 0;
    for (int i = 0; i < ids.length; i++) {
      if (i == 0 || ids[i] != ids[i - 1]) {
        count++;
        if (count <= MAX_NAMED) {
          first.add(String.valueOf(ids[i]));
        }
      }
    }
    return count > MAX_NAMED
        ? first + " and %d more".formatted(count - MAX_NAMED)
        : first.toString();
  }

  /** Every size of every item. */
  private static List<NewEntry> expand(List<CreateItem> items) {
    List<NewEntry> entries = new ArrayList<>();
    for (CreateItem item : items) {
      for (Size size : item.sizes().sizes()) {
        entries.add(new NewEntry(item.pid(), item.color(), size, item.stock(), item.barCode()));
      }
    }
    return entries;
  }

  private static void writeOutcome(JsonGenerator out, boolean success, String message) {
    out.writeStartObject();
    out.writeBooleanProperty("success", success);
    out.writeStringProperty("msg", message);
    out.writeEndObject();
  }
}
