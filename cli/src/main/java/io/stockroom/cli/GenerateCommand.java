package io.stockroom.cli;

import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "generate",
    description = {
      "Fill a database with a made-up marketplace of any size.",
      "The database may not have products yet. The same numbers and seed always give the same"
          + " rows. Every fifth product has no stock."
    },
    footer = {
      "  stockroom generate --data data-large",
      "  stockroom generate --merchants 10 --products 1000 --colours 2 --sizes 36-44"
    })
final class GenerateCommand implements Runnable {
  private final Shell shell;

  @Option(names = "--merchants", paramLabel = "N", description = "Merchants (default: 100).")
  private int merchants = 100;

  @Option(
      names = "--products",
      paramLabel = "N",
      description = "Products, which the merchants share evenly (default: 50000).")
  private int products = 50_000;

  @Option(
      names = "--largest",
      paramLabel = "N",
      description =
          "How many of the products the first merchant has; the others share the rest"
              + " (default: 0, all share evenly).")
  private int largest = 0;

  @Option(
      names = "--colours",
      paramLabel = "N",
      description = "Colours of each product with stock (default: 4).")
  private int colours = 4;

  @Option(
      names = "--sizes",
      paramLabel = "N-M",
      description = "Sizes of each colour (default: 36-40).")
  private String sizes = "36-40";

  @Option(names = "--seed", paramLabel = "N", description = "What chance begins with (default: 1).")
  private long seed = 1;

  @Mixin private DatabaseOptions options = new DatabaseOptions();

  GenerateCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var result =
        new DatabaseWork(options, shell)
            .generate(merchants, products, largest, colours, sizes, seed);
    Output output = new Output(shell, options.json);
    output.show(
        () -> result,
        () -> {
          long first = result.path("firstMerchantId").asLong();
          output.field(
              "merchants",
              "%d (%d to %d)"
                  .formatted(
                      result.path("merchants").asLong(),
                      first,
                      first + result.path("merchants").asLong() - 1));
          output.field(
              "products",
              "%d, %d of them with stock"
                  .formatted(
                      result.path("products").asLong(), result.path("productsWithStock").asLong()));
          output.field("entries", result.path("entries"));
          output.field(
              "time",
              String.format(
                  Locale.ROOT,
                  "%s s, %,d rows/s",
                  Output.text(result.path("seconds"), "-"),
                  result.path("rowsPerSecond").asLong()));
        });
  }
}
