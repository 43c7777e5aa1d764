package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code stockroom product}: a merchant's products with their stock. */
final class ProductCommands {
  private ProductCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "product",
        "Import, export, archive and restore a merchant's products with their stock.",
        List.of(
            "stockroom product import --merchant 1 products.csv --dry-run",
            "stockroom product export --merchant 1 products.xlsx",
            "stockroom product archive --merchant 1 A100"),
        ProductImport.command(),
        ProductExport.command(),
        one("archive")
            .does(
                "Archive a product.",
                "The interface, imports and the console treat it as missing until you restore it."),
        one("restore")
            .does(
                "Restore an archived product with its stock.",
                "If another product has one of its barcodes now, nothing changes."));
  }

  private static CommandDefinition one(String name) {
    return CommandDefinition.post(name, "/admin/merchants/{--merchant}/products/" + name)
        .examples("stockroom product %s --merchant 1 A100".formatted(name))
        .with(
            MerchantCommands.ID_OPTION.local(),
            argument("ITEM", "The item number of the product.").field("artNo"))
        .prints(Columns.of("item number=artNo, product=pid, archived"));
  }
}
