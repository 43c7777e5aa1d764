package io.stockroom.cli;

import static java.util.stream.Collectors.joining;

import io.stockroom.core.database.DatabaseAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "cell",
    description =
        "Add, update, list, drain, remove and check cells, the databases in which the data of merchants lives.",
    footer = {
      "  stockroom cell list",
      "  stockroom cell add east --database-url postgresql://stockroom@db2:5432/east",
      "  stockroom cell drain east",
      "  stockroom cell check"
    })
final class CellCommands {
  static final String PASSWORD = "STOCKROOM_CELL_PASSWORD";
  private static final long KIBIBYTE = 1L << 10;
  private static final long MEBIBYTE = 1L << 20;

  private final Shell shell;

  CellCommands(Shell shell) {
    this.shell = shell;
  }

  /** Where the database of a cell is. */
  static final class CellDatabase {
    @Option(
        names = "--database-url",
        required = true,
        paramLabel = "URL",
        description = "The database, such as postgresql://stockroom@db2:5432/east.")
    private String url = "";

    @Option(
        names = "--database-user",
        paramLabel = "USER",
        description = "The owner of the database, if the URL names none.")
    private @Nullable String user;

    @Option(
        names = "--database-password-env",
        paramLabel = "VARIABLE",
        description =
            "The environment variable with the user's password (default: " + PASSWORD + ").")
    private @Nullable String passwordVariable;

    ObjectNode addTo(ObjectNode json, String cell, Shell shell) {
      String password = shell.variable(passwordVariable == null ? PASSWORD : passwordVariable);
      if (passwordVariable != null && password == null) {
        throw CommandException.usage(
            "--database-password-env names %s, which is not set.".formatted(passwordVariable));
      }
      if (hasPassword()) {
        new Output(shell, false)
            .problem(
                "Warning: --database-url contains a password, which everyone on this machine can read (ps), and which shells keep. The server stores it encrypted. Change it in PostgreSQL, set %s, and run stockroom cell update %s, with a URL without it."
                    .formatted(PASSWORD, cell));
      }
      json.put("databaseUrl", url);
      if (user != null) {
        json.put("databaseUser", user);
      }
      if (password != null) {
        json.put("databasePassword", password);
      }
      return json;
    }

    private boolean hasPassword() {
      try {
        DatabaseAddress address = DatabaseAddress.parse(url, "", "");
        return !address.password().isEmpty() || !address.keyPassword().isEmpty();
      } catch (IllegalArgumentException wrong) {
        throw CommandException.usage("--database-url: " + wrong.getMessage());
      }
    }
  }

  @Command(
      name = "add",
      description = {
        "Add a cell in an empty PostgreSQL database, which this creates the tables in.",
        "New merchants go to the cell with the fewest merchants."
      },
      footer = {
        "  stockroom cell add east --database-url postgresql://stockroom@db2:5432/east",
        "  STOCKROOM_CELL_PASSWORD=... stockroom cell add west \\",
        "      --database-url postgresql://db3:5432/west --database-user stockroom"
      })
  void add(
      @Parameters(
              paramLabel = "NAME",
              description = "Lower-case letters, digits and hyphens, such as east.")
          String name,
      @Mixin CellDatabase database,
      @Mixin OperatorOptions operator) {
    ObjectNode wanted = database.addTo(Json.object().put("name", name), name, shell);
    show(operator.connect(shell).post("/admin/cells", wanted), operator);
  }

  @Command(
      name = "update",
      description = {
        "Change the address or the login of a cell whose database has moved.",
        "The database must be there already, with its data. Stop the old one first."
      },
      footer = {
        "  stockroom cell update east --database-url postgresql://stockroom@db7:5432/east",
        "  STOCKROOM_CELL_PASSWORD=... stockroom cell update west \\",
        "      --database-url postgresql://db3:5432/west --database-user stockroom"
      })
  void update(
      @Parameters(paramLabel = "NAME", description = "The cell (see: stockroom cell list).")
          String name,
      @Mixin CellDatabase database,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    show(
        api.patch(
            "/admin/cells/" + AdminApi.part(name), database.addTo(Json.object(), name, shell)),
        operator);
  }

  private void show(JsonNode cell, OperatorOptions operator) {
    Output output = operator.output(shell);
    output.show(
        () -> cell,
        () -> {
          output.field("cell", cell.path("name"));
          output.field("database", cell.path("databaseUrl"));
          output.field("schema", cell.path("schemaVersion"));
        });
  }

