package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs the tools of a benchmark, and ends those still running when it ends. */
final class Tools implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  /** The number of lines shown of a failed program: the first error matters. */
  private static final int LINES = 12;

  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private final List<Runnable> last = new CopyOnWriteArrayList<>();
  private volatile boolean closing;

  /** Whether the benchmark is being stopped, which explains any failure. */
  boolean isClosing() {
    return closing;
  }

  static boolean isThere(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  /** Runs a program and returns its output; throws if it fails. */
  String run(List<String> command) throws IOException, InterruptedException {
    return run(command, Map.of());
  }

  String run(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return run(builder);
  }

  /** Runs a long program that reports its progress on stderr. */
  void runVisibly(List<String> command) throws IOException, InterruptedException {
    var _ = run(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  private String run(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = start(builder);
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new BenchException(
            "%s exited with code %d:%n%s"
                .formatted(
                    builder.command().getFirst(),
                    code,
                    output.lines().limit(LINES).collect(Collectors.joining("\n"))));
      }
      return output;
    } finally {
      stop(process);
    }
  }

  Process start(ProcessBuilder builder) throws IOException {
    if (closing) {
      throw new BenchException("The benchmark was stopped.");
    }
    Process process = builder.redirectInput(new File("/dev/null")).start();
    running.add(process);
    if (closing) {
      stop(process);
    }
    return process;
  }

  /** Sends SIGTERM and waits: the server stops its PostgreSQL before it ends. */
  void stop(Process process) {
    boolean interrupted = Thread.interrupted();
    try {
      process.destroy();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      interrupted = true;
    } finally {
      running.remove(process);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets a program run on after the benchmark. */
  void release(Process process) {
    running.remove(process);
  }

  /** Does something after all programs have ended. */
  void atEnd(Runnable task) {
    last.add(task);
  }

  @Override
  public void close() {
    closing = true;
    running.forEach(this::stop);
    last.forEach(Runnable::run);
  }
}
