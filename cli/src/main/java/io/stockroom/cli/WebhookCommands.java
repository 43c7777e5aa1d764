package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.signed;
import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.option;
import static io.stockroom.cli.CommandOption.repeated;
import static io.stockroom.cli.CommandOption.required;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom webhook}: a merchant's webhooks. */
final class WebhookCommands {
  private static final CommandOption ID =
      argument("ID", "The webhook (see: stockroom webhook list).").field("id");

  private WebhookCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "webhook",
        "Create, list, test and repair webhooks.",
        List.of(
            "stockroom webhook create https://shop.example/stock-changes",
            "stockroom webhook list",
            "stockroom webhook test ID",
            "stockroom webhook deliveries ID"),
        create(),
        list(),
        deliveries(),
        one("test", "/Webhook/Test", "The receiver accepted the test message.")
            .does(
                "Send a test message. The exit code is 0 if the receiver answered it with a 2xx."),
        replay(),
        printsSecret(one("rotate", "/Webhook/Rotate"))
            .does(
                "Give a webhook a new secret, which is shown only once. For 24 hours messages are"
                    + " signed with both."),
        one("enable", "/Webhook/Enable", "Webhook %s is enabled.")
            .does("Deliver again, from where the webhook stopped."),
        one("disable", "/Webhook/Disable", "Webhook %s is disabled.")
            .does("Stop deliveries until the webhook is enabled again."),
        one("delete", "/Webhook/Delete", "Webhook %s is deleted.")
            .does("Delete a webhook and its deliveries."));
  }

  private static CommandDefinition one(String name, String path) {
    return signed(name, path).examples("stockroom webhook %s ID".formatted(name)).with(ID);
  }

  private static CommandDefinition one(String name, String path, String sentence) {
    return one(name, path)
        .prints((answer, given) -> given.output().line(sentence.formatted(given.text("ID"))));
  }

  private static CommandDefinition printsSecret(CommandDefinition command) {
    return command
        .prints(Columns.of("id, secret"))
        .says("Store the secret now; it is not shown again.");
  }

  private static CommandDefinition create() {
    return printsSecret(CommandDefinition.signedJson("create", "/Webhook/Create"))
        .does(
            "Create a webhook, which sends the merchant's changes to a URL. Its secret is shown"
                + " only once.")
        .examples(
            "stockroom webhook create https://shop.example/stock-changes",
            "stockroom webhook create https://shop.example/stock-changes --kind stock")
        .with(
            argument("URL", "The address of the receiver.").field("url"),
            repeated(
                    "--kind",
                    "KIND",
                    "The changes to send: stock or product; repeat for both (default: both).")
                .field("kinds"));
  }

  private static CommandDefinition list() {
    return signed("list", "/Webhook/List")
        .does("List the merchant's webhooks, oldest first.")
        .examples("stockroom webhook list", "stockroom webhook list --json")
        .none("No webhooks. Create one with: stockroom webhook create URL")
        .lists("webhooks", Columns.of("ID=id, STATE=state, KINDS=kinds, PENDING=pending, URL=url"))
        .prints(
            (answer, given) ->
                answer.path("webhooks").forEach(webhook -> remark(webhook, given.output())));
  }

  private static void remark(JsonNode webhook, Output output) {
    String id = Output.text(webhook.path("id"), "-");
    switch (webhook.path("state").asString("")) {
      case "failing" ->
          output.line(
              "%s fails since %s; next attempt %s. See: stockroom webhook deliveries %s"
                  .formatted(
                      id,
                      Values.time(webhook.path("failingSince")),
                      Values.time(webhook.path("nextAttemptAt")),
                      id));
      case "disabled" ->
          output.line(
              "%s is disabled: %s. Enable it with: stockroom webhook enable %s"
                  .formatted(id, reason(webhook.path("disabledReason").asString("")), id));
      default -> {}
    }
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

  private static CommandDefinition deliveries() {
    return signed("deliveries", "/Webhook/Deliveries")
        .does(
            "List the attempts to deliver, newest first.",
            "--json also prints the requests and responses.")
        .examples(
            "stockroom webhook deliveries ID", "stockroom webhook deliveries ID --page 2 --json")
        .with(ID, option("--page", "N", "The page, 20 attempts each (default: 1)."))
        .none("No deliveries. Try one with: stockroom webhook test ID")
        .lists(
            "deliveries",
            Columns.of("NUMBER=number")
                .and("TIME", delivery -> Values.time(delivery.path("at")))
                .and("TYPE=type, ATTEMPT=attempt")
                .and("CHANGES", WebhookCommands::changes)
                .and("MS=millis")
                .and("RESULT", WebhookCommands::result))
        .prints(
            (answer, given) -> {
              if (!answer.path("deliveries").isEmpty()) {
                String page = Output.text(answer.path("page"), "-");
                String totalPages = Output.text(answer.path("totalPages"), "-");
                given.output().line("Page %s of %s.".formatted(page, totalPages));
              }
            });
  }

  private static String changes(JsonNode delivery) {
    String first = Output.text(delivery.path("firstChange"), "");
    String last = Output.text(delivery.path("lastChange"), "");
    if (first.isEmpty()) {
      return "-";
    }
    return first.equals(last) ? first : first + "-" + last;
  }

  private static String result(JsonNode delivery) {
    String error = delivery.path("error").asString("");
    boolean isStatus = error.isEmpty() || error.equals("status");
    return isStatus ? Output.text(delivery.path("status"), "") : error;
  }

  private static CommandDefinition replay() {
    return signed("replay", "/Webhook/Replay")
        .does("Deliver the changes after a cursor again.")
        .examples(
            "stockroom webhook replay ID --after CURSOR",
            "stockroom webhook replay ID --after latest")
        .with(
            ID,
            required(
                "--after",
                "CURSOR",
                "The cursor; latest skips all changes that wait for delivery."))
        .prints(
            (answer, given) ->
                given
                    .output()
                    .line(
                        "Webhook %s now delivers the changes after %s."
                            .formatted(given.text("ID"), given.text("--after"))));
  }
}
