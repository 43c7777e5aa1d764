package io.stockroom.core.settings;

import java.util.List;

/** Settings that the server cannot start with: every problem, one sentence each. */
public final class BadSettings extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient List<String> problems;

  BadSettings(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
