package io.stockroom.lab.faults;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Formats the results as a table. */
final class FaultsTable {
  private static final List<String> HEAD =
      List.of(
          "fault",
          "rounds",
          "acknowledged",
          "unknown",
          "lost",
          "partial",
          "false",
          "other",
          "recovery p50",
          "max");

  private final List<List<String>> rows = new ArrayList<>(List.of(HEAD));
  private final List<String> notes = new ArrayList<>();

  void add(String name, Report report) {
    List<String> row = new ArrayList<>(List.of(name));
    row.addAll(report.cells());
    rows.add(row);
    report.remarks().forEach(remark -> notes.add(name + ": " + remark));
  }

  void skipped(String name, String reason) {
    rows.add(List.of(name, "skipped"));
    notes.add(name + " was skipped: " + reason);
  }

  void print(PrintStream out) {
    out.println();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int width = width(column);
        String form = column == 0 ? "%-" + width + "s" : "  %" + width + "s";
        line.append(form.formatted(row.get(column)));
      }
      out.println(line.toString().stripTrailing());
    }
    out.println();
    notes.forEach(out::println);
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> row.size() > column)
        .mapToInt(row -> row.get(column).length())
        .max()
        .orElse(0);
  }
}
