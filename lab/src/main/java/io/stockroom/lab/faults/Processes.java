package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /** Runs a program until it ends, and throws if it fails. */
  void run(String... command) {
    String error = failure(command);
    if (error != null) {
      throw new IllegalStateException(String.join(" ", command) + " failed: " + error);
    }
  }

  /** Runs a program until it ends; what it printed if it failed, otherwise null. */
  private @Nullable String failure(String... command) {
    try {
      Process process =
          start(
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.PIPE));
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      started.remove(process.toHandle());
      return code == 0 ? null : output.strip();
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

  /**
   * Sends a signal such as STOP, for which Java has no method. A target that has ended meanwhile,
   * such as a worker of PostgreSQL, is skipped.
   */
  void signal(String name, List<ProcessHandle> targets) {
    for (ProcessHandle target : targets) {
      String error = failure("kill", "-" + name, Long.toString(target.pid()));
      if (error != null && target.isAlive()) {
        throw new IllegalStateException(
            "SIG" + name + " did not reach process " + target.pid() + ": " + error);
      }
    }
  }

  @Override
  public void close() {
    for (ProcessHandle process : started) {
      family(process).forEach(ProcessHandle::destroyForcibly);
    }
    started.clear();
  }
}
