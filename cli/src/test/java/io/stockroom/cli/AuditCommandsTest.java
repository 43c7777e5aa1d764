package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandsTest {
  @TempDir Path folder;

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
  void checksArchivesOnlyIfTheyArePassed() throws IOException {
    server.on(
        "POST",
        "/admin/audit/verify",
        200,
        """
        {"intact":true,"entries":123,"chains":4,"head":"abcd","archived":[
        {"merchantId":7,"number":2,"hash":"ab"},{"merchantId":8,"number":3,"hash":"cd"}]}
        """);

    Program.Run without = Program.operating(server).run("audit", "verify");
    assertThat(without.exitCode()).isZero();
    assertThat(without.out())
        .endsWith("in archives:   5, not checked; pass the files with --archive\n");

    Path file = Files.createFile(folder.resolve("empty.audit"));
    Program.Run with =
        Program.operating(server).run("audit", "verify", "--archive", file.toString());
    assertThat(with.exitCode()).isEqualTo(1);
    assertThat(with.err())
        .startsWith("The archives do not fit the audit log: the archives do not have entry ");
    assertThat(with.out()).doesNotContain("in archives");

    Program.Run missing =
        Program.operating(server).run("audit", "verify", "--archive", file + ".x");
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err()).startsWith("An archive cannot be read (NoSuchFileException");
  }
}
