package io.stockroom.cli.mcp;

import io.stockroom.client.Adjustment;
import io.stockroom.protocol.Sha256;
import io.stockroom.protocol.Size;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A change of stock that was planned but not made.
 *
 * @param id also the idempotency key of the adjustment, so that a plan is applied at most once
 * @param hash the hash of the id and all rows
 */
record Plan(String id, List<Row> rows, Instant expiresAt, String hash) {
  /** The quantity of one entry before and after. */
  record Row(int pid, String color, Size size, int before, int after) {
    private String line() {
      return "| %d | %s | %s | %d | %d |".formatted(pid, color, size, before, after);
    }

    /** Refused by the server if the entry has another quantity by then. */
    private Adjustment adjustment() {
      return Adjustment.entry(pid, color, size).set(after).expect(before);
    }

    private Map<String, Object> data() {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("pid", pid);
      data.put("color", color);
      data.put("size", size.value());
      data.put("before", before);
      data.put("after", after);
      return data;
    }
  }

  static Plan of(String id, List<Row> rows, Instant expiresAt) {
    return new Plan(id, List.copyOf(rows), expiresAt, hash(id, rows));
  }

  boolean isIntact() {
    return hash.equals(hash(id, rows));
  }

  List<Adjustment> adjustments() {
    return rows.stream().map(Row::adjustment).toList();
  }

  String table() {
    return table(rows);
  }

  static String table(List<Row> rows) {
    return rows.stream()
        .map(Row::line)
        .collect(
            Collectors.joining(
                "\n", "| pid | color | size | before | after |\n|---|---|---|---|---|\n", ""));
  }

  static List<Map<String, Object>> data(List<Row> rows) {
    return rows.stream().map(Row::data).toList();
  }

  private static String hash(String id, List<Row> rows) {
    return HexFormat.of().formatHex(Sha256.of(id + "\n" + table(rows)), 0, 8);
  }
}
