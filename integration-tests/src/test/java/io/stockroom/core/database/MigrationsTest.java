package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MigrationsTest {
  @Test
  void knowsTheNewestMigration() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../core/src/main/resources/db/migration"))) {
      List<Integer> versions =
          files
              .map(file -> file.getFileName().toString())
              .map(name -> Integer.valueOf(name.substring(1, name.indexOf("__"))))
              .sorted(Comparator.naturalOrder())
              .toList();

      assertThat(versions.getLast()).hasToString(Migrations.NEWEST);
    }
  }
}
