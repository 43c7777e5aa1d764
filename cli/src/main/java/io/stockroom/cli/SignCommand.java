package io.stockroom.cli;

import io.stockroom.protocol.Signature;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "sign",
    description = {
      "Print the timestamp and sign headers of a request.",
      "The signature is the MD5 of the secret followed by the time, in upper-case hexadecimal. It"
          + " holds for a few minutes."
    },
    footer = {
      "  stockroom sign --secret SECRET",
      "  STOCKROOM_SECRET=SECRET stockroom sign --timestamp 1700000000"
    })
final class SignCommand implements Runnable {
  private final Shell shell;

  @Option(
      names = "--secret",
      paramLabel = "SECRET",
      description = "The application's secret (default: STOCKROOM_SECRET).")
  private @Nullable String secret;

  @Option(
      names = "--timestamp",
      paramLabel = "SECONDS",
      description = "Unix time in seconds, ten digits (default: now).")
  private @Nullable String timestamp;

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  SignCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    String key = secret == null ? shell.variable("STOCKROOM_SECRET") : secret;
    if (key == null || key.isEmpty()) {
      throw CommandFailure.usage(
          "No secret to sign with: pass --secret SECRET, or set STOCKROOM_SECRET.");
    }
    String time = timestamp == null ? Long.toString(Instant.now().getEpochSecond()) : timestamp;
    refuseOtherTimes(time);
    String sign = Signature.sign(key, time);
    Output output = new Output(shell, json);
    output.show(
        () -> Json.object().put("timestamp", time).put("sign", sign),
        () -> {
          output.line("timestamp: " + time);
          output.line("sign: " + sign);
        });
  }

  private static void refuseOtherTimes(String time) {
    if (time.matches("[0-9]{10}")) {
      return;
    }
    throw CommandFailure.usage(
        time.matches("[0-9]{13}")
            ? "--timestamp %s is in milliseconds (13 digits); give seconds: %s"
                .formatted(time, time.substring(0, 10))
            : "--timestamp '%s' is not Unix time in seconds, which has ten digits."
                .formatted(time));
  }
}
