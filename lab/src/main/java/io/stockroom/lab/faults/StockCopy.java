package io.stockroom.lab.faults;

import io.stockroom.lab.DirectSql;
import io.stockroom.protocol.Size;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A copy of a merchant's stock that is built from its changes, from the first one on. Notes every
 * change that does not follow the one before.
 */
final class StockCopy {
  private static final int MAX_PROBLEMS = 20;

  record Key(int pid, String color, Size size) {}

  private final Map<Key, Integer> entries = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private long last;

  /** The stock as the tables have it. */
  static StockCopy of(DirectSql database, int merchantId) {
    StockCopy copy = new StockCopy();
    String sql =
        "select json_build_array(product_id, color, size_text, quantity) from stock_entry"
            + " join stock_color using (merchant_id, product_id, color_no) where merchant_id = "
            + merchantId;
    for (String row : database.column(sql)) {
      JsonNode entry = JsonMapper.shared().readTree(row);
      copy.put(
          entry.get(0).asInt(),
          entry.get(1).asString(),
          Size.of(entry.get(2).asString()),
          entry.get(3).asInt());
    }
    return copy;
  }

  /** Begins with what another copy has, and expects the change after this one first. */
  synchronized void startFrom(StockCopy other, long number) {
    entries.putAll(other.entries);
    last = number;
  }

  /** The number of the last change; 0 if there was none. */
  synchronized long last() {
    return last;
  }

  synchronized List<String> problems() {
    return List.copyOf(problems);
  }

  synchronized void problem(String what) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(what);
    }
  }

  /** Applies a change in the form of {@code /Changes} and of webhooks. */
  synchronized void apply(JsonNode change) {
    long number = change.get("number").asLong();
    if (number != last + 1) {
      problem("change %d came after %d".formatted(number, last));
    }
    last = Math.max(last, number);
    for (JsonNode entry : change.path("entries")) {
      Key key =
          new Key(
              change.get("pid").asInt(),
              entry.get("color").asString(),
              Size.of(entry.get("size").asString()));
      Integer before = quantity(entry.get("before"));
      Integer after = quantity(entry.get("after"));
      Integer had = after == null ? entries.remove(key) : entries.put(key, after);
      if (!Objects.equals(had, before)) {
        problem(
            "change %d of %s starts from %s, the copy has %s".formatted(number, key, before, had));
      }
    }
  }

  private static @Nullable Integer quantity(JsonNode node) {
    return node.isNull() ? null : (Integer) node.asInt();
  }

  /** Sets an entry of a copy that is not built from changes. */
  synchronized void put(int pid, String color, Size size, int quantity) {
    entries.put(new Key(pid, color, size), quantity);
  }

  /** A few of the differences between two copies; empty if they are equal. */
  synchronized List<String> differences(StockCopy other) {
    synchronized (other) {
      return Stream.concat(entries.keySet().stream(), other.entries.keySet().stream())
          .distinct()
          .filter(key -> !Objects.equals(entries.get(key), other.entries.get(key)))
          .map(key -> "%s is %s, not %s".formatted(key, entries.get(key), other.entries.get(key)))
          .limit(MAX_PROBLEMS)
          .toList();
    }
  }
}
