package io.stockroom.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "webhook",
    description = "Create, list, test and repair webhooks.",
    footer = {
      "  stockroom webhook create https://shop.example/stock-changes",
      "  stockroom webhook list",
      "  stockroom webhook test ID",
      "  stockroom webhook deliveries ID"
    })
final class WebhookCommands {
  private static final String ID = "ID";
  private static final String ID_TEXT = "The webhook (see: stockroom webhook list).";

  private final Shell shell;

  WebhookCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description =
          "Create a webhook, which sends the merchant's changes to a URL. Its secret is shown only"
              + " once.",
      footer = {
        "  stockroom webhook create https://shop.example/stock-changes",
        "  stockroom webhook create https://shop.example/stock-changes --kind stock"
      })
  void create(
      @Parameters(index = "0", paramLabel = "URL", description = "The address of the receiver.")
          String url,
      @Option(
              names = "--kind",
              paramLabel = "KIND",
              description =
                  "The changes to send: stock or product; repeat for both (default: both).")
          @Nullable List<String> kinds,
      @Mixin InterfaceOptions options) {
    ObjectNode request = Json.object().put("url", url);
    if (kinds != null) {
      ArrayNode array = request.putArray("kinds");
      kinds.forEach(array::add);
    }
    secret(options.connect(shell).json("/Webhook/Create", request), options);
  }

  @Command(
      name = "list",
      description = "List the merchant's webhooks, oldest first.",
      footer = {"  stockroom webhook list", "  stockroom webhook list --json"})
  void list(@Mixin InterfaceOptions options) {
    JsonNode answer = options.connect(shell).form("/Webhook/List", Map.of());
    Output output = options.output(shell);
    output.show(() -> answer, () -> list(answer.path("webhooks"), output));
  }

  private static void list(JsonNode webhooks, Output output) {
    Table table = new Table("ID", "STATE", "KINDS", "PENDING", "URL");
    List<String> remarks = new ArrayList<>();
    for (JsonNode webhook : webhooks) {
      String id = Output.text(webhook.path("id"), "-");
      table.row(webhook, "id", "state", "kinds", "pending", "url");
      switch (webhook.path("state").asString("")) {
        case "failing" ->
            remarks.add(
                "%s fails since %s; next attempt %s. See: stockroom webhook deliveries %s"
                    .formatted(
                        id,
                        Timestamps.text(webhook.path("failingSince")),
                        Timestamps.text(webhook.path("nextAttemptAt")),
                        id));
        case "disabled" ->
            remarks.add(
                "%s is disabled: %s. Enable it with: stockroom webhook enable %s"
                    .formatted(id, reason(webhook.path("disabledReason").asString("")), id));
        default -> {}
      }
    }
    if (table.isEmpty()) {
      output.line("No webhooks. Create one with: stockroom webhook create URL");
      return;
    }
    output.table(table);
    remarks.forEach(output::line);
  }

  private static String reason(String word) {
    return switch (word) {
      case "gone" -> "the receiver answered 410 Gone";
      case "failures" -> "no delivery succeeded for 5 days";
      case "expired" -> "the next change is no longer kept, so take a snapshot first";
      case "restored" -> "the server was restored from a backup, so take a snapshot first";
      case "request" -> "somebody disabled it";
      default -> word;
    };
  }

  @Command(
      name = "deliveries",
      description = {
        "List the attempts to deliver, newest first.",
        "--json also prints the requests and responses."
      },
      footer = {
        "  stockroom webhook deliveries ID",
        "  stockroom webhook deliveries ID --page 2 --json"
      })
  void deliveries(
      @Parameters(index = "0", paramLabel = ID, description = ID_TEXT) String id,
      @Option(
              names = "--page",
              paramLabel = "N",
              defaultValue = "1",
              description = "The page, 20 attempts each (default: 1).")
          int page,
      @Mixin InterfaceOptions options) {
    JsonNode answer =
        options
            .connect(shell)
            .form("/Webhook/Deliveries", Map.of("id", id, "page", Integer.toString(page)));
    Output output = options.output(shell);
    output.show(() -> answer, () -> deliveries(answer, output));
  }

  private static void deliveries(JsonNode answer, Output output) {
    Table table = new Table("NUMBER", "TIME", "TYPE", "ATTEMPT", "CHANGES", "MS", "RESULT");
    for (JsonNode delivery : answer.path("deliveries")) {
      String first = Output.text(delivery.path("firstChange"), "");
      String last = Output.text(delivery.path("lastChange"), "");
      String status = Output.text(delivery.path("status"), "");
      String error = delivery.path("error").asString("");
      table.cells(
          Output.text(delivery.path("number"), "-"),
          Timestamps.text(delivery.path("at")),
          Output.text(delivery.path("type"), "-"),
          Output.text(delivery.path("attempt"), "-"),
          first.isEmpty() ? "-" : first.equals(last) ? first : first + "-" + last,
          Output.text(delivery.path("millis"), "-"),
          error.isEmpty() || error.equals("status") ? status : error);
    }
    if (table.isEmpty()) {
      output.line("No deliveries. Try one with: stockroom webhook test ID");
      return;
    }
    output.table(table);
    output.line(
        "Page %s of %s."
            .formatted(
                Output.text(answer.path("page"), "-"),
                Output.text(answer.path("totalPages"), "-")));
  }

  @Command(
      name = "test",
      description =
          "Send a test message. The exit code is 0 if the receiver answered it with a 2xx.",
      footer = "  stockroom webhook test ID")
  void test(
      @Parameters(index = "0", paramLabel = ID, description = ID_TEXT) String id,
      @Mixin InterfaceOptions options) {
    done("/Webhook/Test", Map.of("id", id), "The receiver accepted the test message.", options);
  }

  @Command(
      name = "replay",
      description = "Deliver the changes after a cursor again.",
      footer = {
        "  stockroom webhook replay ID --after CURSOR",
        "  stockroom webhook replay ID --after latest"
      })
  void replay(
      @Parameters(index = "0", paramLabel = ID, description = ID_TEXT) String id,
      @Option(
              names = "--after",
              required = true,
              paramLabel = "CURSOR",
              description = "The cursor; latest skips all changes that wait for delivery.")
          String after,
      @Mixin InterfaceOptions options) {
    done(
        "/Webhook/Replay",
        Map.of("id", id, "after", after),
        "Webhook %s now delivers the changes after %s.".formatted(id, after),
        options);
  }

  @Command(
      name = "rotate",
      description =
          "Give a webhook a new secret, which is shown only once. For 24 hours messages are signed"
              + " with both.",
      footer = "  stockroom webhook rotate ID")
  void rotate(
      @Parameters(index = "0", paramLabel = ID, description = ID_TEXT) String id,
      @Mixin InterfaceOptions options) {
    secret(options.connect(shell).form("/Webhook/Rotate", Map.of("id", id)), options);
  }

  @Command(
      name = "enable",
      description = "Deliver again, from where the webhook stopped.",
      footer = "  stockroom webhook enable ID")
  void enable(
      @Parameters(index = "0", paramLabel = ID, description = ID_TEXT) String id,
      @Mixin InterfaceOptions options) {
    done("/Webhook/Enable", Map.of("id", id), "Webhook %s is enabled.".formatted(id), options);
  }

  @Command(
      name = "disable",
      description = "Stop deliveries until the webhook is enabled again.",
      footer = "  stockroom webhook disable ID")
  void disable(
      @Parameters(index = "0", paramLabel = ID, description = ID_TEXT) String id,
      @Mixin InterfaceOptions options) {
    done("/Webhook/Disable", Map.of("id", id), "Webhook %s is disabled.".formatted(id), options);
  }

  @Command(
      name = "delete",
      description = "Delete a webhook and its deliveries.",
      footer = "  stockroom webhook delete ID")
  void delete(
      @Parameters(index = "0", paramLabel = ID, description = ID_TEXT) String id,
      @Mixin InterfaceOptions options) {
    done("/Webhook/Delete", Map.of("id", id), "Webhook %s is deleted.".formatted(id), options);
  }

  private void secret(JsonNode answer, InterfaceOptions options) {
    Output output = options.output(shell);
    output.show(
        () -> answer,
        () -> {
          output.field("id", answer.path("id"));
          output.field("secret", answer.path("secret"));
          output.line("Store the secret now; it is not shown again.");
        });
  }

  private void done(
      String path, Map<String, String> fields, String sentence, InterfaceOptions options) {
    JsonNode answer = options.connect(shell).form(path, fields);
    Output output = options.output(shell);
    output.show(() -> answer, () -> output.line(sentence));
  }
}
