package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** CPU times and memory from {@code /proc}. */
final class Machine {
  /** Linux reports CPU time in hundredths of a second to programs, whatever its own tick. */
  static final double TICKS_PER_SECOND = 100;

  private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

  private final Path proc;

  Machine(Path proc) {
    this.proc = proc;
  }

  /**
   * CPU time so far, in ticks.
   *
   * @param own of one process and its terminated children
   */
  record Times(long parent, long own) {}

  /**
   * @param busy the work of all processes, including time stolen by other virtual machines; without
   *     interrupts, because those of the loopback network belong to no process
   * @param all the capacity of all CPUs together
   */
  record Total(long busy, long all) {}

  Total total() {
    String[] words = line(proc.resolve("stat")).split("\\s+");
    long[] ticks = new long[9];
    long all = 0;
    for (int i = 1; i < Math.min(words.length, 9); i++) {
      ticks[i] = Long.parseLong(words[i]);
      all += ticks[i];
    }
    return new Total(ticks[1] + ticks[2] + ticks[3] + ticks[8], all);
  }

  Times process(long pid) {
    return process(proc.resolve(Long.toString(pid)));
  }

  private static Times process(Path folder) {
    String text = line(folder.resolve("stat"));
    // the program name is in parentheses and may contain anything
    String[] words = text.substring(text.lastIndexOf(')') + 2).split(" ");
    long own = 0;
    for (int i = 11; i <= 14; i++) {
      own += Long.parseLong(words[i]);
    }
    return new Times(Long.parseLong(words[1]), own);
  }

  /** CPU time of a process and its descendants, in ticks. */
  long ticksOfTree(long root) {
    long ticks = 0;
    for (long pid : tree(root)) {
      try {
        ticks += process(pid).own();
      } catch (BenchException ended) {
        // its parent has counted it
      }
    }
    return ticks;
  }

  /**
   * CPU time of the threads that compile in a JVM, in ticks; a JVM ends them when they are idle.
   */
  long compilerTicks(long pid) {
    long ticks = 0;
    Path threads = proc.resolve(Long.toString(pid)).resolve("task");
    try (Stream<Path> entries = Files.list(threads)) {
      for (Path thread : entries.toList()) {
        try {
          if (COMPILER.matcher(line(thread.resolve("comm"))).lookingAt()) {
            ticks += process(thread).own();
          }
        } catch (BenchException ended) {
          // the thread ended after the folder was listed
        }
      }
    } catch (IOException e) {
      throw unreadable(threads, e);
    }
    return ticks;
  }

  /** The share of one CPU that they have used since, or 0 if the time is 0. */
  double compilerShare(long pid, long ticksBefore, int seconds) {
    double used = (compilerTicks(pid) - ticksBefore) / TICKS_PER_SECOND;
    return seconds == 0 ? 0 : Math.max(0, used) / seconds;
  }

  /** Memory of a process and its descendants; shared memory counts once. */
  long bytesOfTree(long root) {
    long bytes = 0;
    for (long pid : tree(root)) {
      bytes += field(pid, "smaps_rollup", "Pss:");
    }
    return bytes;
  }

  long residentBytes(long pid) {
    return field(pid, "status", "VmRSS:");
  }

  /** The CPU model and count, the memory, and the operating system. */
  Map<String, Object> description() {
    Map<String, Object> description = new HashMap<>();
    description.put("processors", Runtime.getRuntime().availableProcessors());
    description.put("architecture", System.getProperty("os.arch"));
    description.put(
        "system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    description.put("memoryBytes", kilobytes(proc.resolve("meminfo"), "MemTotal:"));
    description.put("java", System.getProperty("java.runtime.version"));
    return description;
  }

  private List<Long> tree(long root) {
    Map<Long, List<Long>> children = new HashMap<>();
    try (Stream<Path> entries = Files.list(proc)) {
      entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.chars().allMatch(Character::isDigit))
          .map(Long::parseLong)
          .forEach(
              pid -> {
                try {
                  children.computeIfAbsent(process(pid).parent(), _ -> new ArrayList<>()).add(pid);
                } catch (BenchException ended) {
                  // the process ended after the folder was listed
                }
              });
    } catch (IOException e) {
      throw unreadable(proc, e);
    }
    List<Long> tree = new ArrayList<>(List.of(root));
    for (int i = 0; i < tree.size(); i++) {
      tree.addAll(children.getOrDefault(tree.get(i), List.of()));
    }
    return tree;
  }

  private long field(long pid, String file, String name) {
    try {
      return kilobytes(proc.resolve(Long.toString(pid)).resolve(file), name);
    } catch (BenchException ended) {
      return 0;
    }
  }

  private static long kilobytes(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
              .filter(line -> line.startsWith(name))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .findFirst()
              .orElse(0)
          * 1024;
    } catch (IOException | java.io.UncheckedIOException e) {
      throw unreadable(file, e);
    }
  }

  private static String line(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.findFirst().orElse("");
    } catch (IOException | java.io.UncheckedIOException e) {
      throw unreadable(file, e);
    }
  }

  private static BenchException unreadable(Path file, Exception cause) {
    return new BenchException(file + " cannot be read; the benchmark needs Linux.", cause);
  }
}
