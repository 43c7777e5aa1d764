package io.stockroom.lab.faults;

/**
 * One fault, struck again and again.
 *
 * @param name as in {@code --only} and in the table
 * @param shortRounds rounds of the short form; 0 leaves it out
 * @param longRounds rounds of the long form
 */
record Experiment(String name, String meaning, int shortRounds, int longRounds, Body body) {
  /** Does {@code rounds} rounds and writes down what came of them. */
  interface Body {
    void run(Laboratory laboratory, int rounds, Report report) throws Exception;
  }

  /** Thrown where this machine lacks what an experiment needs. */
  static final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Skipped(String reason) {
      super(reason);
    }
  }
}
