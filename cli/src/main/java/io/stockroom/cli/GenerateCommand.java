package io.stockroom.cli;

import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "generate",
    description = {
      "Fill a database with test data of any size.",
      "The database must not contain products. The same numbers and seed always give the same"
          + " rows. Every fifth product has no stock."
    },
    footer = {
      "  stockroom generate --data data-large",
      "  stockroom generate --merchants 10 --products 1000 --colors 2 --sizes 36-44"
    })
final class GenerateCommand implements Runnable {
  private final Shell shell;

  @Option(names = "--merchants", paramLabel = "N", description = "Merchants (default: 100).")
  private int merchants = 100;

  @Option(
      names = "--products",
      paramLabel = "N",
      description = "Products, shared evenly by the merchants (default: 50000).")
  private int products = 50_000;

  @Option(
      names = "--largest",
      paramLabel = "N",
      description =
          "Products of the first merchant; the others share the rest"
              + " (default: 0, all share evenly).")
  private int largest = 0;

  @Option(
      names = "--colors",
      paramLabel = "N",
      description = "Colors of each product with stock (default: 4).")
  private int colors = 4;

  @Option(
      names = "--sizes",
      paramLabel = "N-M",
      description = "Sizes of each color (default: 36-40).")
  private String sizes = "36-40";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the random numbers (default: 1).")
  private long seed = 1;

  @Mixin private DatabaseOptions options = new DatabaseOptions();

  GenerateCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var result =
        new DatabaseOperations(options, shell)
            .generate(merchants, products, largest, colors, sizes, seed);
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
