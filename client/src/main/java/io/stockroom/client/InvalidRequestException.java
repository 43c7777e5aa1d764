package io.stockroom.client;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.List;

/**
 * A request that no server can accept. The SDK finds most of these before anything is sent, and
 * then {@link #status} is empty; the others come back with the status 400. The words are the same
 * either way.
 */
public final class InvalidRequestException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final List<Fault> faults;

  InvalidRequestException(String words, Origin origin, List<Fault> faults) {
    super(words, origin, null);
    this.faults = List.copyOf(faults);
  }

  /** A request that is not sent since it has these problems. */
  static InvalidRequestException unsent(List<Problem> problems, int total, Language language) {
    return new InvalidRequestException(
        Problem.sentences(problems, total, language),
        new Origin(0, null, problems.get(0).code().name()),
        problems.stream()
            .map(p -> new Fault(p.at(), p.code().name(), p.message(language)))
            .toList());
  }

  /** {@return every fault with its place; the first hundred where there are more} */
  public List<Fault> faults() {
    return faults;
  }
}
