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
        {"name":"main","databaseUrl":null,"state":"active","merchants":3,"bytes":10485761,"connections":5,"schemaVersion":"1","trouble":""},
        {"name":"east","databaseUrl":"jdbc:postgresql://db2/east","state":"unreachable","merchants":2,"bytes":null,"connections":null,"schemaVersion":null,"trouble":"refused"}]}
        """);

    Program.Run run = Program.operating(server).run("cell", "list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("main +active +3 +11 +5 +1 +in the directory's database")
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
}
