package io.stockroom.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * ./verify leaves Error Prone to one module, which therefore has to name the sources and the
 * libraries of all others.
 */
class OnePassTest {
  private static final Path ROOT = Path.of("..");

  /** A dependency with neither a scope nor a module of ours. */
  private static final Pattern LIBRARY =
      Pattern.compile(
          "<dependency>\\s*<groupId>(?!io\\.stockroom<)[^<]+</groupId>\\s*"
              + "(<artifactId>[^<]+</artifactId>)(?:(?!<scope>|</dependency>).)*</dependency>",
          Pattern.DOTALL);

  @Test
  void errorProneReadsTheSourcesOfEveryModule() throws IOException {
    List<String> sources =
        modules().stream()
            .map(folder -> "/../%s/src/main/java</root>".formatted(folder.getFileName()))
            .toList();

    assertThat(sources).hasSizeGreaterThan(9);
    assertThat(Files.readString(ROOT.resolve("error-prone/pom.xml"))).contains(sources);
  }

  @Test
  void errorProneKnowsTheLibrariesOfEveryModule() throws IOException {
    List<String> libraries = new ArrayList<>();
    for (Path folder : modules()) {
      LIBRARY
          .matcher(Files.readString(folder.resolve("pom.xml")))
          .results()
          .map(library -> library.group(1))
          .forEach(libraries::add);
    }

    assertThat(libraries).hasSizeGreaterThan(20);
    assertThat(Files.readString(ROOT.resolve("error-prone/pom.xml"))).contains(libraries);
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("pom.xml")))
          .filter(folder -> Files.exists(folder.resolve("src/main/java")))
          .toList();
    }
  }
}
