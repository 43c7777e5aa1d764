package io.stockroom.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The package of clients/typescript, built once. */
final class TypeScriptClient {
  private static @Nullable Path built;

  private TypeScriptClient() {}

  /** Compiles it and returns its folder, which Node can import as a package. */
  static synchronized Path build() throws Exception {
    if (built == null) {
      Path source = Path.of("..", "clients", "typescript");
      Path folder = Path.of("target", "clients", "typescript-package").toAbsolutePath();
      Path compiler = Npm.script(Npm.TYPESCRIPT, "typescript/bin/tsc");
      Commands.run(
          source,
          List.of("node", compiler.toString(), "--outDir", folder.resolve("dist").toString()));
      Files.copy(
          source.resolve("package.json"),
          folder.resolve("package.json"),
          StandardCopyOption.REPLACE_EXISTING);
      built = folder;
    }
    return built;
  }
}
