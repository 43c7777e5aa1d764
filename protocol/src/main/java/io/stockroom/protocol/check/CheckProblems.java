package io.stockroom.protocol.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the problems that the rules find. */
final class CheckProblems {
  /** Enough for a person to read; a broken list of thousands repeats itself. */
  private static final int MAX_KEPT = 50;

  private static final int SHOWN_CHARACTERS = 120;

  private final List<CheckProblem> found = new ArrayList<>();

  void add(Cause cause, String where, String expected, String present) {
    if (found.size() < MAX_KEPT) {
      found.add(new CheckProblem(cause, where, clipped(expected), clipped(present)));
    }
  }

  boolean has(Cause... causes) {
    List<Cause> wanted = List.of(causes);
    return found.stream().anyMatch(problem -> wanted.contains(problem.cause()));
  }

  /** Whether this location already has a problem. */
  boolean at(String where) {
    return found.stream()
        .anyMatch(problem -> problem.where().equals(where) && !problem.cause().isHarmless());
  }

  List<CheckProblem> inOrder() {
    return found.stream().sorted(Comparator.comparing(CheckProblem::cause)).toList();
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
