package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group whose programs together get only a part of a CPU. A load of ten times the peak
 * needs a driver and a proxy that are faster than the server; on a machine with few CPUs only a
 * slower server leaves them enough.
 */
final class CpuQuota implements AutoCloseable {
  /** Version 1 with the controller's own folder, or version 2 with one folder for all. */
  private static final List<Path> ROOTS =
      List.of(Path.of("/sys/fs/cgroup/cpu"), Path.of("/sys/fs/cgroup"));

  /** Short, so that a paused program does not look like a slow one. */
  private static final int PERIOD_MICROS = 10_000;

  /** More than any machine has. */
  static final int UNLIMITED = 1_000_000;

  private static final Duration MAX_END = Duration.ofSeconds(10);

  private final Path group;

  private CpuQuota(Path group) {
    this.group = group;
  }

  /** Creates it, without a limit yet; needs root. */
  static CpuQuota create() {
    for (Path root : ROOTS) {
      CpuQuota quota = new CpuQuota(root.resolve("stockroom-lab-" + ProcessHandle.current().pid()));
      try {
        Files.createDirectory(quota.group);
        quota.limit(UNLIMITED);
        return quota;
      } catch (IOException notHere) {
        quota.close();
      }
    }
    throw new BenchException("--cpu needs root, and control groups with the cpu controller.");
  }

  /** Gives its programs so much of a CPU. */
  void limit(int percent) throws IOException {
    int micros = PERIOD_MICROS / 100 * percent;
    Path version2 = group.resolve("cpu.max");
    if (Files.exists(version2)) {
      Files.writeString(version2, micros + " " + PERIOD_MICROS);
    } else {
      Files.writeString(
          group.resolve("cpu.cfs_period_us"), "" + PERIOD_MICROS, StandardOpenOption.WRITE);
      Files.writeString(group.resolve("cpu.cfs_quota_us"), "" + micros, StandardOpenOption.WRITE);
    }
  }

  /** Starts a program in it, with everything that the program starts. */
  List<String> command() {
    String enter = "echo $$ >'%s' && exec \"$@\"".formatted(group.resolve("cgroup.procs"));
    return List.of("sh", "-c", enter, "sh");
  }

  /** Removes it as soon as its last program has ended. */
  @Override
  public void close() {
    long deadline = System.nanoTime() + MAX_END.toNanos();
    while (System.nanoTime() - deadline < 0) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (IOException inUse) {
        LockSupport.parkNanos(MAX_END.toNanos() / 100);
      }
    }
    System.err.println("Still in use, remove it later: rmdir " + group);
  }
}
