package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.get;
import static io.stockroom.cli.CommandDefinition.patch;
import static io.stockroom.cli.CommandDefinition.post;
import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;
import static io.stockroom.cli.CommandOption.required;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom merchant}: merchants with their stores. */
final class MerchantCommands {
  static final CommandOption ID =
      argument("ID", "The merchant (see: stockroom merchant list).")
          .as(Long.class, Values::merchantId);

  /** The merchant of a command that is about something else. */
  static final CommandOption ID_OPTION =
      required("--merchant", "ID", "The merchant (see: stockroom merchant list).")
          .as(Long.class, Values::merchantId)
          .field("merchantId");

  private static final long REMOVAL_PAUSE_MILLIS = 300;
  private static final String PATH = "/admin/merchants/{ID}";
  private static final CommandOption CONFIRM =
      required("--confirm", "SHORT", "The short name of the merchant's store, to confirm.");
  private static final CommandOption NO_WAIT_REMOVED =
      flag("--no-wait", "Do not wait until the data is removed.").local();

  private static final Columns STORE =
      Columns.of("merchant=merchantId, name, store URL=storeUrl, store name=storeName")
          .and("status", MerchantCommands::status);

  private MerchantCommands() {}

  /** Limits a list to one merchant. */
  static CommandOption filter(String text) {
    return option("--merchant", "ID", text).as(Long.class, Values::merchantId);
  }

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "merchant",
        "Create, import and list merchants, set limits, suspend or close them, remove their data.",
        List.of(
            "stockroom merchant create --name 'Yiwu Shoes' --store-url yiwu \\",
            "    --store-name 'Yiwu Shoes Flagship'",
            "stockroom merchant list",
            "stockroom merchant usage 1",
            "stockroom merchant limits 1 --set detail-per-day=500",
            "stockroom merchant suspend 1 --reason 'unpaid invoice 4711'"),
        create(),
        MerchantImportCommand.command(),
        list(),
        show(),
        LimitCommands.ofMerchant(),
        UsagePage.command(),
        patch("rename", PATH)
            .does("Change a merchant's name. The names of its store stay: products show them.")
            .examples("stockroom merchant rename 1 --name 'Yiwu Shoes Ltd'")
            .with(ID, required("--name", "NAME", "The merchant's new name."))
            .prints(STORE),
        suspend(),
        post("resume", PATH + "/resume")
            .does("Resume a suspended merchant.")
            .examples("stockroom merchant resume 1")
            .with(ID)
            .prints(STORE),
        post("close", PATH + "/close")
            .does(
                "Close a merchant for good: revoke all its tokens and disable its webhooks.",
                "Its data stays until you remove it. A closed merchant cannot be opened again.")
            .examples("stockroom merchant close 1 --confirm yiwu")
            .with(ID, CONFIRM)
            .prints(STORE),
        remove(),
        MoveCommand.command());
  }

  private static CommandDefinition suspend() {
    return post("suspend", PATH + "/suspend")
        .does(
            "Suspend a merchant: every node rejects its calls within a second, and its people"
                + " can only look at the console.",
            "Its tokens are kept. Resume it with: stockroom merchant resume")
        .examples("stockroom merchant suspend 1 --reason 'unpaid invoice 4711'")
        .with(ID, required("--reason", "TEXT", "Why; callers and the merchant's people see it."))
        .prints(STORE);
  }

  private static CommandDefinition create() {
    return post("create", "/admin/merchants")
        .does("Create a merchant with its store and print its number.")
        .examples(
            "stockroom merchant create --name 'Yiwu Shoes' --store-url yiwu \\",
            "    --store-name 'Yiwu Shoes Flagship'")
        .with(
            required("--name", "NAME", "The merchant's name."),
            required("--store-url", "SHORT", "The store's short name, used in its address."),
            required("--store-name", "NAME", "The store's display name."),
            option(
                "--cell",
                "NAME",
                "The cell for the merchant's data (default: the one with the fewest merchants)."))
        .prints(STORE)
        .prints(Columns.of("created=createdAt"));
  }

  private static CommandDefinition list() {
    return get("list", "/admin/merchants")
        .does("List the merchants with their number of products.")
        .examples("stockroom merchant list", "stockroom merchant list --json")
        .none("There are no merchants. Create one with: stockroom merchant create")
        .lists(
            "merchants",
            Columns.of(
                "ID=merchantId, NAME=name, STORE URL=storeUrl, STORE NAME=storeName, STATUS=status,"
                    + " PRODUCTS=products, WITH STOCK=productsWithStock, CREATED=createdAt"));
  }

  private static CommandDefinition show() {
    return get("show", PATH)
        .does("Show a merchant: store, products and limits.")
        .examples("stockroom merchant show 1", "stockroom merchant show 1 --json")
        .with(ID)
        .prints(STORE)
        .prints(Columns.of("products, with stock=productsWithStock, created=createdAt"))
        .says("")
        .prints((answer, given) -> LimitCommands.show(answer.path("limits"), given.output()));
  }

  private static CommandDefinition remove() {
    return post("remove", PATH + "/remove")
        .does(
            "Remove the data of a closed merchant: products, stock, imports, logs, people and"
                + " tokens.",
            "It cannot be undone. The merchant's name and its audit log stay. Ctrl-C ends only"
                + " this command: the servers continue with the removal.")
        .examples("stockroom merchant remove 1 --confirm yiwu")
        .with(ID, CONFIRM, NO_WAIT_REMOVED)
        .calls(
            given -> {
              AdminApi api = given.api();
              JsonNode answer = api.post(given.address(PATH + "/remove"), given.body());
              while (!given.has("--no-wait") && !answer.path("removedAt").isString()) {
                Values.pause(REMOVAL_PAUSE_MILLIS);
                answer = api.get(given.address(PATH));
              }
              return answer;
            })
        .prints(STORE);
  }

  private static String status(JsonNode merchant) {
    return switch (merchant.path("status").asString("active")) {
      case "suspended" ->
          "suspended since %s: %s"
              .formatted(
                  merchant.path("suspendedAt").asString(""),
                  merchant.path("suspensionReason").asString(""));
      case "closed" -> "closed at " + merchant.path("closedAt").asString("") + removal(merchant);
      default -> "active";
    };
  }

  private static String removal(JsonNode merchant) {
    if (merchant.path("removedAt").isString()) {
      return ", data removed at " + merchant.path("removedAt").asString("");
    }
    return merchant.path("removalRequestedAt").isString() ? ", data is being removed" : "";
  }
}
