package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;

/**
 * One problem of a request, with its likely cause.
 *
 * @param where the location: {@code headers.sign}, {@code path}, {@code [0].param[1].size}
 * @param expected what should be there; empty if that cannot be said in a word
 * @param found what is there, with signatures and tokens clipped
 */
public record CheckProblem(Cause cause, String where, String expected, String found) {
  /** What is wrong, in a sentence. */
  public String what(Language language) {
    return Words.of(language, cause.name());
  }

  /** What to do about it. */
  public String fix(Language language) {
    return Words.of(language, cause.name() + ".fix");
  }
}
