package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.delete;
import static io.stockroom.cli.CommandDefinition.get;
import static io.stockroom.cli.CommandDefinition.patch;
import static io.stockroom.cli.CommandDefinition.post;
import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;
import static io.stockroom.cli.CommandOption.required;
import static java.util.stream.Collectors.joining;

import io.stockroom.core.database.DatabaseAddress;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom cell}: the databases in which the data of merchants lives. */
final class CellCommands {
  static final String PASSWORD = "STOCKROOM_CELL_PASSWORD";
  private static final long KIBIBYTE = 1L << 10;
  private static final long MEBIBYTE = 1L << 20;
  private static final String PATH = "/admin/cells/{NAME}";

  private static final CommandOption NAME =
      argument("NAME", "The cell (see: stockroom cell list).");

  /** Where the database of a cell is. */
  private static final CommandOption[] DATABASE = {
    required(
        "--database-url", "URL", "The database, such as postgresql://stockroom@db2:5432/east."),
    option("--database-user", "USER", "The owner of the database, if the URL names none."),
    option(
            "--database-password-env",
            "VARIABLE",
            "The environment variable with the user's password (default: " + PASSWORD + ").")
        .local()
  };

  private CellCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "cell",
        "Add, update, list, drain, remove and check cells, the databases in which the data of"
            + " merchants lives.",
        List.of(
            "stockroom cell list",
            "stockroom cell add east --database-url postgresql://stockroom@db2:5432/east",
            "stockroom cell drain east",
            "stockroom cell check"),
        add(),
        printsCell(patch("update", PATH))
            .does(
                "Change the address or the login of a cell whose database has moved.",
                "The database must be there already, with its data. Stop the old one first.")
            .examples(
                "stockroom cell update east --database-url postgresql://stockroom@db7:5432/east",
                "STOCKROOM_CELL_PASSWORD=... stockroom cell update west \\",
                "    --database-url postgresql://db3:5432/west --database-user stockroom")
            .with(NAME)
            .with(DATABASE)
            .calls(given -> given.api().patch(given.address(PATH), withPassword(given))),
        list(),
        drain(),
        delete("remove", PATH)
            .does(
                "Remove a cell that has no merchants, for example after it was drained; it may be"
                    + " unreachable.",
                "Its database stays, and can become a cell again.")
            .examples("stockroom cell remove east")
            .with(NAME)
            .prints(Columns.of("removed")),
        moves(),
        check());
  }

  private static CommandDefinition add() {
    return printsCell(post("add", "/admin/cells"))
        .does(
            "Add a cell in an empty PostgreSQL database, which this creates the tables in.",
            "New merchants go to the cell with the fewest merchants.")
        .examples(
            "stockroom cell add east --database-url postgresql://stockroom@db2:5432/east",
            "STOCKROOM_CELL_PASSWORD=... stockroom cell add west \\",
            "    --database-url postgresql://db3:5432/west --database-user stockroom")
        .with(
            argument("NAME", "Lower-case letters, digits and hyphens, such as east.").field("name"))
        .with(DATABASE)
        .calls(given -> given.api().post("/admin/cells", withPassword(given)));
  }

  private static CommandDefinition printsCell(CommandDefinition command) {
    return command.prints(Columns.of("cell=name, database=databaseUrl, schema=schemaVersion"));
  }

  /** The request, with the password from the environment. */
  private static ObjectNode withPassword(Given given) {
    String variable = given.text("--database-password-env");
    String password = given.shell().variable(variable.isEmpty() ? PASSWORD : variable);
    if (!variable.isEmpty() && password == null) {
      throw CommandException.usage(
          "--database-password-env names %s, which is not set.".formatted(variable));
    }
    if (hasPassword(given.text("--database-url"))) {
      given
          .output()
          .problem(
              "Warning: --database-url contains a password, which everyone on this machine can read (ps), and which shells keep. The server stores it encrypted. Change it in PostgreSQL, set %s, and run stockroom cell update %s, with a URL without it."
                  .formatted(PASSWORD, given.text("NAME")));
    }
    ObjectNode cell = given.body();
    return password == null ? cell : cell.put("databasePassword", password);
  }

  private static boolean hasPassword(String url) {
    try {
      DatabaseAddress address = DatabaseAddress.parse(url, "", "");
      return !address.password().isEmpty() || !address.keyPassword().isEmpty();
    } catch (IllegalArgumentException wrong) {
      throw CommandException.usage("--database-url: " + wrong.getMessage());
    }
  }

  private static CommandDefinition list() {
    return get("list", "/admin/cells")
        .does(
            "List the cells: merchants, size, connections, load (statements that are running), lag"
                + " of standbys, schema version and state. A cell that cannot be reached says why.")
        .examples("stockroom cell list", "stockroom cell list --json")
        .lists(
            "cells",
            Columns.of("NAME=name, STATE=state, MERCHANTS=merchants")
                .and("MIB", cell -> units(cell.path("bytes"), MEBIBYTE))
                .and("CONNECTIONS=connections, LOAD=load")
                .and("LAG KIB", cell -> units(cell.path("lagBytes"), KIBIBYTE))
                .and("SCHEMA=schemaVersion")
                .and("DATABASE", CellCommands::place));
  }

  private static String units(JsonNode bytes, long unit) {
    return bytes.isNumber() ? Long.toString(Math.ceilDiv(bytes.asLong(), unit)) : "-";
  }

  private static String place(JsonNode cell) {
    String trouble = cell.path("trouble").asString("");
    String place = cell.path("databaseUrl").asString("in the directory's database");
    return trouble.isEmpty() ? place : place + ": " + trouble;
  }

  private static CommandDefinition drain() {
    String path = PATH + "/drain";
    return post("drain", path)
        .does(
            "Move all merchants of a cell to other cells, one after the other, while they are"
                + " used.",
            "The cell gets no new merchants. Follow the moves with: stockroom cell moves")
        .examples(
            "stockroom cell drain east",
            "stockroom cell drain east --to west",
            "stockroom cell drain east --cancel")
        .with(
            NAME,
            option(
                "--to",
                "CELL",
                "The new cell (default: the active cells with the fewest merchants)."),
            flag("--cancel", "Let the cell get merchants again, and cancel its moves.").local())
        .checks(
            given -> {
              if (given.has("--cancel") && given.has("--to")) {
                throw CommandException.usage("--to and --cancel exclude each other.");
              }
            })
        .calls(
            given ->
                given.has("--cancel")
                    ? given.api().delete(given.address(path))
                    : given.api().post(given.address(path), given.body()))
        .prints(
            (answer, given) ->
                given
                    .output()
                    .line(
                        given.has("--cancel")
                            ? "The cell %s is active.".formatted(given.text("NAME"))
                            : "%d merchants will move. Follow them with: stockroom cell moves"
                                .formatted(answer.path("moves").asInt())));
  }

  private static CommandDefinition moves() {
    return get("moves", "/admin/moves")
        .does("List the moves of merchants between cells, those that are running first.")
        .examples("stockroom cell moves", "stockroom cell moves --json")
        .lists(
            "moves",
            Columns.of(
                "MERCHANT=merchantId, FROM=from, TO=to, PHASE=phase, COPIED=rowsCopied,"
                    + " ROWS=rowsTotal, PAUSE MS=pauseMillis, MESSAGE=message"));
  }

  private static CommandDefinition check() {
    return post("check", "/admin/cells/check")
        .does(
            "Check that the directory and the cells agree; run it after one of them was restored.",
            "Exits with 1 if they do not, or if a cell cannot be reached.")
        .examples("stockroom cell check", "stockroom cell check --repair")
        .with(
            flag(
                "--repair",
                "Move the sequences of ids beyond every id in the cells, so that none is given out"
                    + " twice."))
        .calls(given -> given.api().post("/admin/cells/check" + given.query(), Json.object()))
        .prints((result, given) -> showCheck(result, given.output()))
        .exits(result -> isFine(result) ? 0 : 1);
  }

  private static boolean isFine(JsonNode result) {
    return result.path("problems").isEmpty() && result.path("unreachable").isEmpty();
  }

  static void showCheck(JsonNode result, Output output) {
    long merchants = result.path("merchants").asLong();
    output.line("%s compared.".formatted(Values.count(merchants, "merchant", "merchants")));
    boolean isRepaired = result.path("repaired").asBoolean();
    for (JsonNode problem : result.path("problems")) {
      String kind = problem.path("kind").asString("");
      String ids = problem.path("ids").valueStream().map(JsonNode::asString).collect(joining(", "));
      String meaning = meaning(kind, problem.path("count").asLong(), isRepaired);
      output.line(
          "cell %s %s (%s: %s)".formatted(problem.path("cell").asString(""), meaning, kind, ids));
    }
    for (JsonNode cell : result.path("unreachable")) {
      output.line("cell %s cannot be reached and was not checked".formatted(cell.asString()));
    }
    if (isFine(result)) {
      output.line("The directory and the cells agree.");
    }
  }

  private static String meaning(String kind, long count, boolean isRepaired) {
    String merchants = Values.count(count, "merchant", "merchants");
    return switch (kind) {
      case "merchants-without-data" -> "has no data of " + merchants;
      case "data-without-merchant" ->
          "has data of %s that the directory does not know there".formatted(merchants);
      default ->
          "has an id that the directory has not given out"
              + (isRepaired ? "; its sequence was moved" : "; run this with --repair");
    };
  }
}
