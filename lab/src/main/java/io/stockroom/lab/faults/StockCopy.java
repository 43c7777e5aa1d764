package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.protocol.Size;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A copy of a merchant's stock that is built from its changes, from the first one on. Notes every
 * change that does not follow the one before.
 */
final class StockCopy {
  private static final int PRODUCTS_PER_BLOCK = 256;
  private static final int MAX_PROBLEMS = 20;

  record Key(int pid, String color, Size size) {}

  /** The order of the lines of a digest. */
  private static final Comparator<Key> ORDER =
      Comparator.comparingInt(Key::pid)
          .thenComparing(key -> key.color().getBytes(UTF_8), Arrays::compareUnsigned)
          .thenComparing(Key::size, Size.BY_CHARACTERS);

  private final SortedMap<Key, Integer> entries = new TreeMap<>(ORDER);
  private final List<String> problems = new ArrayList<>();
  private long last;

  /** The stock as the tables have it. */
  static StockCopy of(Connection connection, int merchantId) throws SQLException {
    StockCopy copy = new StockCopy();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select product_id, color, size_text, quantity from stock_entry"
                    + " join stock_color using (merchant_id, product_id, color_no)"
                    + " where merchant_id = "
                    + merchantId)) {
      while (row.next()) {
        copy.put(row.getInt(1), row.getString(2), Size.of(row.getString(3)), row.getInt(4));
      }
    }
    return copy;
  }

  /** Expects the change after this one first. */
  synchronized void startAfter(long number) {
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
    SortedMap<Key, String> different = new TreeMap<>(ORDER);
    synchronized (other) {
      entries.forEach(
          (key, quantity) -> {
            Integer its = other.entries.get(key);
            if (!quantity.equals(its)) {
              different.put(key, "%s is %s, not %s".formatted(key, quantity, its));
            }
          });
      other.entries.forEach(
          (key, quantity) -> {
            if (!entries.containsKey(key)) {
              different.put(key, "%s is missing, not %s".formatted(key, quantity));
            }
          });
    }
    return different.values().stream().limit(MAX_PROBLEMS).toList();
  }

  synchronized int size() {
    return entries.size();
  }

  /** The overall digest, computed as docs/changes.md says. */
  synchronized String digest() {
    SortedMap<Integer, MessageDigest> blocks = new TreeMap<>();
    for (Map.Entry<Key, Integer> entry : entries.entrySet()) {
      Key key = entry.getKey();
      blocks
          .computeIfAbsent(key.pid / PRODUCTS_PER_BLOCK, _ -> sha256())
          .update(
              "%d\t%s\t%s\t%d\n"
                  .formatted(key.pid, key.color, key.size, entry.getValue())
                  .getBytes(UTF_8));
    }
    MessageDigest whole = sha256();
    blocks.values().forEach(block -> whole.update(block.digest()));
    return HexFormat.of().formatHex(whole.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
