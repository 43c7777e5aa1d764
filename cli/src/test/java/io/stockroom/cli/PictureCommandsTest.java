package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PictureCommandsTest {
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Program.Run move(String answer, String... options) {
    server.on("POST", "/admin/pictures/move", 200, answer);
    String[] arguments = new String[options.length + 2];
    arguments[0] = "pictures";
    arguments[1] = "move";
    System.arraycopy(options, 0, arguments, 2, options.length);
    return Program.operating(server).run(arguments);
  }

  @Test
  void saysHowManyPicturesItMoved() {
    Program.Run run = move("{\"to\":\"s3\",\"moved\":3,\"missing\":0,\"left\":0}");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).containsPattern("store: +s3\n").containsPattern("moved: +3\n");
    assertThat(server.last().body()).isEqualTo("{\"skip\":0}");
  }

  @Test
  void endsAlthoughPicturesAreMissing() {
    Program.Run run = move("{\"to\":\"database\",\"moved\":1,\"missing\":2,\"left\":2}", "--json");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("{\"to\":\"database\",\"moved\":1,\"missing\":2}\n");
  }
}
