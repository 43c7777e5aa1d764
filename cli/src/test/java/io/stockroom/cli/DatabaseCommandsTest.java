package io.stockroom.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class DatabaseCommandsTest {
  @TempDir Path folder;

  @Test
  void generatesBacksUpAndRestoresWithAndWithoutARunningServer() {
    Path data = folder.resolve("data");
    JsonNode generated =
        done(
                "generate",
                "--merchants",
                "2",
                "--products",
                "20",
                "--colors",
                "3",
                "--sizes",
                "36-37",
                "--data",
                "" + data,
                "--json")
            .json();
    assertThat(generated.path("productsWithStock").asInt()).isEqualTo(16);
    assertThat(generated.path("entries").asInt()).isEqualTo(16 * 3 * 2);

    JsonNode stopped =
        done("backup", "" + folder.resolve("stopped"), "--data", "" + data, "--json").json();
    Program.Run running;
    try (Stockroom server = Stockroom.start(data, Settings.with(Map.of("port", "0")))) {
      assertThat(refused("backup", "" + folder.resolve("m"), "--database-url", elsewhere(server)))
          .contains("The database cannot be used: ", "\"none\" does not exist");
      running = done("backup", "" + folder.resolve("running"), "--data", "" + data);
      assertThat(refused("restore", "" + folder.resolve("running"), "--data", "" + data))
          .contains("is not empty");
      assertThat(refused("generate", "--data", "" + data)).contains("already contains products");
      assertThat(refused("backup", "" + folder.resolve("m"), "--data", "" + data, "--cell=main"))
          .contains("The cell main is in the directory's database");
    }
    assertThat(running.out()).contains("Also keep " + data.resolve("secret.key"));
    assertThat(data.resolve("postgres/postmaster.pid")).doesNotExist();

    Path other = folder.resolve("other");
    String file = folder.resolve("running").toString();
    JsonNode restored = done("restore", file, "--data", "" + other, "--json").json();
    // the audit log records the first backup
    String tables = stopped.path("tables").toString();
    assertThat(restored.path("tables").toString())
        .isEqualTo(tables.replace("\"audit\",\"rows\":3", "\"audit\",\"rows\":4"))
        .isNotEqualTo(tables);
    assertThat(restored.path("audit").path("intact").asBoolean()).isTrue();
    assertThat(restored.at("/check/merchants").asInt()).isEqualTo(2);
    assertThat(restored.at("/check/problems").isEmpty()).isTrue();
    assertThat(restored.path("tokensToReview").asInt(-1)).isNotNegative();
    assertThat(other.resolve("postgres/postmaster.pid")).doesNotExist();
    assertThat(printed(restored, null))
        .contains("audit:         intact\n", "to review:     ", " tokens\n", "time:          ")
        .endsWith("copy secret.key from the backed-up server.\n");
    assertThat(printed(restored, "east")).endsWith("clients need a new snapshot.\n");
  }

  /**
   * One user owns the tables, and another reads and writes rows, as docs/operators/nodes.md shows.
   */
  @Test
  void movesFromTheEmbeddedToAnExternalPostgresWithTwoUsers() throws Exception {
    Path data = folder.resolve("data");
    String file = folder.resolve("embedded.backup").toString();
    done("generate", "--merchants=1", "--products=10", "--data=" + data);
    // the first start makes secret.key
    Stockroom.start(data, Settings.with(Map.of("port", "0"))).close();
    done("backup", file, "--data", "" + data);
    Path moved = folder.resolve("moved");
    Settings own = Settings.with(Map.of("port", "0"));
    try (Stockroom other = Stockroom.start(folder.resolve("other"), own)) {
      DatabaseAddress owner = Objects.requireNonNull(other.postgres()).roles().owner();
      execute(owner, "create role row_writer login password 'for-this-test'");
      execute(owner, "create database target");
      Map<String, String> settings =
          Map.of(
              "port",
              "0",
              "database.url",
              owner.jdbcUrl().replaceFirst("/[^/]*$", "/target"),
              "database.user",
              "row_writer",
              "database.password",
              "for-this-test",
              "database.migration-user",
              owner.user(),
              "database.migration-password",
              owner.password());
      Program external = Program.plain();
      settings.forEach(
          (name, value) ->
              external.with(
                  "STOCKROOM_" + name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT),
                  value));

      Program.Run restored = external.run("restore", file, "--data", "" + moved);
      assertThat(restored.exitCode()).as(restored.err()).isZero();
      Files.createDirectories(moved);
      Files.copy(data.resolve("secret.key"), moved.resolve("secret.key"));
      try (Stockroom server = Stockroom.start(moved, Settings.with(settings))) {
        JsonNode merchants = Program.operating(server).run("merchant", "list", "--json").json();
        assertThat(merchants.at("/merchants/0/products").asInt()).isEqualTo(10);
        Program.Run created =
            Program.operating(server)
                .run("merchant", "create", "--name=a", "--store-url=a", "--store-name=a");
        assertThat(created.exitCode()).as(created.err()).isZero();
      }
      Program.Run saved = external.run("backup", file, "--force", "--data", "" + moved);
      assertThat(saved.exitCode()).as(saved.err()).isZero();
    }
  }

  private static void execute(DatabaseAddress owner, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A database that does not exist, where the server has its own. */
  private static String elsewhere(Stockroom server) {
    DatabaseAddress own = Objects.requireNonNull(server.postgres()).roles().owner();
    return own.jdbcUrl()
        .replaceFirst(
            "jdbc:postgresql://", "postgresql://%s:%s@".formatted(own.user(), own.password()))
        .replaceFirst("/[^/]*$", "/none");
  }

  /** What a person reads instead of the JSON. */
  private static String printed(JsonNode restored, @Nullable String cell) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    InputStream in = InputStream.nullInputStream();
    Shell shell = new Shell(in, out, out, Map.of(), Path.of(""), false, false);
    RestoreCommand.print(restored, cell, "secret.key", new Output(shell, false));
    return bytes.toString(UTF_8);
  }

  @Test
  void rejectsABackupWithoutADatabase() {
    Path nowhere = folder.resolve("nowhere");

    assertThat(refused("backup", "" + folder.resolve("file"), "--data", "" + nowhere))
        .contains("There is no database in " + nowhere);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void rejectsABadFileBeforeOpeningTheDatabase() throws IOException {
    Path notes = Files.writeString(folder.resolve("notes.txt"), "no backup");
    Path data = folder.resolve("data");

    assertThat(refused("restore", "" + notes, "--data", "" + data)).contains("not a backup");
    assertThat(refused("backup", "" + notes, "--data", "" + data)).contains("--force");
    Program.Run wrong =
        Program.plain()
            .run("restore", "" + notes, "--data=" + data, "--cell-database=east=mysql://db/east");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("--cell-database east: The database URL must begin with");
    assertThat(data).doesNotExist();
    assertThat(notes).hasContent("no backup");
  }

  @Test
  void reportsAnUnreachableExternalDatabase() {
    String url = "postgresql://nobody:hush@127.0.0.1:1/none";

    assertThat(refused("backup", "" + folder.resolve("file"), "--database-url", url))
        .contains("The database cannot be used: ", "127.0.0.1:1")
        .doesNotContain("hush");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--merchants 0    | 0 merchants cannot be generated",
        "--colors 301    | 301 colors cannot be generated",
        "--sizes 40-36    | 40-36",
        "--products 100000000 --colors 300 | Ask for fewer"
      })
  void rejectsAMarketplaceOutOfBounds(String options, String sentence) {
    Program.Run run =
        Program.plain()
            .run(("generate --data " + folder.resolve("data") + " " + options).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(sentence);
    assertThat(folder).isEmptyDirectory();
  }

  private static Program.Run done(String... arguments) {
    Program.Run run = Program.plain().run(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static String refused(String... arguments) {
    Program.Run run = Program.plain().run(arguments);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    return run.err();
  }
}
