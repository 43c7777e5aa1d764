package io.stockroom.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresLogTest {
  @TempDir Path temporary;
  private Path file = Path.of("");
  private PostgresLog log = new PostgresLog(file);

  @BeforeEach
  void name() {
    file = temporary.resolve("postgres.log");
    log = new PostgresLog(file);
  }

  @Test
  void keepsAFileOfTheLargestSize() throws IOException {
    grow(PostgresLog.MAX_BYTES);

    log.limit();

    assertThat(log.size()).isEqualTo(PostgresLog.MAX_BYTES);
    assertThat(temporary.resolve("postgres.log.1")).doesNotExist();
  }

  @Test
  void setsALargerFileAside() throws IOException {
    grow(PostgresLog.MAX_BYTES + 1);

    log.limit();

    assertThat(log.size()).isZero();
    assertThat(temporary.resolve("postgres.log.1")).hasSize(PostgresLog.MAX_BYTES + 1);
  }

  @Test
  void showsOnlyTheLastLinesOfTheLatestRun() throws IOException {
    Files.writeString(file, "former run\n");
    long before = log.size();
    Files.writeString(file, "former run\n" + "filler\n".repeat(20) + "last\n", UTF_8);

    assertThat(log.since(before).lines()).hasSize(15).endsWith("last").doesNotContain("former run");
  }

  private void grow(long bytes) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(bytes);
    }
  }
}
