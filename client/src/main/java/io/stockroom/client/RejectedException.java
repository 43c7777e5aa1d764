package io.stockroom.client;

import java.util.List;

/**
 * The server understood the request but cannot carry it out, for example because another entry
 * already has the barcode. The server wrote nothing. Correct the data, not the program.
 */
public final class RejectedException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final List<Problem> problems;

  RejectedException(String words, Origin origin, List<Problem> problems) {
    super(words, origin, null);
    this.problems = List.copyOf(problems);
  }

  /** {@return every problem with its location; empty if the response lists none} */
  public List<Problem> problems() {
    return problems;
  }
}
