package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;

/**
 * One mistake of a request.
 *
 * @param where the place: {@code headers.sign}, {@code path}, {@code [0].param[1].size}
 * @param expected what should stand there; empty where that cannot be said in a word
 * @param found what stands there, with signatures and tokens clipped
 */
public record Finding(Mistake mistake, String where, String expected, String found) {
  /** What is wrong, in a sentence. */
  public String what(Language language) {
    return Words.of(language, mistake.name());
  }

  /** What to do about it. */
  public String fix(Language language) {
    return Words.of(language, mistake.name() + ".fix");
  }
}
