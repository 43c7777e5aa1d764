package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MailCommandsTest {
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
  void printsTheDialogAndTheAnswer() {
    server.on(
        "POST",
        "/admin/mail/test",
        200,
        "{\"sent\":true,\"answer\":\"250 Ok\",\"dialog\":[\"220 mail\",\"EHLO stock\"]}");

    Program.Run run = Program.operating(server).run("mail", "test", "li@example.com");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo("  220 mail\n  EHLO stock\nThe mail server accepted the email: 250 Ok\n");
    assertThat(server.last().body()).isEqualTo("{\"to\":\"li@example.com\"}");
  }

  @Test
  void failsIfTheMailServerRefuses() {
    server.on(
        "POST",
        "/admin/mail/test",
        200,
        "{\"sent\":false,\"answer\":\"535 no\",\"dialog\":[\"220 mail\"]}");

    Program.Run run = Program.operating(server).run("mail", "test", "li@example.com");
    Program.Run json = Program.operating(server).run("mail", "test", "li@example.com", "--json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("  220 mail\n").contains("was not sent: 535 no.");
    assertThat(json.exitCode()).isEqualTo(1);
    assertThat(json.out().lines()).hasSize(1);
    assertThat(json.out()).contains("\"sent\":false");
  }
}
