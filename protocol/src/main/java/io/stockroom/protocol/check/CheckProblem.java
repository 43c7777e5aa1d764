package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;

/**
 * One problem of a request, with its likely cause.
 *
 * @param where the location: {@code headers.sign}, {@code path}, {@code [0].param[1].size}
 * @param expected the expected value; empty if no short text describes it
 * @param found the actual value, with signatures and tokens clipped
 */
public record CheckProblem(Cause cause, String where, String expected, String found) {
  /** What is wrong. */
  public String what(Language language) {
    return CheckTexts.of(language, cause.name());
  }

  /** How to fix it. */
  public String fix(Language language) {
    return CheckTexts.of(language, cause.name() + ".fix");
  }
}
