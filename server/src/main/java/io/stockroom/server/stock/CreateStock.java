package io.stockroom.server.stock;

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
import io.stockroom.server.limits.IdempotentReplies;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Stock/Creat}: many colours, sizes and products at once, all of them or none. */
public final class CreateStock implements Endpoint<CreateRequest> {
  static final int MOST_ENTRIES = 10_000;

  record Created() implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      writeOutcome(out, true, "");
    }
  }

  record Failed(List<Problem> problems) implements Answer {
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

  private record EntryKey(int pid, String color, int size) {}

  private final StockEntries entries;
  private final IdempotentReplies replies;
  private final Audit audit;

  public CreateStock(StockEntries entries, IdempotentReplies replies, Audit audit) {
    this.entries = entries;
    this.replies = replies;
    this.audit = audit;
  }

  @Override
  public CallKind kind() {
    return CallKind.CREATE;
  }

  /** By its timestamp: see {@link IdempotentReplies}. */
  @Override
  public boolean isReplayable() {
    return true;
  }

  @Override
  public @Nullable CreateRequest read(Call call, Input input, Problems problems) {
    input.require(Input.JSON, problems);
    if (problems.any()) {
      return null;
    }
    int mostGroups = call.caller().limits().createElements();
    List<CreateParser.Placed> items = CreateParser.read(input.body(), mostGroups, problems);
    List<NewEntry> expanded = expand(items, problems);
    return problems.any() ? null : new CreateRequest(expanded, sha256(input.body()));
  }

  @Override
  public Answer answer(Call call, CreateRequest request) throws SQLException {
    return replies.once(
        call, request.bodyHash(), connection -> create(connection, call.caller(), request));
  }

  private Answer create(Connection connection, Caller caller, CreateRequest request)
      throws SQLException {
    List<Problem> problems =
        entries.put(
            connection,
            caller.merchantId(),
            request.entries(),
            new Origin(Actor.of(caller), Through.CALL));
    if (!problems.isEmpty()) {
      return new Failed(problems);
    }
    audit.add(
        connection,
        caller.merchantId(),
        Actor.of(caller),
        "stock.create",
        products(request.entries()),
        request.entries().size() + " entries");
    return new Created();
  }

  private static String products(List<NewEntry> entries) {
    List<Integer> ids = entries.stream().map(NewEntry::productId).distinct().sorted().toList();
    String first = ids.stream().limit(10).map(String::valueOf).collect(Collectors.joining(", "));
    return ids.size() > 10 ? first + " and %d more".formatted(ids.size() - 10) : first;
  }

  /** Every size of every item, each colour and size once, never more than the bound. */
  private static List<NewEntry> expand(List<CreateParser.Placed> items, Problems problems) {
    List<NewEntry> expanded = new ArrayList<>();
    Map<EntryKey, Place> places = new HashMap<>();
    for (CreateParser.Placed placed : items) {
      if (expanded.size() + placed.item().size().count() > MOST_ENTRIES) {
        problems.add(placed.at(), ErrorCode.ENTRIES_TOO_MANY, MOST_ENTRIES);
        return expanded;
      }
      boolean repeated = false;
      for (int size = placed.item().size().first(); size <= placed.item().size().last(); size++) {
        EntryKey key = new EntryKey(placed.pid(), placed.color(), size);
        Place earlier = places.putIfAbsent(key, placed.at());
        if (earlier != null && !repeated) {
          repeated = true;
          problems.add(placed.at(), ErrorCode.ENTRY_REPEATED, key.pid, key.color, size, earlier);
        }
        expanded.add(
            new NewEntry(key.pid, key.color, size, placed.item().stock(), placed.item().barCode()));
      }
    }
    return expanded;
  }

  private static void writeOutcome(JsonGenerator out, boolean success, String message) {
    out.writeStartObject();
    out.writeBooleanProperty("success", success);
    out.writeStringProperty("msg", message);
    out.writeEndObject();
  }

  private static byte[] sha256(byte[] body) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(body);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
