package io.stockroom.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "merchant",
    description =
        "Create, import and list merchants, set limits, suspend or close them, remove their data.",
    footer = {
      "  stockroom merchant create --name 'Yiwu Shoes' --store-url yiwu \\",
      "      --store-name 'Yiwu Shoes Flagship'",
      "  stockroom merchant list",
      "  stockroom merchant usage 1",
      "  stockroom merchant limits 1 --set detail-per-day=500",
      "  stockroom merchant suspend 1 --reason 'unpaid invoice 4711'"
    })
final class MerchantCommands {
  private static final long REMOVAL_PAUSE_MILLIS = 300;

  private final Shell shell;

  MerchantCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description = "Create a merchant with its store and print its number.",
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
              description = "The store's short name, used in its address.")
          String storeUrl,
      @Option(
              names = "--store-name",
              required = true,
              paramLabel = "NAME",
              description = "The store's display name.")
          String storeName,
      @Option(
              names = "--cell",
              paramLabel = "NAME",
              description =
                  "The cell for the merchant's data (default: the one with the fewest merchants).")
          @Nullable String cell,
      @Mixin OperatorOptions operator) {
    ObjectNode wanted =
        Json.object().put("name", name).put("storeUrl", storeUrl).put("storeName", storeName);
    if (cell != null) {
      wanted.put("cell", cell);
    }
    JsonNode merchant = operator.connect(shell).post("/admin/merchants", wanted);
    Output output = operator.output(shell);
    output.show(
        () -> merchant,
        () -> {
          showStore(merchant, output);
          output.field("created", merchant.path("createdAt"));
        });
  }

  @Command(
      name = "import",
      description = {
        "Create merchants from a CSV file: each row names a merchant with its store, and the"
            + " application that gets a token for it.",
        "Without --apply, only show what would be created. What exists already is kept, so the import"
            + " can run again."
      },
      footer = {
        "  stockroom merchant import merchants.csv",
        "  stockroom merchant import merchants.csv --apply --credentials credentials.csv",
        "",
        "Columns: name, storeUrl, storeName; optional: application (its name), boundStore, scopes",
        "(separated by spaces; default: all), expires (such as P90D)."
      })
  void importAll(
      @Parameters(paramLabel = "FILE", description = "The CSV file in UTF-8; - is standard input.")
          Path file,
      @Option(names = "--apply", description = "Create what the plan shows.") boolean apply,
      @Option(
              names = "--credentials",
              paramLabel = "FILE",
              description =
                  "With --apply: the new file for appids, secrets and tokens, readable only by you.")
          @Nullable Path credentials,
      @Mixin OperatorOptions operator) {
    if (apply == (credentials == null)) {
      throw CommandException.usage(
          "Pass --apply and --credentials FILE together. Help: stockroom merchant import --help");
    }
    MerchantImport plan;
    try (InputFile input = InputFile.open(file, shell)) {
      plan = MerchantImport.plan(input, operator.connect(shell));
    }
    JsonNode planned = plan.json(false);
    boolean creates = plan.createsAnything();
    if (credentials != null && creates) {
      plan.apply(credentials);
    }
    Output output = operator.output(shell);
    output.show(
        () -> credentials == null ? planned : plan.json(true),
        () -> showImport(planned, creates, credentials, output));
  }

  private static void showImport(
      JsonNode planned, boolean creates, @Nullable Path credentials, Output output) {
    Table table = new Table("LINE", "STORE URL", "MERCHANT", "APPLICATION", "TOKEN");
    for (JsonNode row : planned.path("rows")) {
      table.row(row, "line", "storeUrl", "merchant", "application", "token");
    }
    output.table(table);
    if (!creates) {
      output.line("Everything exists already. Nothing was created.");
    } else if (credentials == null) {
      output.line("Nothing was created. Create what is new with: --apply --credentials FILE");
    } else {
      output.line(
          "Created what was new. %s contains the secrets and tokens: the server shows them only once."
              .formatted(credentials));
    }
  }

  @Command(
      name = "list",
      description = "List the merchants with their number of products.",
      footer = {"  stockroom merchant list", "  stockroom merchant list --json"})
  void list(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).get("/admin/merchants");
    Output output = operator.output(shell);
    output.show(() -> answer, () -> showAll(answer.path("merchants"), output));
  }

  @Command(
      name = "show",
      description = "Show a merchant: store, products and limits.",
      footer = {"  stockroom merchant show 1", "  stockroom merchant show 1 --json"})
  void show(@Mixin MerchantArgument merchant, @Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).get("/admin/merchants/" + merchant);
    Output output = operator.output(shell);
    output.show(
        () -> answer,
        () -> {
          showStore(answer, output);
          output.field("products", answer.path("products"));
          output.field("with stock", answer.path("productsWithStock"));
          output.field("created", answer.path("createdAt"));
          output.line("");
          LimitChanges.show(answer.path("limits"), output);
        });
  }

  @Command(
      name = "limits",
      description = {
        "Show or set the limits of one merchant.",
        "Without --set and --unset nothing changes. If one name or value is invalid, nothing changes"
            + " either."
      },
      footer = {
        "  stockroom merchant limits 1",
        "  stockroom merchant limits 1 --set detail-per-day=500 --unset zone",
        "  stockroom merchant limits 1 --set create-interval='5 seconds'"
      })
  void limits(
      @Mixin MerchantArgument merchant,
      @Option(
              names = "--set",
              paramLabel = "NAME=VALUE",
              description = "Set a limit for this merchant; may be given several times.")
          @Nullable List<String> set,
      @Option(
              names = "--unset",
              paramLabel = "NAME",
              description = "Use the server's setting again; may be given several times.")
          @Nullable List<String> unset,
      @Mixin OperatorOptions operator) {
    LimitChanges changes =
        new LimitChanges(set == null ? List.of() : set, unset == null ? List.of() : unset);
    AdminApi api = operator.connect(shell);
    String path = "/admin/merchants/" + merchant;
    JsonNode limits =
        (changes.isEmpty() ? api.get(path) : api.put(path + "/limits", changes.json()))
            .path("limits");
    Output output = operator.output(shell);
    output.show(() -> Json.object().set("limits", limits), () -> LimitChanges.show(limits, output));
  }

  @Command(
      name = "usage",
      description =
          "Show a merchant's limits and usage, and the products that it fetched but"
              + " did not publish.",
      footer = {
        "  stockroom merchant usage 1",
        "  stockroom merchant usage 1 --store 'Shop 7' --page 2"
      })
  void usage(
      @Mixin MerchantArgument merchant,
      @Option(
              names = "--store",
              paramLabel = "NAME",
              description = "Only this bound store (default: all).")
          @Nullable String store,
      @Option(
              names = "--page",
              paramLabel = "N",
              defaultValue = "1",
              converter = PageNumber.Converter.class,
              description = "Page of the unpublished products (default: 1).")
          PageNumber page,
      @Mixin OperatorOptions operator) {
    String filter = store == null ? "" : "&store=" + AdminApi.parameter(store);
    JsonNode answer =
        operator
            .connect(shell)
            .get("/admin/merchants/%s/usage?page=%s%s".formatted(merchant, page, filter));
    String command =
        "stockroom merchant usage "
            + merchant
            + (store == null ? "" : " --store '" + store.replace("'", "'\\''") + "'");
    Output output = operator.output(shell);
    UsagePage usage = new UsagePage(output, UsageBar.in(shell.out().charset()));
    output.show(() -> answer, () -> usage.show(answer, command));
  }

  @Command(
      name = "rename",
      description = "Change a merchant's name. The names of its store stay: products show them.",
      footer = "  stockroom merchant rename 1 --name 'Yiwu Shoes Ltd'")
  void rename(
      @Mixin MerchantArgument merchant,
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "The merchant's new name.")
          String name,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    showChanged(
        api.patch("/admin/merchants/" + merchant, Json.object().put("name", name)), operator);
  }

  @Command(
      name = "suspend",
      description = {
        "Suspend a merchant: every node rejects its calls within a second, and its people can only"
            + " look at the console.",
        "Its tokens are kept. Resume it with: stockroom merchant resume"
      },
      footer = "  stockroom merchant suspend 1 --reason 'unpaid invoice 4711'")
  void suspend(
      @Mixin MerchantArgument merchant,
      @Option(
              names = "--reason",
              required = true,
              paramLabel = "TEXT",
              description = "Why; callers and the merchant's people see it.")
          String reason,
      @Mixin OperatorOptions operator) {
    act(merchant, "suspend", Json.object().put("reason", reason), operator);
  }

  @Command(
      name = "resume",
      description = "Resume a suspended merchant.",
      footer = "  stockroom merchant resume 1")
  void resume(@Mixin MerchantArgument merchant, @Mixin OperatorOptions operator) {
    act(merchant, "resume", Json.object(), operator);
  }

  @Command(
      name = "close",
      description = {
        "Close a merchant for good: revoke all its tokens and disable its webhooks.",
        "Its data stays until you remove it. A closed merchant cannot be opened again."
      },
      footer = "  stockroom merchant close 1 --confirm yiwu")
  void close(
      @Mixin MerchantArgument merchant,
      @Option(
              names = "--confirm",
              required = true,
              paramLabel = "SHORT",
              description = "The short name of the merchant's store, to confirm.")
          String confirm,
      @Mixin OperatorOptions operator) {
    act(merchant, "close", Json.object().put("confirm", confirm), operator);
  }

  @Command(
      name = "remove",
      description = {
        "Remove the data of a closed merchant: products, stock, imports, logs, people and tokens.",
        "It cannot be undone. The merchant's name and its audit log stay. Ctrl-C ends only this"
            + " command: the servers continue with the removal."
      },
      footer = "  stockroom merchant remove 1 --confirm yiwu")
  void remove(
      @Mixin MerchantArgument merchant,
      @Option(
              names = "--confirm",
              required = true,
              paramLabel = "SHORT",
              description = "The short name of the merchant's store, to confirm.")
          String confirm,
      @Option(names = "--no-wait", description = "Do not wait until the data is removed.")
          boolean noWait,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    String path = "/admin/merchants/" + merchant;
    JsonNode answer = api.post(path + "/remove", Json.object().put("confirm", confirm));
    while (!noWait && !answer.path("removedAt").isString()) {
      Pauses.pause(REMOVAL_PAUSE_MILLIS);
      answer = api.get(path);
    }
    showChanged(answer, operator);
  }

  @Command(
      name = "move",
      description = {
        "Move a merchant to another cell while it is used. Its writes wait for less than two"
            + " seconds at the end.",
        "Without --to, show how far the last move has come. Ctrl-C ends only this command: the"
            + " servers continue with the move."
      },
      footer = {
        "  stockroom merchant move 1 --to east",
        "  stockroom merchant move 1",
        "  stockroom merchant move 1 --cancel"
      })
  void move(
      @Mixin MerchantArgument merchant,
      @Option(
              names = "--to",
              paramLabel = "CELL",
              description = "The new cell (see: stockroom cell list).")
          @Nullable String to,
      @Option(names = "--cancel", description = "Cancel the move; the merchant stays where it is.")
          boolean cancel,
      @Option(names = "--no-wait", description = "Do not wait until the merchant has moved.")
          boolean noWait,
      @Mixin OperatorOptions operator) {
    if (cancel && to != null) {
      throw CommandException.usage("--to and --cancel exclude each other.");
    }
    AdminApi api = operator.connect(shell);
    String path = "/admin/merchants/" + merchant + "/move";
    JsonNode move =
        cancel
            ? api.delete(path)
            : to == null ? api.get(path) : api.post(path, Json.object().put("to", to));
    MoveWatch watch = new MoveWatch(api, shell);
    JsonNode ended = to == null || noWait ? move : watch.follow(path, move);
    Output output = operator.output(shell);
    output.show(() -> ended, () -> MoveWatch.show(ended, output));
    MoveWatch.requireSuccess(ended);
  }

  private void act(
      MerchantArgument merchant, String action, ObjectNode request, OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    showChanged(api.post("/admin/merchants/" + merchant + "/" + action, request), operator);
  }

  private void showChanged(JsonNode merchant, OperatorOptions operator) {
    Output output = operator.output(shell);
    output.show(() -> merchant, () -> showStore(merchant, output));
  }

  private static void showStore(JsonNode merchant, Output output) {
    output.field("merchant", merchant.path("merchantId"));
    output.field("name", merchant.path("name"));
    output.field("store URL", merchant.path("storeUrl"));
    output.field("store name", merchant.path("storeName"));
    output.field("status", status(merchant));
  }

  private static String status(JsonNode merchant) {
    return switch (merchant.path("status").asString("active")) {
      case "suspended" ->
          "suspended since %s: %s"
              .formatted(
                  merchant.path("suspendedAt").asString(""),
                  merchant.path("suspensionReason").asString(""));
      case "closed" ->
          "closed at "
              + merchant.path("closedAt").asString("")
              + (merchant.path("removedAt").isString()
                  ? ", data removed at " + merchant.path("removedAt").asString("")
                  : merchant.path("removalRequestedAt").isString()
                      ? ", data is being removed"
                      : "");
      default -> "active";
    };
  }

  private static void showAll(JsonNode merchants, Output output) {
    if (merchants.isEmpty()) {
      output.line("There are no merchants. Create one with: stockroom merchant create");
      return;
    }
    Table table =
        new Table(
            "ID", "NAME", "STORE URL", "STORE NAME", "STATUS", "PRODUCTS", "WITH STOCK", "CREATED");
    for (JsonNode merchant : merchants) {
      table.row(
          merchant,
          "merchantId",
          "name",
          "storeUrl",
          "storeName",
          "status",
          "products",
          "productsWithStock",
          "createdAt");
    }
    output.table(table);
  }
}
