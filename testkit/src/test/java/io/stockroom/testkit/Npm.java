package io.stockroom.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs from npm, fetched once into target/npm. */
final class Npm {
  static final String TYPESCRIPT = "typescript@5.9.3";

  private Npm() {}

  /** Returns a script of a package, such as {@code typescript/bin/tsc}; run it with node. */
  static synchronized Path script(String packageVersion, String script) throws Exception {
    Path folder = Path.of("target", "npm").toAbsolutePath();
    Path file = folder.resolve("node_modules").resolve(script);
    if (!Files.exists(file)) {
      fetch(folder, packageVersion);
    }
    return file;
  }

  private static void fetch(Path folder, String packageVersion) throws Exception {
    try {
      Commands.run(
          Files.createDirectories(folder),
          List.of(
              "npm",
              "install",
              "--prefix",
              ".",
              // keeps the other packages of this folder
              "--save",
              "--no-package-lock",
              "--no-audit",
              "--no-fund",
              "--prefer-offline",
              packageVersion));
    } catch (IOException | AssertionError failed) {
      throw new AssertionError(
          "npm could not fetch "
              + packageVersion
              + ". Install npm (Debian: apt install nodejs npm; ./verify does so by itself) and let"
              + " it reach its registry once.",
          failed);
    }
  }
}
