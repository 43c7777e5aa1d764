package io.stockroom.lab.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every program that makes a marketplace. */
class FolderOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "The folder for the marketplace: an empty one, or one that this program created.")
  private @Nullable Path data;

  @Option(
      names = "--keep",
      description = "Keep the marketplace for the next run with the same --data.")
  private boolean keep;

  boolean keeps() {
    return keep;
  }

  /** Takes the folder, and removes it at exit unless {@code --keep} is given. */
  BenchFolder takeFolder(Path standard, Tools tools) {
    BenchFolder folder = BenchFolder.take(data == null ? standard : data);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> tidy(tools, folder), "tidy"));
    return folder;
  }

  private void tidy(Tools tools, BenchFolder folder) {
    tools.close();
    if (!keeps()) {
      folder.remove();
    }
  }
}
