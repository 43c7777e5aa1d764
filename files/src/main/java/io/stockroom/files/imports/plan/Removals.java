package io.stockroom.files.imports.plan;

import io.stockroom.core.catalogue.RemovedMarkup;
import io.stockroom.files.imports.plan.ImportReport.Removal;
import io.stockroom.files.imports.plan.ImportReport.Removed;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Counts the markup that is removed from descriptions, by kind. */
final class Removals {
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
      if (known != null || kinds.size() < MAX_KINDS) {
        kinds.put(
            what,
            known == null
                ? new Removal(what, RemovedMarkup.of(what).word(), row, artNo, 1)
                : new Removal(
                    what, known.loses(), known.row(), known.artNo(), known.descriptions() + 1));
      }
    }
  }

  /** The kinds: visible content first, then the most frequent ones. */
  Removed removed() {
    return new Removed(
        descriptions,
        kinds.values().stream()
            .sorted(
                Comparator.comparing(Removal::loses)
                    .thenComparing(Removal::descriptions, Comparator.reverseOrder()))
            .limit(MAX_REPORTED)
            .toList());
  }
}
