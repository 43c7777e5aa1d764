package io.stockroom.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** ./verify leaves Error Prone to one module, which therefore has to name all others. */
class OnePassTest {
  private static final Path ROOT = Path.of("..");

  @Test
  void errorProneReadsTheSourcesOfEveryModule() throws IOException {
    List<String> sources;
    try (Stream<Path> folders = Files.list(ROOT)) {
      sources =
          folders
              .filter(folder -> Files.exists(folder.resolve("pom.xml")))
              .filter(folder -> Files.exists(folder.resolve("src/main/java")))
              .map(folder -> "/../%s/src/main/java</root>".formatted(folder.getFileName()))
              .toList();
    }

    assertThat(sources).hasSizeGreaterThan(9);
    assertThat(Files.readString(ROOT.resolve("error-prone/pom.xml"))).contains(sources);
  }
}
