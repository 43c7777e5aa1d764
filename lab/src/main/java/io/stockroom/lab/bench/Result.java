package io.stockroom.lab.bench;

import io.stockroom.lab.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The measurements of one operation; each value of a row is the median of the rounds. */
final class Result {
  static final String HEAD =
      """
      | | rate/s | p50 ms | p99 ms | ratio to the twin | goal | server µs | PostgreSQL µs | memory MB | ratio to the bare server |
      |---|---|---|---|---|---|---|---|---|---|
      """;

  private record Round(
      Wrk.Load load, double twin, double bare, double server, double postgres, int megabytes) {}

  private final Operation operation;
  private final List<Round> rounds = new ArrayList<>();

  Result(Operation operation) {
    this.operation = operation;
  }

  /** Adds a round; rates are per second, {@code bare} is 0 if there was none. */
  void add(Wrk.Load load, double twin, double bare, double server, double postgres, int megabytes) {
    rounds.add(new Round(load, twin, bare, server, postgres, megabytes));
  }

  Operation operation() {
    return operation;
  }

  double ratio() {
    return values(round -> round.load.rate() / round.twin).at(0.5);
  }

  private Percentiles values(ToDoubleFunction<Round> value) {
    return Percentiles.of(rounds.stream().map(value::applyAsDouble).toList());
  }

  String row() {
    Percentiles ratios = values(round -> round.load.rate() / round.twin);
    Percentiles bare = values(round -> round.load.rate() / round.bare);
    return "| %s | %s | %s | %s | %.2f (%.2f to %.2f) | %s | %s | %s | %.0f | %s |"
        .formatted(
            operation.title(),
            number(values(round -> round.load.rate()).at(0.5)),
            number(values(round -> round.load.p50()).at(0.5)),
            number(values(round -> round.load.p99()).at(0.5)),
            ratios.at(0.5),
            ratios.at(0),
            ratios.at(1),
            operation.goal(),
            number(values(Round::server).at(0.5)),
            number(values(Round::postgres).at(0.5)),
            values(Round::megabytes).at(0.5),
            rounds.getFirst().bare == 0 ? "" : "%.2f".formatted(bare.at(0.5)));
  }

  private static String number(double value) {
    return (value >= 100 ? "%,.0f" : "%.2f").formatted(value);
  }
}
