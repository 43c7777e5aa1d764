package io.stockroom.lab.bench;

import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code lab/overload}: offers ten times the load that the server can serve. */
@Command(
    name = "lab/overload",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Finds the highest rate with 32 connections, then sends up to ten times as many requests over",
      "more connections. Prints how much is still served, and how fast everything is answered."
    })
final class Overload extends Trial {
  /** Enough to keep the server busy, and few enough that no request waits long. */
  private static final int PEAK_CONNECTIONS = 32;

  private static final int MAX_CONNECTIONS = 8_000;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "The operations to send, as in lab/bench (default: mixed, create 300, detail).")
  private List<String> only = List.of("mixed", "create 300", "detail");

  @Option(names = "--seconds", paramLabel = "N", description = "Of each measurement (default: 5).")
  private int seconds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds at the highest rate, and as many at four times that (default: 20).")
  private int warmUp = 20;

  @Option(
      names = "--haproxy",
      description = "Send the load through HAProxy, with packaging/haproxy/stockroom.cfg.")
  private boolean haproxy;

  public static void main(String[] arguments) {
    main(new Overload(), arguments);
  }

  @Override
  void measure(Laboratory laboratory, Server server, Marketplace market) throws IOException {
    int port = port(laboratory, server, haproxy);
    Wrk wrk = new Wrk(laboratory, market, List.of());
    System.out.println(
        "| | load | sent/s | served/s | share | p50 ms | p90 ms | p99 ms | other | memory MB |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (String name : only) {
      Operation operation = Operation.pick(List.of(name)).getFirst();
      double peak = wrk.checked(port, operation, PEAK_CONNECTIONS, warmUp).good();
      var _ = at(wrk, port, operation, 4 * peak, warmUp);
      tidy(operation, market);
      Wrk.Load best = wrk.checked(port, operation, PEAK_CONNECTIONS, seconds);
      print(operation, "peak", best, best.good(), server);
      for (double factor : List.of(1.0, 2.0, 5.0, 10.0, 0.5)) {
        tidy(operation, market);
        Wrk.Load load = at(wrk, port, operation, factor * best.good(), seconds);
        String title = factor < 1 ? "then half" : "%.0f×".formatted(factor);
        print(operation, title, load, best.good(), server);
      }
    }
  }

  private static Wrk.Load at(Wrk wrk, int port, Operation operation, double rate, int seconds) {
    int connections = (int) Math.clamp(rate, 2 * PEAK_CONNECTIONS, MAX_CONNECTIONS);
    return wrk.paced(port, operation, connections, seconds, rate);
  }

  private static void print(
      Operation operation, String title, Wrk.Load load, double peak, Server server) {
    System.out.printf(
        "| %s | %s | %,.0f | %,.0f | %.2f | %.1f | %.1f | %.1f | %d | %d |%n",
        operation.title(),
        title,
        load.rate(),
        load.good(),
        load.good() / peak,
        load.p50(),
        load.p90(),
        load.p99(),
        load.failed(),
        Machine.megabytes(server.pid()));
  }

  /** Removes what writes left to PostgreSQL, so that every measurement starts with the same. */
  private static void tidy(Operation operation, Marketplace market) {
    if (operation.writes()) {
      market.sql().execute("vacuum stock_entry", "checkpoint");
    }
  }
}
