package io.stockroom.cli;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Follows the move of a merchant until the merchant is in its new cell, and shows its progress. */
final class MoveWatch {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 300;

  private final AdminApi api;
  private final Shell shell;

  MoveWatch(AdminApi api, Shell shell) {
    this.api = api;
    this.shell = shell;
  }

  /** Returns the ended move; throws if the server stays unreachable. */
  JsonNode follow(String path, JsonNode begun) {
    JsonNode move = begun;
    String said = "";
    long seenAt = System.nanoTime();
    while (move.path("endedAt").isNull()) {
      String now = line(move);
      if (!now.equals(said)) {
        said = now;
        shell.err().println(now);
      }
      Pauses.pause(PAUSE_MILLIS);
      Optional<JsonNode> answer = api.tryGet(path);
      if (answer.isPresent()) {
        move = answer.get();
        seenAt = System.nanoTime();
      } else if (System.nanoTime() - seenAt > PATIENCE.toNanos()) {
        throw CommandException.failed(
            "The connection to the server is lost. The servers continue with the move. Look at it with: stockroom merchant move "
                + move.path("merchantId").asInt());
      }
    }
    return move;
  }

  private static String line(JsonNode move) {
    long total = move.path("rowsTotal").asLong(0);
    String rows =
        total > 0
            ? ", " + ProgressText.amount(move.path("rowsCopied").asLong(0), total, "rows")
            : "";
    String message = move.path("message").asString("");
    return move.path("phase").asString("") + rows + (message.isEmpty() ? "" : ": " + message);
  }

  static void show(JsonNode move, Output output) {
    output.field("merchant", move.path("merchantId"));
    output.field("from", move.path("from"));
    output.field("to", move.path("to"));
    output.field("phase", move.path("phase"));
    output.field(
        "rows",
        ProgressText.amount(
            move.path("rowsCopied").asLong(0), move.path("rowsTotal").asLong(0), "rows"));
    if (move.path("pauseMillis").isNumber()) {
      output.field("pause", move.path("pauseMillis").asInt() + " ms");
    }
    if (!move.path("message").asString("").isEmpty()) {
      output.field("message", move.path("message"));
    }
  }

  static void requireSuccess(JsonNode move) {
    if (move.path("phase").asString("").equals("failed")) {
      throw CommandException.failed(
          "The merchant was not moved: " + move.path("message").asString(""));
    }
  }
}
