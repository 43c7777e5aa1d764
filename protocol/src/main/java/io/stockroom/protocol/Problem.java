package io.stockroom.protocol;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One fault of a request.
 *
 * @param at where it stands: {@code [3].param[0].size}, {@code page}, {@code headers.sign}; empty
 *     where it concerns the request as a whole
 * @param code what kind of fault it is
 * @param arguments the values that the message shows
 */
public record Problem(String at, ErrorCode code, List<Object> arguments) {
  private static final int IN_MESSAGE = 3;

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

  /**
   * The first problems as a person reads them, and how many more there are.
   *
   * @param total how many there are in all, where not every one is listed
   */
  public static String sentences(List<Problem> problems, int total, Language language) {
    String first =
        problems.stream()
            .limit(IN_MESSAGE)
            .map(problem -> problem.sentence(language))
            .collect(Collectors.joining(" "));
    if (total <= IN_MESSAGE) {
      return first;
    }
    return first
        + switch (language) {
          case ENGLISH -> " (and %d more)".formatted(total - IN_MESSAGE);
          case CHINESE -> "（另有 %d 处）".formatted(total - IN_MESSAGE);
        };
  }
}
