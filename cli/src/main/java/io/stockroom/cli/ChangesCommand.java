package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom changes}. */
final class ChangesCommand {
  private static final String PATH = "/Changes";
  private static final String LIMIT = "200";
  private static final String WAIT_SECONDS = "25";
  private static final long PAUSE_MILLIS = 1000;

  /** How many entries of a change fit into a line. */
  private static final int MAX_ENTRIES = 8;

  private ChangesCommand() {}

  static CommandSpec make(Shell shell) {
    InterfaceOptions options = new InterfaceOptions();
    return CommandDefinition.local("changes", given -> run(options.connect(shell), given))
        .does(
            "Print the changes of the merchant's products and stock, oldest first.",
            "At the end, and after Ctrl-C, it prints the cursor with which to continue.")
        .examples(
            "stockroom changes",
            "stockroom changes --after latest --follow",
            "stockroom changes --after CURSOR --json")
        .with(
            option(
                "--after",
                "CURSOR",
                "Only changes after this cursor; latest for only new ones (default: from the oldest"
                    + " change that is kept)."),
            flag("-f, --follow", "Continue with new changes until Ctrl-C.").local())
        .mixin(options)
        .spec(shell);
  }

  private static int run(InterfaceApi api, Given given) {
    Output output = given.output();
    boolean follow = given.has("--follow");
    try (LastCursor last = new LastCursor(output)) {
      ObjectNode fields = Json.object().put("limit", LIMIT).setAll(given.body());
      JsonNode page = api.form(PATH, fields);
      while (show(page, given, last)) {
        fields.put("after", last.cursor());
        fields.put("wait", follow ? WAIT_SECONDS : "0");
        page = follow ? following(api, fields) : api.form(PATH, fields);
      }
    }
    return 0;
  }

  /** Prints a page; returns whether there may be another one. */
  private static boolean show(JsonNode page, Given given, LastCursor last) {
    Output output = given.output();
    page.path("changes")
        .valueStream()
        .forEach(change -> output.show(() -> change, () -> output.line(line(change))));
    // after printing: what was printed twice does less harm than what was never printed
    last.reached(page.path("cursor").asString(""));
    return (given.has("--follow") || page.path("more").asBoolean(false))
        && !given.shell().out().checkError();
  }

  /** Retries while the server is temporarily unreachable. */
  private static JsonNode following(InterfaceApi api, ObjectNode fields) {
    while (true) {
      Optional<JsonNode> page = api.tryForm(PATH, fields);
      if (page.isPresent()) {
        return page.get();
      }
      Values.pause(PAUSE_MILLIS);
    }
  }

  private static String line(JsonNode change) {
    return String.format(
            Locale.ROOT,
            "%s  %6s  %-7s  %-16s  %-9s  %s",
            Values.time(change.path("at")),
            Output.text(change.path("number"), "-"),
            Output.text(change.path("kind"), "-"),
            Output.text(change.path("artNo"), Output.text(change.path("pid"), "-")),
            Output.text(change.path("source"), "-"),
            what(change))
        .stripTrailing();
  }

  private static String what(JsonNode change) {
    JsonNode entries = change.path("entries");
    if (!entries.isArray()) {
      String fields = Output.text(change.path("fields"), "").replace(",", ", ");
      return change.path("created").asBoolean(false) ? "created" : fields;
    }
    int more = entries.size() - MAX_ENTRIES;
    return entries
            .valueStream()
            .limit(MAX_ENTRIES)
            .map(ChangesCommand::entry)
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private static String entry(JsonNode entry) {
    return "%s %s: %s → %s"
        .formatted(
            Output.text(entry.path("color"), "-"),
            Output.text(entry.path("size"), "-"),
            Output.text(entry.path("before"), "new"),
            Output.text(entry.path("after"), "removed"));
  }
}
