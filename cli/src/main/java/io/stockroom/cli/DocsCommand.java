package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.required;

import io.stockroom.server.docs.Site;
import io.stockroom.server.docs.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** {@code stockroom docs}. */
final class DocsCommand {
  private DocsCommand() {}

  static CommandSpec make(Shell shell) {
    return CommandDefinition.local("docs", DocsCommand::run)
        .does(
            "Write the docs as web pages to a folder.",
            "These are the pages that every server shows at /docs. They need no server: open"
                + " index.html in a browser, or copy the folder to any web server.")
        .examples("stockroom docs --out site", "stockroom docs --out site --force")
        .with(
            required("--out", "DIR", "The folder to write to; created if missing."),
            flag("--force", "Write to a folder that is not empty."))
        .spec(shell);
  }

  private static int run(Given given) {
    Path out = Path.of(given.text("--out"));
    try {
      if (!given.has("--force") && !isFree(out)) {
        throw CommandException.failed(
            "%s already exists and is not an empty folder. Choose another one, or pass --force."
                .formatted(out));
      }
      int files = new Site(Sources.packaged()).writeTo(out);
      given
          .output()
          .line("%d files in %s. Start with %s".formatted(files, out, out.resolve("index.html")));
      return 0;
    } catch (IOException failed) {
      throw CommandException.failed(
          "The docs could not be written to %s: %s.".formatted(out, failed.getMessage()), failed);
    }
  }

  private static boolean isFree(Path out) throws IOException {
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
