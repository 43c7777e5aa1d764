package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom logs}: the request log. */
final class LogCommands {
  private static final long PAUSE_MILLIS = 1000;
  private static final int SOME = 200;
  private static final int USUAL_LINES = 20;

  private LogCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "logs",
        "Show the request log.",
        List.of("stockroom logs tail", "stockroom logs tail --outcome rejected --follow"),
        CommandDefinition.of("tail", LogCommands::tail)
            .does(
                "Print the last calls, newest last; with --follow also new ones.",
                "The log keeps a sample of calls, failures first.")
            .examples(
                "stockroom logs tail",
                "stockroom logs tail --merchant 1 --outcome rejected --follow",
                "stockroom logs tail --endpoint /Stock/Creat --lines 100 --json")
            .with(
                MerchantCommands.filter("Only calls of this merchant."),
                option("--endpoint", "PATH", "Only calls of this path, such as /Stock/List."),
                option(
                    "--outcome",
                    "OUTCOME",
                    "Only calls with this outcome: succeeded, rejected, failed (server errors), or"
                        + " an error code such as SIGN_FORMAT."),
                option("--lines", "N", "Number of earlier calls (default: 20).")
                    .as(Integer.class)
                    .local(),
                flag("-f, --follow", "Continue with new calls until Ctrl-C.").local()));
  }

  private static int tail(Given given) {
    int lines = given.number("--lines", USUAL_LINES);
    if (lines < 0 || lines > 500) {
      throw CommandException.usage("--lines is " + lines + ": write a number from 0 to 500.");
    }
    AdminApi api = given.api();
    Output output = given.output();
    boolean isFollowing = given.has("--follow");
    String query = given.query();
    String filter = "/admin/requests" + (query.isEmpty() ? "?" : query + "&");
    // also with 0 lines: the newest call is the starting point of --follow
    List<JsonNode> newest = calls(api.get(filter + "limit=" + Math.max(1, lines))).reversed();
    newest.stream().skip(lines == 0 ? newest.size() : 0).forEach(call -> show(call, output));
    if (newest.isEmpty() && !isFollowing && !given.has("--json")) {
      output.line("No call matches. Calls appear in the log after about 2 seconds.");
    }
    long last = newest.isEmpty() ? 0 : newest.getLast().path("id").asLong(0);
    while (isFollowing && !given.shell().out().checkError()) {
      Values.pause(PAUSE_MILLIS);
      last = next(api, filter, last, output);
    }
    return 0;
  }

  /** Prints the calls after {@code last}. Retries if the server is temporarily unreachable. */
  private static long next(AdminApi api, String filter, long last, Output output) {
    Optional<JsonNode> answer = api.tryGet(filter + "after=" + last + "&limit=" + SOME);
    long newest = last;
    for (JsonNode call : answer.map(LogCommands::calls).orElse(List.of())) {
      show(call, output);
      newest = call.path("id").asLong(newest);
    }
    return newest;
  }

  private static List<JsonNode> calls(JsonNode answer) {
    return new ArrayList<>(answer.path("requests").valueStream().toList());
  }

  /** Prints one call per line, with aligned columns as far as possible. */
  private static void show(JsonNode call, Output output) {
    output.show(
        () -> call,
        () ->
            output.line(
                String.format(
                        Locale.ROOT,
                        "%s  %3s  %-16s %8.1f ms  merchant %-5s %-18s %s  %s",
                        Values.time(call.path("at")),
                        Output.text(call.path("status"), "-"),
                        Output.text(call.path("endpoint"), "-"),
                        call.path("micros").asLong(0) / 1000.0,
                        Output.text(call.path("merchantId"), "-"),
                        Output.text(call.path("appid"), "-"),
                        Output.text(call.path("requestId"), "-"),
                        Output.text(call.path("code"), ""))
                    .stripTrailing()));
  }
}
