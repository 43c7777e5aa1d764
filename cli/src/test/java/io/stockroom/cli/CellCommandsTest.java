package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CellCommandsTest {
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void listsCellsAndSaysWhyOneCannotBeReached() {
    server.on(
        "GET",
        "/admin/cells",
        200,
        """
        {"cells":[
        {"name":"main","databaseUrl":null,"state":"active","merchants":3,"bytes":10485761,"connections":5,"load":2,"lagBytes":2049,"schemaVersion":"1","trouble":""},
        {"name":"east","databaseUrl":"jdbc:postgresql://db2/east","state":"unreachable","merchants":2,"bytes":null,"connections":null,"load":null,"lagBytes":null,"schemaVersion":null,"trouble":"refused"}]}
        """);

    Program.Run run = Program.operating(server).run("cell", "list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("main +active +3 +11 +5 +2 +3 +1 +in the directory's database")
        .containsPattern("east +unreachable +2 .*jdbc:postgresql://db2/east: refused");
  }

  @Test
  void addsACell() {
    server.on(
        "POST",
        "/admin/cells",
        201,
        "{\"name\":\"east\",\"databaseUrl\":\"jdbc:postgresql://db2/east\",\"schemaVersion\":\"1\"}");

    Program.Run run =
        Program.operating(server)
            .run("cell", "add", "east", "--database-url", "postgresql://db2/east");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("east", "jdbc:postgresql://db2/east");
    assertThat(server.last().body())
        .isEqualTo("{\"name\":\"east\",\"databaseUrl\":\"postgresql://db2/east\"}");
  }

  @Test
  void warnsOfAPasswordInTheUrl() {
    server.on("POST", "/admin/cells", 201, "{\"name\":\"east\",\"schemaVersion\":\"1\"}");

    Program.Run run =
        Program.operating(server)
            .run("cell", "add", "east", "--database-url", "postgresql://me:hush@db2/east");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("Warning: ", "Change it", "cell update east");
    assertThat(run.out() + run.err()).doesNotContain("hush");
  }

  @Test
  void sendsNoUrlThatCannotBeTakenApart() {
    Program.Run run =
        Program.operating(server)
            .run("cell", "add", "east", "--database-url", "postgresql://me:hu/sh@db2/east");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--database-url: ", "cannot be read").doesNotContain("hu/sh");
  }

  @Test
  void changesTheAddressOfACell() {
    server.on(
        "PATCH",
        "/admin/cells/east",
        200,
        "{\"name\":\"east\",\"databaseUrl\":\"jdbc:postgresql://db7/east\",\"schemaVersion\":\"3\"}");

    Program.Run run =
        Program.operating(server)
            .run(
                "cell",
                "update",
                "east",
                "--database-url=postgresql://db7/east",
                "--database-user=stockroom");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("east", "jdbc:postgresql://db7/east");
    assertThat(server.last().body())
        .isEqualTo("{\"databaseUrl\":\"postgresql://db7/east\",\"databaseUser\":\"stockroom\"}");
  }

  @Test
  void namesACellInOnePartOfThePath() {
    // the test server finds its responses by the decoded path
    server.on("POST", "/admin/cells/a/b?x/drain", 200, "{\"moves\":0}");

    assertThat(Program.operating(server).run("cell", "drain", "a/b?x").exitCode()).isZero();
    assertThat(server.last().path()).isEqualTo("/admin/cells/a%2Fb%3Fx/drain");
  }

  @Test
  void wantsAVariableWithThePassword() {
    Program.Run run =
        Program.operating(server)
            .run(
                "cell",
                "add",
                "east",
                "--database-url=postgresql://db2/east",
                "--database-password-env=NOT_SET");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("NOT_SET");
  }

  private static String move(String phase, String endedAt) {
    return """
        {"merchantId":7,"from":"main","to":"east","phase":"%s","message":"","rowsCopied":3,"rowsTotal":9,
        "pauseMillis":null,"createdAt":"2026-01-01T00:00:00Z","endedAt":%s}"""
        .formatted(phase, endedAt);
  }

  @Test
  void followsAMoveToItsEnd() {
    server.on("POST", "/admin/merchants/7/move", 201, move("copying", "null"));
    server.on("GET", "/admin/merchants/7/move", 200, move("done", "\"2026-01-01T00:00:09Z\""));

    Program.Run run = Program.operating(server).run("merchant", "move", "7", "--to", "east");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("copying, 3 of 9 rows");
    assertThat(run.out()).containsPattern("phase: +done");
  }

  @Test
  void drainsACell() {
    server.on("POST", "/admin/cells/east/drain", 200, "{\"moves\":12}");

    Program.Run run = Program.operating(server).run("cell", "drain", "east", "--to", "west");

    assertThat(run.out()).contains("12 merchants will move");
    assertThat(server.last().body()).isEqualTo("{\"to\":\"west\"}");
    assertThat(
            Program.operating(server).run("cell", "drain", "east", "--to=w", "--cancel").exitCode())
        .isEqualTo(2);
  }
}
