package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.plan.ImportReport.Removal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the markup that is removed from descriptions, by kind. */
public final class RemovedMarkup {
  private static final int MAX_REPORTED = 20;

  /** Names of tags are free text, so their number needs a bound. */
  private static final int MAX_KINDS = 1000;

  private final Map<String, Removal> kinds = new LinkedHashMap<>();
  private int descriptions;

  void add(int row, String artNo, Set<String> removed) {
    if (removed.isEmpty()) {
      return;
    }
    descriptions++;
    for (String what : removed) {
      Removal known = kinds.get(what);
      if (known != null) {
        kinds.put(what, new Removal(what, known.row(), known.artNo(), known.descriptions() + 1));
      } else if (kinds.size() < MAX_KINDS) {
        kinds.put(what, new Removal(what, row, artNo, 1));
      }
    }
  }

  /** The most frequent kinds. */
  public List<Removal> most() {
    return kinds.values().stream()
        .sorted(Comparator.comparingInt(Removal::descriptions).reversed())
        .limit(MAX_REPORTED)
        .toList();
  }

  /** The descriptions from which something is removed. */
  public int descriptions() {
    return descriptions;
  }
}
