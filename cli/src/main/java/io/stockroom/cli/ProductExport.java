package io.stockroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Downloads a merchant's products to a file, or to standard output. */
final class ProductExport {
  static final List<String> FORMATS = List.of("csv", "xlsx", "jsonl");

  private static final int BUFFER = 1 << 16;

  private final Shell shell;
  private final OperatorOptions operator;

  ProductExport(Shell shell, OperatorOptions operator) {
    this.shell = shell;
    this.operator = operator;
  }

  void run(MerchantId merchant, Path file, @Nullable String format, boolean force) {
    String chosen = format(file, format);
    String path = "/admin/merchants/%s/products/export?format=%s".formatted(merchant, chosen);
    if (file.toString().equals("-")) {
      print(path);
      return;
    }
    OutputFile target = new OutputFile(file, force);
    target.refuse();
    long start = System.nanoTime();
    long bytes = fetch(path, target);
    double seconds = Math.round((System.nanoTime() - start) / 1e7) / 100.0;
    Output output = operator.output(shell);
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
                    .formatted(file, ProgressText.amount(bytes, 0, "bytes"), seconds)));
  }

  private long fetch(String path, OutputFile target) {
    long[] bytes = new long[1];
    try (LiveLine line = new LiveLine(shell)) {
      operator
          .connect(shell)
          .download(path, (file, _) -> bytes[0] = target.write(watched(file, line)));
      return bytes[0];
    } catch (UncheckedIOException broken) {
      throw brokenOff("'%s' was not written".formatted(target.path()), broken);
    }
  }

  private void print(String path) {
    if (operator.wantsJson()) {
      throw CommandException.usage("Standard output can take only one: omit --json or -.");
    }
    try (LiveLine line = new LiveLine(shell)) {
      operator.connect(shell).download(path, (file, _) -> print(watched(file, line)));
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
    ProgressStream.Watcher watcher =
        ProgressStream.drawing("Receiving", OptionalLong.empty(), line, shell);
    return new InputStream() {
      private final ProgressStream progress = new ProgressStream(file, watcher);

      @Override
      public int read() {
        throw new UnsupportedOperationException();
      }

      @Override
      public int read(byte[] buffer, int offset, int size) {
        try {
          return progress.read(buffer, offset, size);
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
