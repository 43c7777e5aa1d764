package io.stockroom.lab.bench;

import io.stockroom.lab.HaProxy;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** A measurement of one server on a marketplace, both of which it makes and removes. */
abstract class Trial implements Callable<Integer> {
  @Option(
      names = "--products",
      paramLabel = "N",
      description =
          "Products that up to 100 merchants share; one more merchant has as many (default: 10000).")
  int products = 10_000;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep the marketplace in this folder, and use the one that is there.")
  private @Nullable Path data;

  /** Measures. */
  abstract void measure(Laboratory laboratory, Server server, Marketplace market) throws Exception;

  @Override
  public Integer call() throws Exception {
    try (Laboratory laboratory = new Laboratory(false)) {
      Path folder = data == null ? laboratory.newFolder("data") : data.toAbsolutePath();
      Marketplace.generate(laboratory, folder, products);
      Server server = Server.on(laboratory, folder).start();
      Marketplace market = Marketplace.open(server, products);
      market.awaitSummaries();
      measure(laboratory, server, market);
      server.stop();
      laboratory.delete();
    }
    return 0;
  }

  /** The port to which clients send: of the server, or of HAProxy before it. */
  static int port(Laboratory laboratory, Server server, boolean haproxy) {
    return haproxy ? HaProxy.start(laboratory, List.of(server)) : server.port();
  }

  /** Runs a command; what it has to say about a failure is enough. */
  static void main(Trial trial, String[] arguments) {
    CommandLine command = new CommandLine(trial);
    command.setExecutionExceptionHandler(
        (failure, _, _) -> {
          if (!(failure instanceof IllegalStateException)) {
            throw failure;
          }
          System.err.println(failure.getMessage());
          return 1;
        });
    System.exit(command.execute(arguments));
  }
}
