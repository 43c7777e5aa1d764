package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.post;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom pictures}. */
final class PictureCommands {
  private PictureCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "pictures",
        "Move the merchants' pictures to another store.",
        List.of("stockroom pictures move"),
        post("move", "/admin/pictures/move")
            .does(
                "Move all pictures to the store that the server's setting pictures.store names.",
                "The server goes on, and the addresses stay. An interrupted move can be started"
                    + " again.")
            .examples("stockroom pictures move", "stockroom pictures move --json")
            .calls(PictureCommands::move)
            .prints(
                (answer, given) -> {
                  given.output().field("store", answer.path("to"));
                  given.output().field("moved", answer.path("moved"));
                  given.output().field("missing", answer.path("missing"));
                }));
  }

  /** Repeats the step until no picture is left that can be moved. */
  private static JsonNode move(Given given) {
    long moved = 0;
    int missing = 0;
    JsonNode step;
    do {
      step = given.api().post("/admin/pictures/move", Json.object().put("skip", missing));
      moved += step.path("moved").asLong(0);
      missing += step.path("missing").asInt(0);
    } while (step.path("left").asLong(0) > missing);
    return Json.object()
        .put("to", step.path("to").asString(""))
        .put("moved", moved)
        .put("missing", missing);
  }
}
