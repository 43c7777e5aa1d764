package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The processes that this run has started; all of them end with it, even after Ctrl-C. */
final class Processes implements AutoCloseable {
  private static final Duration MAX_END = Duration.ofSeconds(60);

  private final Set<ProcessHandle> started = ConcurrentHashMap.newKeySet();

  Process start(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      started.add(process.toHandle());
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a program until it ends. */
  void run(String... command) {
    try {
      Process process =
          start(
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.PIPE));
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed: " + output.strip());
      }
      started.remove(process.toHandle());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Kills a process and its descendants with SIGKILL.
   *
   * @param over called when all have received the signal, before waiting for their end
   */
  static void kill(ProcessHandle process, Runnable over) {
    List<ProcessHandle> all = family(process);
    all.forEach(ProcessHandle::destroyForcibly);
    over.run();
    all.forEach(Processes::awaitEnd);
  }

  static void kill(ProcessHandle process) {
    kill(process, () -> {});
  }

  /** A process and its descendants. */
  static List<ProcessHandle> family(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants()).toList();
  }

  static void awaitEnd(ProcessHandle process) {
    Await.until(MAX_END, "the end of process " + process.pid(), () -> !process.isAlive());
  }

  /** Sends a signal such as STOP, for which Java has no method. */
  void signal(String name, List<ProcessHandle> targets) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    targets.forEach(target -> command.add(Long.toString(target.pid())));
    run(command.toArray(String[]::new));
  }

  @Override
  public void close() {
    for (ProcessHandle process : started) {
      family(process).forEach(ProcessHandle::destroyForcibly);
    }
    started.clear();
  }
}
