package io.stockroom.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "product",
    description = "Import, export, archive and restore a merchant's products with their stock.",
    footer = {
      "  stockroom product import --merchant 1 products.csv --dry-run",
      "  stockroom product export --merchant 1 products.xlsx",
      "  stockroom product archive --merchant 1 A100"
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
        "Products are identified by artNo; products that are not in the file do not change. If any"
            + " has errors, nothing is imported, unless you pass --skip-bad. Rejected rows are"
            + " written to NAME.rejected.csv next to the file, with the reasons.",
        "--json prints the result as one JSON object; --json-stream also prints every step."
            + " Ctrl-C cancels the import."
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
              description = "The merchant (see: stockroom merchant list).")
          MerchantId merchant,
      @Option(
              names = "--dry-run",
              description = "Show what would change without changing anything.")
          boolean dryRun,
      @Option(
              names = "--skip-bad",
              description = "Import the valid products if others have errors.")
          boolean skipBad,
      @Option(
              names = "--mode",
              paramLabel = "MODE",
              description =
                  "What quantities mean: set (new quantities; the default), add (changes), or"
                      + " replace (entries that the file leaves out, of the products in it, become"
                      + " 0).")
          @Nullable String mode,
      @Option(
              names = "--no-header",
              description =
                  "The first row is data. The columns are A, B, C, …; name them with --map.")
          boolean noHeader,
      @Option(
              names = "--map",
              paramLabel = "COLUMN=FIELD",
              description =
                  "The field of a column; COLUMN= ignores the column. May be"
                      + " given several times.")
          @Nullable List<String> map,
      @Option(
              names = "--encoding",
              paramLabel = "NAME",
              description = "The file's encoding, such as GBK (default: detected).")
          @Nullable String encoding,
      @Option(
              names = "--delimiter",
              paramLabel = "CHAR",
              description = "The column separator, such as ; or tab (default: detected).")
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
                mode,
                noHeader,
                map == null ? List.of() : map,
                encoding,
                delimiter));
  }

  @Command(
      name = "export",
      description = {
        "Export a consistent snapshot of products and stock to a file.",
        "The file extension selects the format: .csv, .xlsx or .jsonl. You can edit the file and"
            + " import it again. An incomplete export leaves no file."
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
              description = "The merchant (see: stockroom merchant list).")
          MerchantId merchant,
      @Option(
              names = "--format",
              paramLabel = "FORMAT",
              description = "csv, xlsx or jsonl (default: by file extension).")
          @Nullable String format,
      @Option(names = "--force", description = "Replace an existing file.") boolean force,
      @Parameters(paramLabel = "FILE", description = "The file to write, or - for standard output.")
          Path file,
      @Mixin OperatorOptions operator) {
    new ProductExport(shell, operator).run(merchant, file, format, force);
  }

  @Command(
      name = "archive",
      description = {
        "Archive a product.",
        "The interface, imports and the console treat it as missing until you restore it."
      },
      footer = {"  stockroom product archive --merchant 1 A100"})
  void archive(
      @Option(
              names = "--merchant",
              required = true,
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "The merchant (see: stockroom merchant list).")
          MerchantId merchant,
      @Parameters(paramLabel = "ITEM", description = "The item number of the product.")
          String artNo,
      @Mixin OperatorOptions operator) {
    move(merchant, "archive", artNo, operator);
  }

  @Command(
      name = "restore",
      description = {
        "Restore an archived product with its stock.",
        "If another product has one of its barcodes now, nothing changes."
      },
      footer = {"  stockroom product restore --merchant 1 A100"})
  void restore(
      @Option(
              names = "--merchant",
              required = true,
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "The merchant (see: stockroom merchant list).")
          MerchantId merchant,
      @Parameters(paramLabel = "ITEM", description = "The item number of the product.")
          String artNo,
      @Mixin OperatorOptions operator) {
    move(merchant, "restore", artNo, operator);
  }

  private void move(MerchantId merchant, String what, String artNo, OperatorOptions operator) {
    JsonNode product =
        operator
            .connect(shell)
            .post(
                "/admin/merchants/" + merchant + "/products/" + what,
                Json.object().put("artNo", artNo));
    Output output = operator.output(shell);
    output.show(
        () -> product,
        () -> {
          output.field("item number", product.path("artNo"));
          output.field("product", product.path("pid"));
          output.field("archived", product.path("archived"));
        });
  }
}
