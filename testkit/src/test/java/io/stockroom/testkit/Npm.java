package io.stockroom.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs from npm, fetched together and once into target/npm. */
final class Npm {
  private static final Path FOLDER = Path.of("target", "npm").toAbsolutePath();
  private static final List<String> PACKAGES = List.of("typescript@5.9.3", "newman@6.2.1");

  private Npm() {}

  /** The compiler of TypeScript; run it with node. */
  static Path typeScript() throws Exception {
    return folder("typescript").resolve("bin/tsc");
  }

  /** The folder of a package. */
  static synchronized Path folder(String name) throws Exception {
    Path folder = FOLDER.resolve("node_modules").resolve(name);
    if (!Files.exists(folder)) {
      fetch();
    }
    return folder;
  }

  private static void fetch() throws Exception {
    List<String> command = new ArrayList<>(List.of("npm", "install", "--prefix", "."));
    command.addAll(List.of("--no-save", "--no-package-lock", "--no-audit", "--no-fund"));
    command.add("--prefer-offline");
    command.addAll(PACKAGES);
    try {
      Commands.run(Files.createDirectories(FOLDER), command);
    } catch (IOException | AssertionError failed) {
      throw new AssertionError(
          "npm could not fetch "
              + PACKAGES
              + ". Install npm (Debian: apt install nodejs npm; ./verify does so by itself) and let"
              + " it reach its registry once.",
          failed);
    }
  }
}
