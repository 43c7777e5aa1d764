package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MigrationsTest {
  @ParameterizedTest
  @EnumSource
  void knowsTheNewestMigration(Schema schema) throws IOException {
    Path folder = Path.of("../core/src/main/resources/db", schema.name().toLowerCase(Locale.ROOT));
    try (Stream<Path> files = Files.list(folder)) {
      List<Integer> versions =
          files
              .map(file -> file.getFileName().toString())
              .map(name -> Integer.valueOf(name.substring(1, name.indexOf("__"))))
              .sorted(Comparator.naturalOrder())
              .toList();

      assertThat(versions.getLast()).hasToString(schema.newest());
    }
  }
}
