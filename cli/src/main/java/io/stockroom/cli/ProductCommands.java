package io.stockroom.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "product",
    description = "Import and export a merchant's products with their stock.",
    footer = {
      "  stockroom product import --merchant 1 products.csv --dry-run",
      "  stockroom product export --merchant 1 products.xlsx"
    })
final class ProductCommands {
  private final Shell shell;

  ProductCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "import",
      description = {
        "Import products and stock from a CSV, XLSX or JSON Lines file.",
        "Products are known by artNo; those that the file does not name stay as they are. When any"
            + " is bad nothing is imported, unless --skip-bad is given. The rows of bad ones are"
            + " kept beside the file as NAME.rejected.csv, with the reasons.",
        "With --json it prints the result as one JSON object, with --json-stream also every step on"
            + " the way. Ctrl-C cancels the import."
      },
      footer = {
        "  stockroom product import --merchant 1 products.csv --dry-run",
        "  stockroom product import --merchant 1 货品.xlsx --map 货号=artNo --map Note=",
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
      @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
          boolean dryRun,
      @Option(names = "--skip-bad", description = "Import the good products when others are bad.")
          boolean skipBad,
      @Option(
              names = "--map",
              paramLabel = "COLUMN=FIELD",
              description =
                  "Which field a column is, where its name does not tell; COLUMN= ignores it. May be"
                      + " given several times.")
          @Nullable List<String> map,
      @Option(
              names = "--encoding",
              paramLabel = "NAME",
              description = "The file's encoding, such as GBK (default: found out).")
          @Nullable String encoding,
      @Option(
              names = "--delimiter",
              paramLabel = "CHAR",
              description = "What separates the columns, such as ; or tab (default: found out).")
          @Nullable String delimiter,
      @Parameters(paramLabel = "FILE", description = "The file, or - for standard input.")
          Path file,
      @Mixin JsonStreamOption stream,
      @Mixin OperatorOptions operator) {
    return new ProductImport(shell, operator, stream.output(operator, shell))
        .run(
            new ProductImport.Request(
                merchant,
                file,
                dryRun,
                skipBad,
                map == null ? List.of() : map,
                encoding,
                delimiter));
  }

  @Command(
      name = "export",
      description = {
        "Export products with their stock, as they are at one moment, into a file.",
        "The ending of its name tells the format: .csv, .xlsx or .jsonl. The file can be edited and"
            + " imported again. One that breaks off leaves no file of this name."
      },
      footer = {
        "  stockroom product export --merchant 1 products.xlsx",
        "  stockroom product export --merchant 1 - --format jsonl | gzip > products.jsonl.gz"
      })
  void exportProducts(
      @Option(
              names = "--merchant",
              required = true,
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Whose products (see: stockroom merchant list).")
          MerchantId merchant,
      @Option(
              names = "--format",
              paramLabel = "FORMAT",
              description = "csv, xlsx or jsonl (default: as the file's name ends).")
          @Nullable String format,
      @Option(names = "--force", description = "Replace the file where there is one.")
          boolean force,
      @Parameters(paramLabel = "FILE", description = "The file to write, or - for standard output.")
          Path file,
      @Mixin OperatorOptions operator) {
    new ProductExport(shell, operator).run(merchant, file, format, force);
  }
}
