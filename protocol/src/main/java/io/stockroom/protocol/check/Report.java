package io.stockroom.protocol.check;

import java.util.List;

/**
 * The result of a check.
 *
 * @param all problems and remarks, the likeliest cause first
 * @param unchecked what could not be checked
 */
public record Report(List<CheckProblem> all, List<Unchecked> unchecked) {
  public Report {
    all = List.copyOf(all);
    unchecked = List.copyOf(unchecked);
  }

  /** What a server would reject. */
  public List<CheckProblem> problems() {
    return all.stream().filter(problem -> !problem.cause().isHarmless()).toList();
  }

  /** What a server accepts although it differs from the documentation. */
  public List<CheckProblem> remarks() {
    return all.stream().filter(problem -> problem.cause().isHarmless()).toList();
  }
}
