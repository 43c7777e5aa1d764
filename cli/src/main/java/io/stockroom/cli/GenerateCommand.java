package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.option;

import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom generate}: test data. */
final class GenerateCommand {
  private GenerateCommand() {}

  static CommandSpec make(Shell shell) {
    DatabaseOptions database = new DatabaseOptions();
    return CommandDefinition.local("generate", given -> run(database, given))
        .does(
            "Fill a database with test data of any size.",
            "The database must not contain products. The same numbers and seed always give the same"
                + " rows. Every fifth product has no stock.")
        .examples(
            "stockroom generate --data data-large",
            "stockroom generate --merchants 10 --products 1000 --colors 2 --sizes 36-44")
        .with(
            option("--merchants", "N", "Merchants (default: 100).").as(Integer.class),
            option("--products", "N", "Products, shared evenly by the merchants (default: 50000).")
                .as(Integer.class),
            option(
                    "--largest",
                    "N",
                    "Products of the first merchant; the others share the rest (default: 0, all"
                        + " share evenly).")
                .as(Integer.class),
            option("--colors", "N", "Colors of each product with stock (default: 4).")
                .as(Integer.class),
            option("--sizes", "N-M", "Sizes of each color (default: 36-40)."),
            option("--seed", "N", "Seed of the random numbers (default: 1).").as(Long.class))
        .mixin(database)
        .spec(shell);
  }

  private static int run(DatabaseOptions database, Given given) {
    JsonNode result =
        new DatabaseOperations(database, given.shell())
            .generate(
                given.number("--merchants", 100),
                given.number("--products", 50_000),
                given.number("--largest", 0),
                given.number("--colors", 4),
                given.has("--sizes") ? given.text("--sizes") : "36-40",
                given.value("--seed") instanceof Long seed ? seed : 1);
    given.output().show(() -> result, () -> print(result, given.output()));
    return 0;
  }

  private static void print(JsonNode result, Output output) {
    long first = result.path("firstMerchantId").asLong();
    long merchants = result.path("merchants").asLong();
    output.field("merchants", "%d (%d to %d)".formatted(merchants, first, first + merchants - 1));
    output.field(
        "products",
        "%d, %d of them with stock"
            .formatted(
                result.path("products").asLong(), result.path("productsWithStock").asLong()));
    output.field("entries", result.path("entries"));
    String seconds = Output.text(result.path("seconds"), "-");
    long rate = result.path("rowsPerSecond").asLong();
    output.field("time", String.format(Locale.ROOT, "%s s, %,d rows/s", seconds, rate));
  }
}
