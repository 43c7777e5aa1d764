package io.stockroom.protocol.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what the rules find. */
final class Findings {
  /** Enough for a person; a broken list of thousands repeats itself. */
  private static final int MOST = 50;

  private static final int SHOWN_CHARACTERS = 120;

  private final List<Finding> found = new ArrayList<>();

  void add(Mistake mistake, String where, String expected, String present) {
    if (found.size() < MOST) {
      found.add(new Finding(mistake, where, clipped(expected), clipped(present)));
    }
  }

  boolean has(Mistake... mistakes) {
    List<Mistake> wanted = List.of(mistakes);
    return found.stream().anyMatch(finding -> wanted.contains(finding.mistake()));
  }

  /** Whether anything was noted of this place. */
  boolean at(String where) {
    return found.stream()
        .anyMatch(finding -> finding.where().equals(where) && !finding.mistake().isHarmless());
  }

  List<Finding> inOrder() {
    return found.stream().sorted(Comparator.comparing(Finding::mistake)).toList();
  }

  private static String clipped(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN_CHARACTERS)
        .forEach(
            point -> {
              boolean acts =
                  Character.isISOControl(point) || Character.getType(point) == Character.FORMAT;
              shown.append(
                  acts ? "\\u%04x".formatted(point) : new String(Character.toChars(point)));
            });
    return text.length() > SHOWN_CHARACTERS ? shown.append('…').toString() : shown.toString();
  }
}
