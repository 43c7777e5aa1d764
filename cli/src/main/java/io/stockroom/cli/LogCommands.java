package io.stockroom.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "logs",
    description = "Show the request log.",
    footer = {"  stockroom logs tail", "  stockroom logs tail --outcome rejected --follow"})
final class LogCommands {
  private static final long PAUSE_MILLIS = 1000;
  private static final int SOME = 200;

  private final Shell shell;

  LogCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "tail",
      description = {
        "Print the last calls, newest last; with --follow also new ones.",
        "The log keeps a sample of calls, failures first."
      },
      footer = {
        "  stockroom logs tail",
        "  stockroom logs tail --merchant 1 --outcome rejected --follow",
        "  stockroom logs tail --endpoint /Stock/Creat --lines 100 --json"
      })
  void tail(
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Only calls of this merchant.")
          @Nullable MerchantId merchant,
      @Option(
              names = "--endpoint",
              paramLabel = "PATH",
              description = "Only calls of this path, such as /Stock/List.")
          @Nullable String endpoint,
      @Option(
              names = "--outcome",
              paramLabel = "OUTCOME",
              description =
                  "Only calls with this outcome: succeeded, rejected, failed (server errors), or an"
                      + " error code such as SIGN_FORMAT.")
          @Nullable String outcome,
      @Option(
              names = "--lines",
              paramLabel = "N",
              defaultValue = "20",
              description = "Number of earlier calls (default: 20).")
          int lines,
      @Option(
              names = {"-f", "--follow"},
              description = "Continue with new calls until Ctrl-C.")
          boolean follow,
      @Mixin OperatorOptions operator) {
    if (lines < 0 || lines > 500) {
      throw CommandException.usage("--lines is " + lines + ": write a number from 0 to 500.");
    }
    AdminApi api = operator.connect(shell);
    Output output = operator.output(shell);
    String filter = filter(merchant, endpoint, outcome);
    // also with 0 lines: the newest call is the starting point of --follow
    List<JsonNode> newest = calls(api.get(filter + "limit=" + Math.max(1, lines))).reversed();
    newest.stream().skip(lines == 0 ? newest.size() : 0).forEach(call -> show(call, output));
    if (newest.isEmpty() && !follow && !operator.wantsJson()) {
      output.line("No call matches. Calls appear in the log after about 2 seconds.");
    }
    long last = newest.isEmpty() ? 0 : newest.getLast().path("id").asLong(0);
    while (follow && !shell.out().checkError()) {
      Pauses.pause(PAUSE_MILLIS);
      last = next(api, filter, last, output);
    }
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

  private static String filter(
      @Nullable MerchantId merchant, @Nullable String endpoint, @Nullable String outcome) {
    StringBuilder path = new StringBuilder("/admin/requests?");
    if (merchant != null) {
      path.append("merchant=").append(merchant).append('&');
    }
    if (endpoint != null) {
      path.append("endpoint=").append(AdminApi.parameter(endpoint)).append('&');
    }
    if (outcome != null) {
      path.append("outcome=").append(AdminApi.parameter(outcome)).append('&');
    }
    return path.toString();
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
                        Timestamps.text(call.path("at")),
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
