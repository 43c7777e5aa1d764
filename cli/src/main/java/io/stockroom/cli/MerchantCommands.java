package io.stockroom.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "merchant",
    description = "Create and list merchants, who own products and a store.",
    footer = {
      "  stockroom merchant create --name 'Yiwu Shoes' --store-url yiwu \\",
      "      --store-name 'Yiwu Shoes Flagship'",
      "  stockroom merchant list"
    })
final class MerchantCommands {
  private final Shell shell;

  MerchantCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description = "Create a merchant with its store; prints the merchant's number.",
      footer = {
        "  stockroom merchant create --name 'Yiwu Shoes' --store-url yiwu \\",
        "      --store-name 'Yiwu Shoes Flagship'"
      })
  void create(
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "The merchant's name.")
          String name,
      @Option(
              names = "--store-url",
              required = true,
              paramLabel = "SHORT",
              description = "The store's short name, as it stands in its address.")
          String storeUrl,
      @Option(
              names = "--store-name",
              required = true,
              paramLabel = "NAME",
              description = "The store's name, as buyers see it.")
          String storeName,
      @Mixin OperatorOptions operator) {
    JsonNode merchant =
        operator
            .connect(shell)
            .post(
                "/admin/merchants",
                Json.object()
                    .put("name", name)
                    .put("storeUrl", storeUrl)
                    .put("storeName", storeName));
    Output output = operator.output(shell);
    output.show(
        () -> merchant,
        () -> {
          output.field("merchant", merchant.path("merchantId"));
          output.field("name", merchant.path("name"));
          output.field("store URL", merchant.path("storeUrl"));
          output.field("store name", merchant.path("storeName"));
          output.field("created", merchant.path("createdAt"));
        });
  }

  @Command(
      name = "list",
      description = "List the merchants, and how many products each has.",
      footer = {"  stockroom merchant list", "  stockroom merchant list --json"})
  void list(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).get("/admin/merchants");
    Output output = operator.output(shell);
    output.show(() -> answer, () -> show(answer.path("merchants"), output));
  }

  private static void show(JsonNode merchants, Output output) {
    if (merchants.isEmpty()) {
      output.line("There are no merchants yet. Create one with: stockroom merchant create");
      return;
    }
    Table table =
        new Table("ID", "NAME", "STORE URL", "STORE NAME", "PRODUCTS", "WITH STOCK", "CREATED");
    for (JsonNode merchant : merchants) {
      table.row(
          merchant,
          "merchantId",
          "name",
          "storeUrl",
          "storeName",
          "products",
          "productsWithStock",
          "createdAt");
    }
    output.table(table);
  }
}
