package io.stockroom.client;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.InvalidRequest;
import java.util.List;

/**
 * A request that violates the contract. The SDK finds most of these before it sends anything, and
 * then {@link #status} is empty; the server responds to the others with status 400. The messages
 * are the same either way.
 */
public final class InvalidRequestException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final List<Problem> problems;

  InvalidRequestException(String words, Origin origin, List<Problem> problems) {
    super(words, origin, null);
    this.problems = List.copyOf(problems);
  }

  /** A request that is not sent because the server would reject it. */
  static InvalidRequestException unsent(InvalidRequest invalid, Language language) {
    return new InvalidRequestException(
        io.stockroom.protocol.Problem.sentences(invalid.problems(), invalid.total(), language),
        new Origin(0, null, invalid.problems().get(0).code().name()),
        invalid.problems().stream()
            .map(found -> new Problem(found.at(), found.code().name(), found.message(language)))
            .toList());
  }

  /** {@return every problem with its location; the first hundred if there are more} */
  public List<Problem> problems() {
    return problems;
  }
}
