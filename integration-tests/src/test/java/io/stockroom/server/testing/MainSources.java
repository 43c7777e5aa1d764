package io.stockroom.server.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The main source files of every module that ships. */
public final class MainSources {
  private static final Path REPOSITORY = Path.of("..");
  private static final String NEVER_SHIPS = "lab";

  private MainSources() {}

  /** The folders {@code src/main} of all modules. */
  public static List<Path> folders() throws IOException {
    try (Stream<Path> modules = Files.list(REPOSITORY)) {
      return modules
          .filter(module -> !module.endsWith(NEVER_SHIPS))
          .map(module -> module.resolve("src/main"))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }

  /** Every file with one of these endings, such as {@code .java}. */
  public static List<Path> files(String... endings) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path folder : folders()) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
            .forEach(found::add);
      }
    }
    return found;
  }
}
