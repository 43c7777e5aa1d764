package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code stockroom product export}: downloads a merchant's products. */
final class ProductExport {
  private static final List<String> FORMATS = List.of("csv", "xlsx", "jsonl");
  private static final int BUFFER = 1 << 16;

  private final Given given;
  private final Shell shell;

  private ProductExport(Given given) {
    this.given = given;
    this.shell = given.shell();
  }

  static CommandDefinition command() {
    return CommandDefinition.of("export", given -> new ProductExport(given).run())
        .does(
            "Export a consistent snapshot of products and stock to a file.",
            "The file extension selects the format: .csv, .xlsx or .jsonl. You can edit the file"
                + " and import it again. An incomplete export leaves no file.")
        .examples(
            "stockroom product export --merchant 1 products.xlsx",
            "stockroom product export --merchant 1 - --format jsonl | gzip > products.jsonl.gz")
        .with(
            MerchantCommands.ID_OPTION,
            option("--format", "FORMAT", "csv, xlsx or jsonl (default: by file extension)."),
            flag("--force", "Replace an existing file."),
            argument("FILE", "The file to write, or - for standard output."));
  }

  private int run() {
    Path file = Path.of(given.text("FILE"));
    String chosen = format(file, given.has("--format") ? given.text("--format") : null);
    String path =
        "/admin/merchants/%s/products/export?format=%s".formatted(given.text("--merchant"), chosen);
    if (file.toString().equals("-")) {
      print(path);
      return 0;
    }
    OutputFile target = new OutputFile(file, given.has("--force"));
    target.refuse();
    long start = System.nanoTime();
    long bytes = fetch(path, target);
    double seconds = Math.round((System.nanoTime() - start) / 1e7) / 100.0;
    Output output = given.output();
    output.show(
        () ->
            Json.object()
                .put("file", file.toAbsolutePath().normalize().toString())
                .put("format", chosen)
                .put("bytes", bytes)
                .put("seconds", seconds),
        () ->
            output.line(
                "Exported to %s: %s in %s s"
                    .formatted(file, Progress.amount(bytes, 0, "bytes"), seconds)));
    return 0;
  }

  private long fetch(String path, OutputFile target) {
    long[] bytes = new long[1];
    try (LiveLine line = new LiveLine(shell)) {
      given.api().download(path, (file, _) -> bytes[0] = target.write(watched(file, line)));
      return bytes[0];
    } catch (UncheckedIOException broken) {
      throw brokenOff("'%s' was not written".formatted(target.path()), broken);
    }
  }

  private void print(String path) {
    if (given.has("--json")) {
      throw CommandException.usage("Standard output can take only one: omit --json or -.");
    }
    try (LiveLine line = new LiveLine(shell)) {
      given.api().download(path, (file, _) -> print(watched(file, line)));
    } catch (UncheckedIOException broken) {
      throw brokenOff("the output is incomplete", broken);
    }
  }

  /** Stops if the reader is gone; the command reports that at its end. */
  private void print(InputStream file) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int read = file.read(buffer); read >= 0; read = file.read(buffer)) {
      shell.out().write(buffer, 0, read);
      if (shell.out().checkError()) {
        return;
      }
    }
  }

  /** Distinguishes an interrupted connection from one that was never established. */
  private InputStream watched(InputStream file, LiveLine line) {
    return new FilterInputStream(
        Progress.drawn(file, "Receiving", OptionalLong.empty(), line, shell)) {
      @Override
      public int read(byte[] buffer, int offset, int size) {
        try {
          return super.read(buffer, offset, size);
        } catch (IOException e) {
          throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
      }
    };
  }

  private static CommandException brokenOff(String consequence, UncheckedIOException broken) {
    return CommandException.failed(
        "The export was interrupted (%s), so %s. Check the server's log, then run it again."
            .formatted(broken.getMessage(), consequence),
        broken);
  }

  private static String format(Path file, @Nullable String given) {
    if (given != null) {
      String lower = given.toLowerCase(Locale.ROOT);
      if (!FORMATS.contains(lower)) {
        throw CommandException.usage(
            "'%s' is not an export format; use csv, xlsx or jsonl.".formatted(given));
      }
      return lower;
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.equals("-")) {
      throw CommandException.usage(
          "Standard output has no file extension: add --format csv, xlsx or jsonl.");
    }
    return FORMATS.stream()
        .filter(format -> name.endsWith("." + format))
        .findFirst()
        .orElseThrow(
            () ->
                CommandException.usage(
                    "The extension of '%s' is not .csv, .xlsx or .jsonl; change it or add --format."
                        .formatted(file)));
  }
}
