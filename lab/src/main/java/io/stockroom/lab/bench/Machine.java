package io.stockroom.lab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Processor times and memory from {@code /proc}. */
final class Machine {
  /** Linux reports times in hundredths of a second to programs, whatever its own tick. */
  private static final double MICROS_PER_TICK = 10_000;

  private Machine() {}

  /** Processor time of a process, its descendants, and those of them that have ended. */
  static double microsOfTree(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants())
        .mapToDouble(each -> micros(each.pid()))
        .sum();
  }

  /** Processor time of a process and its ended children. */
  static double micros(long pid) {
    try {
      String text = Files.readString(Path.of("/proc/%d/stat".formatted(pid)));
      // the program name is in parentheses and may contain anything
      String[] words = text.substring(text.lastIndexOf(')') + 2).split(" ", 16);
      double ticks = 0;
      for (int i = 11; i <= 14; i++) {
        ticks += Long.parseLong(words[i]);
      }
      return ticks * MICROS_PER_TICK;
    } catch (IOException ended) {
      // its parent has counted it
      return 0;
    }
  }

  /** Resident memory of a process. */
  static int megabytes(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/%d/status".formatted(pid)))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToInt(line -> Integer.parseInt(line.replaceAll("[^0-9]", "")) / 1000)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
