package io.stockroom.cli;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "changes",
    description = {
      "Print the changes of the merchant's products and stock, oldest first.",
      "At the end, and after Ctrl-C, it prints the cursor with which to continue."
    },
    footer = {
      "  stockroom changes",
      "  stockroom changes --after latest --follow",
      "  stockroom changes --after CURSOR --json"
    })
final class ChangesCommand implements Callable<Integer> {
  private static final String PATH = "/Changes";
  private static final String LIMIT = "200";
  private static final String WAIT_SECONDS = "25";
  private static final long PAUSE_MILLIS = 1000;

  /** How many entries of a change fit into a line. */
  private static final int MAX_ENTRIES = 8;

  private final Shell shell;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description =
          "Only changes after this cursor; latest for only new ones (default: from the oldest"
              + " change that is kept).")
  private @Nullable String after;

  @Option(
      names = {"-f", "--follow"},
      description = "Continue with new changes until Ctrl-C.")
  private boolean follow;

  @Mixin private final InterfaceOptions options = new InterfaceOptions();

  ChangesCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    InterfaceApi api = options.connect(shell);
    Output output = options.output(shell);
    try (LastCursor last = new LastCursor(output)) {
      Map<String, String> fields = new HashMap<>(Map.of("limit", LIMIT));
      if (after != null) {
        fields.put("after", after);
      }
      JsonNode page = api.form(PATH, fields);
      while (show(page, output, last)) {
        fields.put("after", last.cursor());
        fields.put("wait", follow ? WAIT_SECONDS : "0");
        page = follow ? following(api, fields) : api.form(PATH, fields);
      }
    }
    return 0;
  }

  /** Prints a page; returns whether there may be another one. */
  private boolean show(JsonNode page, Output output, LastCursor last) {
    page.path("changes")
        .valueStream()
        .forEach(change -> output.show(() -> change, () -> output.line(line(change))));
    // after printing: what was printed twice does less harm than what was never printed
    last.reached(page.path("cursor").asString(""));
    return (follow || page.path("more").asBoolean(false)) && !shell.out().checkError();
  }

  /** Retries while the server is temporarily unreachable. */
  private static JsonNode following(InterfaceApi api, Map<String, String> fields) {
    while (true) {
      Optional<JsonNode> page = api.tryForm(PATH, fields);
      if (page.isPresent()) {
        return page.get();
      }
      Pauses.pause(PAUSE_MILLIS);
    }
  }

  private static String line(JsonNode change) {
    return String.format(
            Locale.ROOT,
            "%s  %6s  %-7s  %-16s  %-9s  %s",
            Timestamps.text(change.path("at")),
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
