package io.stockroom.lab.faults;

/**
 * A repeated fault.
 *
 * @param name as in {@code --only} and in the table
 * @param shortRounds rounds with {@code --short}; 0 leaves it out
 * @param longRounds rounds without it
 */
record Experiment(String name, String meaning, int shortRounds, int longRounds, Body body) {
  /** Runs {@code rounds} rounds and reports the results. */
  interface Body {
    void run(Laboratory laboratory, int rounds, Report report) throws Exception;
  }

  /** Thrown if this machine lacks what an experiment needs. */
  static final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Skipped(String reason) {
      super(reason);
    }
  }
}
