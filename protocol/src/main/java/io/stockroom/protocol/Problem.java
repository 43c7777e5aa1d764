package io.stockroom.protocol;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One problem of a request.
 *
 * @param at its location: {@code [3].param[0].size}, {@code page}, {@code headers.sign}; empty if
 *     it concerns the whole request
 * @param code the kind of problem
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

  /** The message without the location. */
  public String message(Language language) {
    return Messages.text(code, language, arguments);
  }

  /** The message with its location in front, as in {@code msg}. */
  public String sentence(Language language) {
    return at.isEmpty() ? message(language) : at + ": " + message(language);
  }

  /**
   * Joins the first problems into one text and says how many more there are.
   *
   * @param total the number of all problems, which may exceed the length of the list
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
