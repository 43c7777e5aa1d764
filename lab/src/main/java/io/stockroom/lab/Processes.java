package io.stockroom.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The processes that this run has started; all of them end with it, even after Ctrl-C. */
public final class Processes implements AutoCloseable {
  private static final Duration MAX_END = Duration.ofSeconds(60);

  private final Set<ProcessHandle> started = ConcurrentHashMap.newKeySet();

  private record Ended(int code, String output) {}

  public Process start(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      started.add(process.toHandle());
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a program that writes everything to a log. */
  public Process start(List<String> command, Map<String, String> environment, Path log) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    return start(builder);
  }

  /** Runs a program until it ends, and returns its output; throws if it fails. */
  public String run(String... command) {
    return run(List.of(command), Map.of());
  }

  public String run(List<String> command, Map<String, String> environment) {
    Ended ended = end(command, environment);
    if (ended.code != 0) {
      throw new IllegalStateException(
          "%s failed:%n%s".formatted(String.join(" ", command), ended.output.strip()));
    }
    return ended.output;
  }

  private Ended end(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = start(builder);
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Ended(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      started.remove(process.toHandle());
    }
  }

  /** Kills a process and its descendants with SIGKILL. */
  public static void kill(ProcessHandle process) {
    List<ProcessHandle> all = family(process);
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(Processes::awaitEnd);
  }

  public static List<ProcessHandle> family(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants()).toList();
  }

  public static void awaitEnd(ProcessHandle process) {
    Await.until(MAX_END, "the end of process " + process.pid(), () -> !process.isAlive());
  }

  /**
   * Sends a signal such as STOP, for which Java has no method. A target that has ended meanwhile,
   * such as a worker of PostgreSQL, is skipped.
   */
  public void signal(String name, List<ProcessHandle> targets) {
    for (ProcessHandle target : targets) {
      Ended ended = end(List.of("kill", "-" + name, Long.toString(target.pid())), Map.of());
      if (ended.code != 0 && target.isAlive()) {
        throw new IllegalStateException("SIG" + name + " failed: " + ended.output);
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
