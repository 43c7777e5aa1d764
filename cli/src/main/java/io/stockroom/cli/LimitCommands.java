package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.get;
import static io.stockroom.cli.CommandOption.repeated;

import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom limits} and {@code stockroom merchant limits}. */
final class LimitCommands {
  private static final String PREFIX = "limits.";
  private static final CommandOption UNSET =
      repeated("--unset", "NAME", "Use the server's setting again; may be given several times.");

  private LimitCommands() {}

  static CommandSpec all(Shell shell) {
    return get("limits", "/admin/limits")
        .does(
            "Show or set the limits of all merchants.",
            "What is set applies on every node within a second, without a restart. Without --set"
                + " and --unset nothing changes. For one merchant: stockroom merchant limits")
        .examples(
            "stockroom limits",
            "stockroom limits --set create-interval='5 seconds' --set adjust-per-second='20 per"
                + " second'",
            "stockroom limits --unset create-interval")
        .with(set("Set a limit for all merchants; may be given several times."), UNSET)
        .calls(given -> call(given, "/admin/limits", "/admin/limits"))
        .prints((answer, given) -> show(answer.path("limits"), given.output()))
        .spec(shell);
  }

  static CommandDefinition ofMerchant() {
    String path = "/admin/merchants/{ID}";
    return get("limits", path)
        .does(
            "Show or set the limits of one merchant.",
            "Without --set and --unset nothing changes. If one name or value is invalid, nothing"
                + " changes either.")
        .examples(
            "stockroom merchant limits 1",
            "stockroom merchant limits 1 --set detail-per-day=500 --unset zone",
            "stockroom merchant limits 1 --set create-interval='5 seconds'")
        .with(
            MerchantCommands.ID,
            set("Set a limit for this merchant; may be given several times."),
            UNSET)
        .calls(
            given -> {
              JsonNode answer = call(given, given.address(path), given.address(path + "/limits"));
              return Json.object().set("limits", answer.path("limits"));
            })
        .prints((answer, given) -> show(answer.path("limits"), given.output()));
  }

  private static CommandOption set(String text) {
    return repeated("--set", "NAME=VALUE", text);
  }

  private static JsonNode call(Given given, String read, String write) {
    ObjectNode changes = changes(given);
    return changes.isEmpty() ? given.api().get(read) : given.api().put(write, changes);
  }

  /** Parses {@code --set NAME=VALUE} and {@code --unset NAME}; each name may occur once. */
  private static ObjectNode changes(Given given) {
    ObjectNode changes = Json.object();
    for (String assignment : given.list("--set")) {
      int equals = assignment.indexOf('=');
      String value = assignment.substring(equals + 1).strip();
      if (equals < 1 || value.isEmpty()) {
        throw CommandException.usage(
            "--set '%s' is not NAME=VALUE, such as detail-per-day=500. --unset NAME removes a limit."
                .formatted(assignment));
      }
      changes.put(whole(assignment.substring(0, equals), changes), value);
    }
    for (String name : given.list("--unset")) {
      if (name.isBlank() || name.contains("=")) {
        throw CommandException.usage(
            "--unset '%s' is not the name of a limit, such as detail-per-day.".formatted(name));
      }
      changes.putNull(whole(name, changes));
    }
    return changes;
  }

  private static String whole(String name, ObjectNode changes) {
    String trimmed = name.strip();
    String whole = trimmed.startsWith(PREFIX) ? trimmed : PREFIX + trimmed;
    if (changes.has(whole)) {
      throw CommandException.usage("'%s' is given twice; pass it once.".formatted(whole));
    }
    return whole;
  }

  static void show(JsonNode limits, Output output) {
    output.table(
        Table.of(
            limits,
            Columns.of("LIMIT=name")
                .and(
                    "VALUE",
                    limit -> Output.text(limit.path(limit.has("text") ? "text" : "value"), "-"))
                .and("SOURCE=source, MEANING=meaning")));
  }
}
