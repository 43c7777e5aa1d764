package io.stockroom.lab.bench;

import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The measurements of one operation. */
record Result(
    Operation operation,
    List<Round> rounds,
    long serverBytes,
    long postgresBytes,
    long peerBytes,
    @Nullable Paced paced) {
  /**
   * Server and twin, one after the other.
   *
   * @param peer the same requests to the peer, if it was measured
   */
  record Round(
      LoadResult load, Usage usage, double twinRate, Usage twinUsage, @Nullable LoadResult peer) {
    double ratio() {
      return load.rate() / twinRate;
    }

    /** Only where the peer was measured. */
    LoadResult peered() {
      return Objects.requireNonNull(peer);
    }

    double requests() {
      return load.requests();
    }

    double serverMicros() {
      return usage.microsEach(usage.server(), requests());
    }

    double postgresMicros() {
      return usage.microsEach(usage.postgres(), requests());
    }

    double driverMicros() {
      return usage.microsEach(usage.driver(), requests());
    }

    double twinPostgresMicros() {
      return twinUsage.microsEach(twinUsage.postgres(), twinRate * twinUsage.seconds());
    }
  }

  /** Half of the maximum rate, sent evenly. */
  record Paced(double wantedRate, List<PacedRound> rounds) {
    double median(ToDoubleFunction<PacedRound> value) {
      return Result.median(rounds.stream().mapToDouble(value).toArray());
    }
  }

  /**
   * One measurement at half of the maximum rate.
   *
   * @param twin the SQL alone at half of its own maximum rate, if it was measured
   */
  record PacedRound(LoadResult load, @Nullable LoadResult twin, Usage usage) {
    /** Only where the twin was measured. */
    LoadResult twinned() {
      return Objects.requireNonNull(twin);
    }
  }

  boolean isNoisy() {
    return rounds.stream().anyMatch(round -> round.usage.isNoisy() || round.twinUsage.isNoisy());
  }

  double median(ToDoubleFunction<Round> value) {
    return median(rounds.stream().mapToDouble(value).toArray());
  }

  static double median(double... values) {
    double[] sorted = DoubleStream.of(values).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  void write(ArrayNode operations) {
    ObjectNode node = operations.addObject();
    node.put("operation", operation.title());
    node.put("rate", rounded(median(round -> round.load.rate())));
    node.put("p50Millis", rounded(median(round -> round.load.p50Millis())));
    node.put("p99Millis", rounded(median(round -> round.load.p99Millis())));
    node.put("twinRate", rounded(median(Round::twinRate)));
    node.put("ratio", rounded(median(Round::ratio)));
    ArrayNode ratios = node.putArray("ratios");
    rounds.forEach(round -> ratios.add(rounded(round.ratio())));
    ObjectNode cpu = node.putObject("cpu");
    cpu.put("server", rounded(median(round -> round.usage.server())));
    cpu.put("postgres", rounded(median(round -> round.usage.postgres())));
    cpu.put("driver", rounded(median(round -> round.usage.driver())));
    cpu.put("others", rounded(median(round -> round.usage.others())));
    ObjectNode each = node.putObject("cpuMicrosEach");
    each.put("server", rounded(median(Round::serverMicros)));
    each.put("postgres", rounded(median(Round::postgresMicros)));
    each.put("driver", rounded(median(Round::driverMicros)));
    each.put("twinPostgres", rounded(median(Round::twinPostgresMicros)));
    node.putObject("memoryBytes").put("server", serverBytes).put("postgres", postgresBytes);
    node.put("noisy", isNoisy());
    if (rounds.stream().allMatch(round -> round.peer != null)) {
      node.putObject("peer")
          .put("rate", rounded(median(round -> round.peered().rate())))
          .put("p50Millis", rounded(median(round -> round.peered().p50Millis())))
          .put("p99Millis", rounded(median(round -> round.peered().p99Millis())))
          .put("ratio", rounded(median(round -> round.peered().rate() / round.twinRate)))
          .put("times", rounded(median(round -> round.load.rate() / round.peered().rate())))
          .put("memoryBytes", peerBytes);
    }
    if (paced != null) {
      write(paced, node.putObject("halfRate"));
    }
  }

  private static void write(Paced paced, ObjectNode half) {
    half.put("rate", rounded(paced.wantedRate));
    half.put("answered", rounded(paced.median(round -> round.load.rate())));
    half.put("p50Millis", rounded(paced.median(round -> round.load.p50Millis())));
    half.put("p99Millis", rounded(paced.median(round -> round.load.p99Millis())));
    half.put("p99OverP50", rounded(paced.median(round -> round.load.p99OverP50())));
    half.put("cpu", rounded(paced.median(round -> round.usage.all())));
    if (paced.rounds.stream().allMatch(round -> round.twin != null)) {
      half.put("twinP50Millis", rounded(paced.median(round -> round.twinned().p50Millis())));
      half.put("twinP99Millis", rounded(paced.median(round -> round.twinned().p99Millis())));
      half.put("twinP99OverP50", rounded(paced.median(round -> round.twinned().p99OverP50())));
    }
    half.put("noisy", paced.rounds.stream().anyMatch(round -> round.usage.isNoisy()));
  }

  /** Four digits are more than a measurement is worth. */
  static double rounded(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return 0;
    }
    double unit = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - 3);
    return new java.math.BigDecimal(Math.round(value / unit) * unit)
        .round(new java.math.MathContext(4))
        .doubleValue();
  }
}
