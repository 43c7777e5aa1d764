package io.stockroom.conformance;

import java.util.List;

/**
 * One rule of the contract.
 *
 * @param id group and name, such as {@code signing.lower-case}
 * @param sentence what a server must do
 * @param needs what the check needs
 * @param check checks the rule, and throws {@link RuleViolation} if it is violated
 */
public record Rule(String id, Basis basis, String sentence, List<Need> needs, Check check) {
  /** Checks a rule. */
  @FunctionalInterface
  interface Check {
    void run(Probe probe);
  }

  static Rule owed(String id, String sentence, Check check, Need... needs) {
    return new Rule(id, Basis.INTERFACE, sentence, List.of(needs), check);
  }

  static Rule settled(String id, String sentence, Check check, Need... needs) {
    return new Rule(id, Basis.SETTLED, sentence, List.of(needs), check);
  }

  /** The part of the id before the dot. */
  public String group() {
    return id.substring(0, id.indexOf('.'));
  }
}
