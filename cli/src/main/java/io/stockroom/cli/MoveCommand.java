package io.stockroom.cli;

import tools.jackson.databind.JsonNode;

/** {@code stockroom merchant move}: moves a merchant to another cell, and shows the progress. */
final class MoveCommand {
  private static final String PATH = "/admin/merchants/{ID}/move";

  private MoveCommand() {}

  static CommandDefinition command() {
    return CommandDefinition.of("move", MoveCommand::run)
        .does(
            "Move a merchant to another cell while it is used. Its writes wait for less than two"
                + " seconds at the end.",
            "Without --to, show how far the last move has come. Ctrl-C ends only this command: the"
                + " servers continue with the move.")
        .examples(
            "stockroom merchant move 1 --to east",
            "stockroom merchant move 1",
            "stockroom merchant move 1 --cancel")
        .with(
            MerchantCommands.ID,
            CommandOption.option("--to", "CELL", "The new cell (see: stockroom cell list)."),
            CommandOption.flag("--cancel", "Cancel the move; the merchant stays where it is.")
                .local(),
            CommandOption.flag("--no-wait", "Do not wait until the merchant has moved.").local());
  }

  private static int run(Given given) {
    boolean isNew = given.has("--to");
    if (given.has("--cancel") && isNew) {
      throw CommandException.usage("--to and --cancel exclude each other.");
    }
    JsonNode begun = request(given);
    JsonNode move = isNew && !given.has("--no-wait") ? follow(begun, given) : begun;
    given.output().show(() -> move, () -> show(move, given.output()));
    if (move.path("phase").asString("").equals("failed")) {
      throw CommandException.failed(
          "The merchant was not moved: " + move.path("message").asString(""));
    }
    return 0;
  }

  private static JsonNode request(Given given) {
    String path = given.address(PATH);
    if (given.has("--cancel")) {
      return given.api().delete(path);
    }
    return given.has("--to") ? given.api().post(path, given.body()) : given.api().get(path);
  }

  private static JsonNode follow(JsonNode begun, Given given) {
    String again = "The servers continue with the move. Look at it with: stockroom merchant move ";
    Watch watch =
        new Watch(
            given.api(), given.address(PATH), Watch.PATIENCE, () -> {}, again + given.text("ID"));
    String[] said = {""};
    return watch.follow(
        begun,
        move -> move.path("endedAt").isNull(),
        move -> {
          String now = line(move);
          if (move.path("endedAt").isNull() && !now.equals(said[0])) {
            said[0] = now;
            given.shell().err().println(now);
          }
        });
  }

  private static String line(JsonNode move) {
    String rows = move.path("rowsTotal").asLong(0) > 0 ? ", " + rows(move) : "";
    String message = move.path("message").asString("");
    return move.path("phase").asString("") + rows + (message.isEmpty() ? "" : ": " + message);
  }

  private static String rows(JsonNode move) {
    return Progress.amount(
        move.path("rowsCopied").asLong(0), move.path("rowsTotal").asLong(0), "rows");
  }

  private static void show(JsonNode move, Output output) {
    output.field("merchant", move.path("merchantId"));
    output.field("from", move.path("from"));
    output.field("to", move.path("to"));
    output.field("phase", move.path("phase"));
    output.field("rows", rows(move));
    if (move.path("pauseMillis").isNumber()) {
      output.field("pause", move.path("pauseMillis").asInt() + " ms");
    }
    if (!move.path("message").asString("").isEmpty()) {
      output.field("message", move.path("message"));
    }
  }
}
