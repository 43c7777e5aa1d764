package io.stockroom.lab.bench;

import io.stockroom.core.changes.Cursor;
import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code lab/bench}: the server next to the same SQL without a server. */
@Command(
    name = "lab/bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measures each operation with wrk, and in turn its twin, the same SQL in pgbench. Prints a"
            + " table in Markdown, and draws the ratios.",
    footer = "Example:  lab/bench --only 'stock list,detail' --seconds 3 --rounds 1")
final class Bench extends Trial {
  private static final int FEED_CHANGES = 3000;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "The operations to measure, such as 'stock list,create' (default: all).")
  private List<String> only = List.of();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds per operation (default: 3).")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds per measurement (default: 8).")
  private int seconds = 8;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds of each operation before its first round (default: 30).")
  private int warmUp = 30;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections of the load, and of the twin (default: 32).")
  private int connections = 32;

  @Option(
      names = "--working-set",
      paramLabel = "N",
      description = "Products that the load asks for, of many merchants and of the large one.")
  private int workingSet = Integer.MAX_VALUE;

  @Option(
      names = "--bare",
      paramLabel = "PORT",
      description = "Also send the same calls to a server on this port that does nothing.")
  private @Nullable Integer bare;

  public static void main(String[] arguments) {
    main(new Bench(), arguments);
  }

  @Override
  void measure(Laboratory laboratory, Server server, Marketplace market)
      throws IOException, InterruptedException {
    List<Operation> operations = Operation.pick(only);
    market.ask(workingSet);
    Wrk wrk = new Wrk(laboratory, market, feed(server, market));
    Twin twin = new Twin(laboratory, market);
    laboratory.say("Comparing the twins with what the server sends …");
    new TwinCheck(server, wrk).check(operations);
    List<Result> results = new ArrayList<>();
    for (Operation operation : operations) {
      laboratory.say("Measuring %s …".formatted(operation.title()));
      var _ = wrk.checked(server.port(), operation, connections, warmUp);
      Result result = new Result(operation);
      for (int round = 0; round < rounds; round++) {
        tidy(operation, market);
        double twinRate = twin.rate(operation, connections, seconds);
        tidy(operation, market);
        double ours = Machine.micros(server.pid());
        double postgres = Machine.microsOfTree(server.postmaster());
        Wrk.Load load = wrk.run(server.port(), operation, connections, seconds);
        result.add(
            load,
            twinRate,
            bare == null ? 0 : wrk.run(bare, operation, connections, seconds).rate(),
            (Machine.micros(server.pid()) - ours) / load.requests(),
            (Machine.microsOfTree(server.postmaster()) - postgres) / load.requests(),
            Machine.megabytes(server.pid()));
      }
      tidy(operation, market);
      results.add(result);
    }
    System.out.println(
        Result.HEAD + results.stream().map(Result::row).collect(Collectors.joining("\n")));
    Path folder = Files.createDirectories(Laboratory.home().resolve("target/bench"));
    Path picture = folder.resolve("ratios.svg");
    Files.writeString(picture, Chart.of(results));
    Chart.paint(laboratory, picture, results.size());
  }

  /** Imports changes of one entry each for the large merchant; returns cursors before 1,000. */
  private static List<String> feed(Server server, Marketplace market) {
    DirectSql sql = market.sql();
    long merchant = market.number("large_merchant");
    String head = " from log_head where merchant_id = " + merchant;
    long before = sql.number("select last_change" + head);
    String products =
        "select art_no from product where merchant_id = %d and has_stock order by number limit %d"
            .formatted(merchant, FEED_CHANGES);
    long quantity = System.currentTimeMillis() / 1000 % 1_000_000;
    String rows =
        sql.column(products).stream()
            .map(each -> "%s,%s,36,%d".formatted(each, market.colors().getFirst(), quantity))
            .collect(Collectors.joining("\n", "artNo,color,size,stock\n", "\n"));
    var _ = server.operator().imports((int) merchant, "feed.csv", rows);
    long changes = sql.number("select last_change" + head) - before;
    UUID log = UUID.fromString(sql.text("select log_id" + head));
    market.numbers().put("feed_first", before + 1);
    market.numbers().put("feed_changes", changes);
    return LongStream.rangeClosed(before, before + Math.max(0, changes - 1000))
        .mapToObj(number -> Cursor.of(log, number).text())
        .toList();
  }

  /**
   * Removes what creates added, so that every measurement starts with the same tables; and waits
   * until what they changed is summarized for the console, which happens at intervals.
   */
  private void tidy(Operation operation, Marketplace market) {
    if (!operation.writes()) {
      return;
    }
    if (operation.creates()) {
      // wrk does not wait for the last responses
      Await.pause(Duration.ofSeconds(1));
      String added = " where color_no >= " + Marketplace.COLORS;
      market.sql().execute("delete from stock_entry" + added, "delete from stock_color" + added);
      if (warmUp >= 10) {
        market.awaitSummaries();
      }
      market.sql().execute("vacuum stock_entry", "vacuum stock_color");
    }
    market.sql().execute("checkpoint");
  }
}
