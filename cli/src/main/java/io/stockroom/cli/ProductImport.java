package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;
import static io.stockroom.cli.CommandOption.repeated;

import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Locale;

/** {@code stockroom product import}: uploads a file, follows its import, prints the result. */
final class ProductImport {
  private ProductImport() {}

  static CommandDefinition command() {
    return CommandDefinition.of("import", ProductImport::run)
        .does(
            "Import products and stock from a CSV, XLSX or JSON Lines file.",
            "Products are identified by artNo; products that are not in the file do not change. If"
                + " any has errors, nothing is imported, unless you pass --skip-bad. Rejected rows"
                + " are written to NAME.rejected.csv next to the file, with the reasons; with"
                + " --dry-run, only to the file that --rejected names.",
            "--json prints the result as one JSON object; --json-stream also prints every step."
                + " Ctrl-C cancels the import.")
        .examples(
            "stockroom product import --merchant 1 products.csv --dry-run",
            "stockroom product import --merchant 1 货品.xlsx --map 货号=artNo --map Note=",
            "zcat products.jsonl.gz | stockroom product import --merchant 1 - --skip-bad")
        .with(
            MerchantCommands.ID_OPTION.local(),
            flag("--dry-run", "Show what would change without changing anything.").local(),
            flag("--skip-bad", "Import the valid products if others have errors.").local(),
            option("--rejected", "FILE", "Where to write the rejected rows with the reasons.")
                .local(),
            option(
                "--mode",
                "MODE",
                "What quantities mean: set (new quantities; the default), add (changes), or"
                    + " replace (entries that the file leaves out, of the products in it, become"
                    + " 0)."),
            option(
                "--differing",
                "PRICE",
                "If the rows of a product differ: lowest (the lowest price; the default), highest,"
                    + " first, or reject. Of other fields, the first value is taken."),
            option(
                "--ranges",
                "KIND",
                "Whether a size such as 30-32 means all sizes from 30 to 32 (sizes; the default) or"
                    + " is one size (text)."),
            option(
                "--only-color",
                "WORD",
                "The color of products without colors; it is remembered (default: Default)."),
            option(
                "--only-size",
                "WORD",
                "The size of products without sizes; it is remembered (default: One size)."),
            flag(
                    "--no-header",
                    "The first row is data. The columns are A, B, C, …; name them with --map.")
                .local(),
            repeated(
                "--map",
                "COLUMN=FIELD",
                "The field of a column, or of an option such as Material; COLUMN= ignores it."
                    + " colorPart joins it to the color. May be given several times."),
            option("--encoding", "NAME", "The file's encoding, such as GBK (default: detected)."),
            option(
                    "--delimiter",
                    "CHAR",
                    "The column separator, such as ; or tab (default: detected).")
                .as(String.class, ProductImport::character),
            argument("FILE", "The file, or - for standard input."))
        .streams();
  }

  /** Accepts the word "tab", because a tab is hard to type. */
  private static String character(String delimiter) {
    return delimiter.equals("\\t") || delimiter.equalsIgnoreCase("tab") ? "\t" : delimiter;
  }

  private static int run(Given given) {
    for (String entry : given.list("--map")) {
      if (entry.lastIndexOf('=') < 1) {
        throw CommandException.usage(
            "'%s' is not a mapping; write COLUMN=FIELD, such as 货号=artNo, or COLUMN= to ignore a column."
                .formatted(entry));
      }
    }
    Path file = Path.of(given.text("FILE"));
    refuseOtherFormats(file);
    try (InputFile input = InputFile.open(file, given.shell())) {
      refuseOtherContent(input);
      long merchantId = Long.parseLong(given.text("--merchant"));
      requireMerchant(merchantId, given.api());
      ImportJob ended;
      try (CancelOnInterrupt run = new CancelOnInterrupt(merchantId, given)) {
        ended = run.follow(null, () -> upload(file, input, run.line(), given));
      }
      return new ImportOutcome(given)
          .conclude(ended, file, given.path("--rejected"), !given.has("--dry-run"));
    }
  }

  private static ImportJob upload(Path file, InputFile input, LiveLine line, Given given) {
    InputStream sent =
        Progress.drawn(input.stream(), "Sending  ", input.length(), line, given.shell());
    return new ImportJob(given.api().upload(address(file, given), publisher(input, sent)));
  }

  private static String address(Path file, Given given) {
    String name = file.toString().equals("-") ? "standard-input" : file.getFileName().toString();
    return "/admin/merchants/%s/imports?name=%s&apply=%s&skipBad=%s%s%s"
        .formatted(
            given.text("--merchant"),
            AdminApi.parameter(name),
            !given.has("--dry-run"),
            given.has("--skip-bad"),
            given.has("--no-header") ? "&header=false" : "",
            given.query().replaceFirst("\\?", "&"));
  }

  private static BodyPublisher publisher(InputFile input, InputStream stream) {
    BodyPublisher publisher = BodyPublishers.ofInputStream(() -> stream);
    return input.length().isPresent()
        ? BodyPublishers.fromPublisher(publisher, input.length().getAsLong())
        : publisher;
  }

  private static void refuseOtherFormats(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    String instead =
        switch (name.replaceFirst(".*\\.", "")) {
          case "xls", "ods", "numbers", "et" -> "save it as .xlsx or .csv first";
          case "gz" -> "decompress it: zcat %s | stockroom product import … -".formatted(file);
          case "zip", "7z", "rar" -> "unpack it first";
          case "xml", "pdf", "html", "htm", "doc", "docx" -> "it must be .csv, .xlsx or .jsonl";
          default -> "";
        };
    if (!instead.isEmpty()) {
      throw CommandException.failed("'%s' cannot be imported; %s.".formatted(file, instead));
    }
  }

  private static void refuseOtherContent(InputFile input) {
    switch (input.peek()) {
      case -1 ->
          throw CommandException.failed(
              "%s is empty; pass CSV, XLSX or JSON Lines.".formatted(input.name()));
      case '[' ->
          throw CommandException.failed(
              "%s contains one JSON array; pass JSON Lines, one JSON object per line (convert it with jq -c '.[]')."
                  .formatted(input.name()));
      default -> {}
    }
  }

  /**
   * Checks before the upload: a server that rejects a long upload closes the connection, and the
   * reason would be lost.
   */
  private static void requireMerchant(long merchantId, AdminApi api) {
    boolean exists =
        api.get("/admin/merchants")
            .path("merchants")
            .valueStream()
            .anyMatch(each -> each.path("merchantId").asLong(0) == merchantId);
    if (!exists) {
      throw CommandException.failed(
          "There is no merchant %s; see: stockroom merchant list".formatted(merchantId));
    }
  }
}
