package io.stockroom.cli;

import io.stockroom.server.docs.Site;
import io.stockroom.server.docs.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "docs",
    description = {
      "Write the docs as web pages to a folder.",
      "These are the pages that every server shows at /docs. They need no server: open index.html"
          + " in a browser, or copy the folder to any web server."
    },
    footer = {"  stockroom docs --out site", "  stockroom docs --out site --force"})
final class DocsCommand implements Runnable {
  private final Shell shell;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "The folder to write to; created if missing.")
  private Path out = Path.of("");

  @Option(names = "--force", description = "Write to a folder that is not empty.")
  private boolean force;

  DocsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    try {
      if (!force && !isFree()) {
        throw CommandException.failed(
            "%s already exists and is not an empty folder. Choose another one, or pass --force."
                .formatted(out));
      }
      int files = new Site(Sources.packaged()).writeTo(out);
      shell.out().printf("%d files in %s. Start with %s%n", files, out, out.resolve("index.html"));
    } catch (IOException failed) {
      throw CommandException.failed(
          "The docs could not be written to %s: %s.".formatted(out, failed.getMessage()), failed);
    }
  }

  private boolean isFree() throws IOException {
    if (!Files.exists(out)) {
      return true;
    }
    if (!Files.isDirectory(out)) {
      return false;
    }
    try (Stream<Path> inside = Files.list(out)) {
      return inside.findAny().isEmpty();
    }
  }
}
