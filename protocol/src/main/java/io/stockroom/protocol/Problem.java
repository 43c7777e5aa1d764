package io.stockroom.protocol;

import java.util.List;

/**
 * One fault of a request.
 *
 * @param at where it stands: {@code [3].param[0].size}, {@code page}, {@code headers.sign}; empty
 *     where it concerns the request as a whole
 * @param code what kind of fault it is
 * @param arguments the values that the message shows
 */
public record Problem(String at, ErrorCode code, List<Object> arguments) {
  public Problem {
    arguments = List.copyOf(arguments);
  }

  public static Problem of(String at, ErrorCode code, Object... arguments) {
    return new Problem(at, code, List.of(arguments));
  }

  /** The message alone, without the place. */
  public String message(Language language) {
    return Messages.text(code, language, arguments);
  }

  /** The message with its place before it, as a person reads it in {@code msg}. */
  public String sentence(Language language) {
    return at.isEmpty() ? message(language) : at + ": " + message(language);
  }
}
