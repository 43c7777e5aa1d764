package io.stockroom.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The package of clients/typescript, built once. */
final class TypeScriptClient {
  private static final Path FOLDER =
      Path.of("target", "clients", "typescript-package").toAbsolutePath();
  private static final AtomicBoolean BUILT = new AtomicBoolean();

  private TypeScriptClient() {}

  /** Compiles it and returns its folder, which Node can import as a package. */
  static synchronized Path build() throws Exception {
    if (!BUILT.get()) {
      Path source = Path.of("..", "clients", "typescript");
      Path compiler = Npm.typeScript();
      Commands.run(
          source,
          List.of(
              "node",
              compiler.toString(),
              // checks the client, not the libraries of the compiler
              "--skipLibCheck",
              "--outDir",
              FOLDER.resolve("dist").toString()));
      Files.copy(
          source.resolve("package.json"),
          FOLDER.resolve("package.json"),
          StandardCopyOption.REPLACE_EXISTING);
      BUILT.set(true);
    }
    return FOLDER;
  }
}