  @Command(
      name = "list",
      description =
          "List the cells: merchants, size, connections, load (statements that are running), lag of"
              + " standbys, schema version and state. A cell that cannot be reached says why.",
      footer = {"  stockroom cell list", "  stockroom cell list --json"})
  void list(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).get("/admin/cells");
    Output output = operator.output(shell);
    output.show(() -> answer, () -> showAll(answer.path("cells"), output));
  }

  @Command(
      name = "drain",
      description = {
        "Move all merchants of a cell to other cells, one after the other, while they are used.",
        "The cell gets no new merchants. Follow the moves with: stockroom cell moves"
      },
      footer = {
        "  stockroom cell drain east",
        "  stockroom cell drain east --to west",
        "  stockroom cell drain east --cancel"
      })
  void drain(
      @Parameters(paramLabel = "NAME", description = "The cell (see: stockroom cell list).")
          String name,
      @Option(
              names = "--to",
              paramLabel = "CELL",
              description = "The new cell (default: the active cells with the fewest merchants).")
          @Nullable String to,
      @Option(
              names = "--cancel",
              description = "Let the cell get merchants again, and cancel its moves.")
          boolean cancel,
      @Mixin OperatorOptions operator) {
    if (cancel && to != null) {
      throw CommandException.usage("--to and --cancel exclude each other.");
    }
    AdminApi api = operator.connect(shell);
    String path = "/admin/cells/" + AdminApi.part(name) + "/drain";
    ObjectNode wanted = to == null ? Json.object() : Json.object().put("to", to);
    JsonNode answer = cancel ? api.delete(path) : api.post(path, wanted);
    Output output = operator.output(shell);
    output.show(
        () -> answer,
        () ->
            output.line(
                cancel
                    ? "The cell %s is active.".formatted(name)
                    : "%d merchants will move. Follow them with: stockroom cell moves"
                        .formatted(answer.path("moves").asInt())));
  }

  @Command(
      name = "remove",
      description = {
        "Remove a cell that has no merchants, for example after it was drained; it may be unreachable.",
        "Its database stays, and can become a cell again."
      },
      footer = "  stockroom cell remove east")
  void remove(
      @Parameters(paramLabel = "NAME", description = "The cell (see: stockroom cell list).")
          String name,
      @Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).delete("/admin/cells/" + AdminApi.part(name));
    Output output = operator.output(shell);
    output.show(() -> answer, () -> output.field("removed", answer.path("removed")));
  }

  @Command(
      name = "moves",
      description = "List the moves of merchants between cells, those that are running first.",
      footer = {"  stockroom cell moves", "  stockroom cell moves --json"})
  void moves(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).get("/admin/moves");
    Output output = operator.output(shell);
    output.show(
        () -> answer,
        () -> {
          Table table =
              new Table("MERCHANT", "FROM", "TO", "PHASE", "COPIED", "ROWS", "PAUSE MS", "MESSAGE");
          for (JsonNode move : answer.path("moves")) {
            table.row(
                (ObjectNode) move,
                "merchantId",
                "from",
                "to",
                "phase",
                "rowsCopied",
                "rowsTotal",
                "pauseMillis",
                "message");
          }
          output.table(table);
        });
  }

  @Command(
      name = "check",
      description = {
        "Check that the directory and the cells agree; run it after one of them was restored.",
        "Exits with 1 if they do not, or if a cell cannot be reached."
      },
      footer = {"  stockroom cell check", "  stockroom cell check --repair"})
  int check(
      @Option(
              names = "--repair",
              description =
                  "Move the sequences of ids beyond every id in the cells, so that none is given out"
                      + " twice.")
          boolean repair,
      @Mixin OperatorOptions operator) {
    JsonNode result =
        operator
            .connect(shell)
            .post("/admin/cells/check" + (repair ? "?repair=true" : ""), Json.object());
    Output output = operator.output(shell);
    output.show(() -> result, () -> showCheck(result, output));
    boolean isFine = result.path("problems").isEmpty() && result.path("unreachable").isEmpty();
    return isFine ? 0 : 1;
  }

  static void showCheck(JsonNode result, Output output) {
    output.line(
        "%s compared."
            .formatted(Counts.of(result.path("merchants").asInt(), "merchant", "merchants")));
    boolean isRepaired = result.path("repaired").asBoolean();
    for (JsonNode problem : result.path("problems")) {
      String kind = problem.path("kind").asString("");
      String ids = problem.path("ids").valueStream().map(JsonNode::asString).collect(joining(", "));
      String meaning =
          switch (kind) {
            case "merchants-without-data" -> "has no data of " + merchants(problem);
            case "data-without-merchant" ->
                "has data of %s that the directory does not know there"
                    .formatted(merchants(problem));
            default ->
                "has an id that the directory has not given out"
                    + (isRepaired ? "; its sequence was moved" : "; run this with --repair");
          };
      output.line(
          "cell %s %s (%s: %s)".formatted(problem.path("cell").asString(""), meaning, kind, ids));
    }
    for (JsonNode cell : result.path("unreachable")) {
      output.line("cell %s cannot be reached and was not checked".formatted(cell.asString()));
    }
    if (result.path("problems").isEmpty() && result.path("unreachable").isEmpty()) {
      output.line("The directory and the cells agree.");
    }
  }

  private static String merchants(JsonNode problem) {
    return Counts.of(problem.path("count").asLong(), "merchant", "merchants");
  }

  private static void showAll(JsonNode cells, Output output) {
    Table table =
        new Table(
            "NAME",
            "STATE",
            "MERCHANTS",
            "MIB",
            "CONNECTIONS",
            "LOAD",
            "LAG KIB",
            "SCHEMA",
            "DATABASE");
    for (JsonNode cell : cells) {
      ObjectNode row = (ObjectNode) cell.deepCopy();
      if (cell.path("bytes").isNumber()) {
        row.put("bytes", Math.ceilDiv(cell.path("bytes").asLong(), MEBIBYTE));
      }
      if (cell.path("lagBytes").isNumber()) {
        row.put("lagBytes", Math.ceilDiv(cell.path("lagBytes").asLong(), KIBIBYTE));
      }
      String trouble = cell.path("trouble").asString("");
      String place = cell.path("databaseUrl").asString("in the directory's database");
      row.put("place", trouble.isEmpty() ? place : place + ": " + trouble);
      table.row(
          row,
          "name",
          "state",
          "merchants",
          "bytes",
          "connections",
          "load",
          "lagBytes",
          "schemaVersion",
          "place");
    }
    output.table(table);
  }
}
