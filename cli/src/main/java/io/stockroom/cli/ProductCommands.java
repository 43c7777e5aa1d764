package io.stockroom.cli;

import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "product",
    description = "Import a merchant's products from a file.",
    footer = "  stockroom product import --merchant 1 products.jsonl")
final class ProductCommands {
  private final Shell shell;

  ProductCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "import",
      description = {
        "Import products from a JSON Lines file: one JSON object on each line.",
        "When any line is bad nothing is imported, unless --skip-bad is given. Importing the same"
            + " file again changes nothing."
      },
      footer = {
        "  stockroom product import --merchant 1 products.jsonl",
        "  zcat products.jsonl.gz | stockroom product import --merchant 1 - --skip-bad"
      })
  int importProducts(
      @Option(
              names = "--merchant",
              required = true,
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Whose products they are (see: stockroom merchant list).")
          MerchantId merchant,
      @Option(names = "--skip-bad", description = "Import the good lines when others are bad.")
          boolean skipBad,
      @Parameters(paramLabel = "FILE.jsonl", description = "The file, or - for standard input.")
          Path file,
      @Mixin OperatorOptions operator) {
    refuseOtherFormats(file);
    try (InputFile input = InputFile.open(file, shell)) {
      refuseOtherContent(input);
      AdminApi api = operator.connect(shell);
      requireMerchant(merchant, api);
      JsonNode result = upload(input, merchant, skipBad, api);
      Output output = operator.output(shell);
      output.show(() -> result, () -> show(result, output));
      return conclude(result, output);
    }
  }

  private static void refuseOtherFormats(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.matches(".*\\.(csv|tsv|txt|xls|xlsx|ods|xml|zip|gz)")) {
      throw CommandFailure.failed(
          "'%s' is not JSON Lines, which is what product import takes: a file like products.jsonl with one JSON object on each line."
              .formatted(file));
    }
  }

  private static void refuseOtherContent(InputFile input) {
    switch (input.peek()) {
      case -1 ->
          throw CommandFailure.failed(
              "%s is empty; give JSON Lines, one JSON object on each line."
                  .formatted(input.name()));
      case '[' ->
          throw CommandFailure.failed(
              "%s holds one JSON array; give JSON Lines, one JSON object on each line (jq -c '.[]' turns it into that)."
                  .formatted(input.name()));
      default -> {}
    }
  }

  /**
   * Asked before the file is sent: a server that refuses in the middle of a long upload cuts the
   * connection, and its reason would be lost.
   */
  private static void requireMerchant(MerchantId merchant, AdminApi api) {
    boolean exists =
        api.get("/admin/merchants")
            .path("merchants")
            .valueStream()
            .anyMatch(each -> each.path("merchantId").asLong(0) == merchant.value());
    if (!exists) {
      throw CommandFailure.failed(
          "There is no merchant %s; see: stockroom merchant list".formatted(merchant));
    }
  }

  private JsonNode upload(InputFile input, MerchantId merchant, boolean skipBad, AdminApi api) {
    String path = "/admin/merchants/%s/products?skipBad=%s".formatted(merchant, skipBad);
    if (!shell.errIsTerminal()) {
      return api.upload(path, publisher(input, input.stream()));
    }
    Progress progress = new Progress(input.stream(), input.length(), shell.err());
    try {
      return api.upload(path, publisher(input, progress));
    } finally {
      progress.wipe();
    }
  }

  private static BodyPublisher publisher(InputFile input, InputStream stream) {
    BodyPublisher publisher = BodyPublishers.ofInputStream(() -> stream);
    return input.length().isPresent()
        ? BodyPublishers.fromPublisher(publisher, input.length().getAsLong())
        : publisher;
  }

  private static void show(JsonNode result, Output output) {
    output.line(
        "%s created, %s changed, %s unchanged, %s failed"
            .formatted(
                result.path("created").asLong(0),
                result.path("changed").asLong(0),
                result.path("unchanged").asLong(0),
                result.path("failed").asLong(0)));
    JsonNode errors = result.path("errors");
    errors.forEach(error -> output.line(fault(error)));
    long more = result.path("failed").asLong(0) - errors.size();
    if (!errors.isEmpty() && more > 0) {
      output.line("and %d more bad lines".formatted(more));
    }
  }

  private static String fault(JsonNode error) {
    String at = error.path("at").asString("");
    String value = Output.text(error.path("value"), "");
    String message = error.path("msg").asString("");
    return "line "
        + error.path("line").asLong(0)
        + (at.isEmpty() ? "" : ", " + at)
        + ": "
        + message
        + (value.isEmpty() || message.contains(value) ? "" : " ('" + value + "')");
  }

  private static int conclude(JsonNode result, Output output) {
    long failed = result.path("failed").asLong(0);
    boolean isApplied = result.path("applied").asBoolean(failed == 0);
    if (failed == 0 && isApplied) {
      return 0;
    }
    String lines = failed == 1 ? "1 line is bad" : failed + " lines are bad";
    output.problem(
        isApplied
            ? lines + "; the others were imported. Correct them and import the file again."
            : lines
                + ", so nothing was imported. Correct them, or pass --skip-bad to import the others.");
    return 1;
  }
}
