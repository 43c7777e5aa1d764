package io.stockroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Saves the rows that an import rejected next to the original file. */
final class RejectedRows {
  private static final int MAX_NAMES = 1000;
  private static final Pattern ENDING = Pattern.compile("\\.([A-Za-z]{1,5})\"?$");

  private final AdminApi api;

  RejectedRows(AdminApi api) {
    this.api = api;
  }

  /** Downloads them to a new file and returns it; never overwrites a file. */
  Path keep(ImportJob job, Path original) {
    Path[] kept = new Path[1];
    api.download(
        job.path() + "/rejected",
        (rows, headers) -> kept[0] = write(rows, original, ending(headers)));
    return kept[0];
  }

  /** Downloads them to this file, unless it exists. */
  Path write(ImportJob job, Path file) {
    OutputFile output = new OutputFile(file, false);
    api.download(job.path() + "/rejected", (rows, headers) -> output.write(rows));
    return file;
  }

  private static Path write(InputStream rows, Path original, String ending) throws IOException {
    // importing rejected rows again does not make the name longer
    String name =
        original
            .getFileName()
            .toString()
            .replaceFirst("\\.[A-Za-z]{1,5}$", "")
            .replaceFirst("\\.rejected(-[0-9]+)?$", "");
    for (int number = 1; number < MAX_NAMES; number++) {
      String suffix = number == 1 ? ".rejected." : ".rejected-" + number + ".";
      Path path = original.resolveSibling(name + suffix + ending);
      try {
        Files.createFile(path);
      } catch (FileAlreadyExistsException taken) {
        continue;
      } catch (IOException e) {
        throw unwritable(path, e);
      }
      return fill(path, rows);
    }
    throw CommandException.failed(
        "There are already %d files of rejected rows next to '%s'. Delete those you no longer need."
            .formatted(MAX_NAMES - 1, original));
  }

  private static Path fill(Path path, InputStream rows) throws IOException {
    try {
      var _ = new OutputFile(path, true).write(rows);
      return path;
    } catch (IOException | RuntimeException e) {
      discard(path, e);
      throw e;
    }
  }

  private static void discard(Path path, Exception cause) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException alsoFailed) {
      cause.addSuppressed(alsoFailed);
    }
  }

  private static CommandException unwritable(Path path, IOException e) {
    return CommandException.failed(
        "The rejected rows cannot be written to '%s'. Check the permissions of the folder."
            .formatted(path),
        e);
  }

  private static String ending(HttpHeaders headers) {
    Matcher name = ENDING.matcher(headers.firstValue("Content-Disposition").orElse(""));
    return name.find() ? name.group(1) : "csv";
  }
}
