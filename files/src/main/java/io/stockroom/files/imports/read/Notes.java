package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a file says that cannot be taken as it is, and what is done instead: one warning of each
 * kind, with the number of its products and the first of them.
 */
public final class Notes {
  private static final int EXAMPLES = 5;

  /** So that a message shows them whole. */
  private static final int CHARACTERS = 78;

  private record Kind(ErrorCode code, String about) {}

  private static final class Count {
    private final List<String> examples = new ArrayList<>();
    private String last = "";
    private long products;
  }

  private final Map<Kind, Count> counts = new LinkedHashMap<>();

  /**
   * Adds one.
   *
   * @param about what else the warning names: a column; each has a warning of its own
   * @param example what follows the item number in the warning
   */
  public void add(ErrorCode code, String about, String artNo, String example) {
    Count count = counts.computeIfAbsent(new Kind(code, about), kind -> new Count());
    if (count.products == 0 || !artNo.equals(count.last)) {
      count.products++;
      count.last = artNo;
      if (count.examples.size() < EXAMPLES) {
        count.examples.add((artNo + " " + FileProblem.shown(example)).strip());
      }
    }
  }

  /** Adds those that a query found: the first of them, and how many there are. */
  public void add(ErrorCode code, String about, long products, List<String> examples) {
    if (products > 0) {
      Count count = counts.computeIfAbsent(new Kind(code, about), kind -> new Count());
      count.products += products;
      examples.stream().limit(EXAMPLES - count.examples.size()).forEach(count.examples::add);
    }
  }

  public boolean has(ErrorCode code) {
    return counts.keySet().stream().anyMatch(kind -> kind.code == code);
  }

  public List<FileProblem> warnings() {
    List<FileProblem> warnings = new ArrayList<>();
    counts.forEach(
        (kind, count) ->
            warnings.add(
                FileProblem.of(
                    0, "", "", kind.code, count.products, joined(count.examples), kind.about)));
    return warnings;
  }

  /** As many examples as fit, at least one. */
  private static String joined(List<String> examples) {
    StringBuilder joined = new StringBuilder();
    for (String each : examples) {
      if (joined.isEmpty() || joined.length() + each.length() + 2 <= CHARACTERS) {
        joined.append(joined.isEmpty() ? "" : ", ").append(each);
      }
    }
    return joined.toString();
  }
}
