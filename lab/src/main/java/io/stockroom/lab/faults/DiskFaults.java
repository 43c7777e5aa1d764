package io.stockroom.lab.faults;

import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A disk that is full for a while, and one that fails to sync. */
final class DiskFaults {
  private static final Duration OUTAGE = Duration.ofSeconds(2);

  /** Preloaded into the server and its PostgreSQL. */
  private static final String FAILING_SYNC =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <stdlib.h>
      #include <unistd.h>
      static int forward(const char *name, int fd) {
        const char *trigger = getenv("FAULTS_FAILING_SYNC");
        if (trigger && access(trigger, F_OK) == 0) {
          errno = EIO;
          return -1;
        }
        int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
        return real(fd);
      }
      int fsync(int fd) { return forward("fsync", fd); }
      int fdatasync(int fd) { return forward("fdatasync", fd); }
      """;

  private DiskFaults() {}

  static void full(Stage stage, int rounds, Report report) throws Exception {
    if (!Laboratory.isRoot()) {
      throw new Experiment.Skipped("only root can mount a small disk");
    }
    Laboratory laboratory = stage.laboratory();
    Path disk = laboratory.newFolder("disk");
    String options = "size=400m,mode=700";
    try {
      laboratory.processes().run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.toString());
    } catch (IllegalStateException failure) {
      throw new Experiment.Skipped("cannot mount a small disk: " + failure.getMessage());
    }
    laboratory.onClose(() -> laboratory.processes().run("umount", "-l", disk.toString()));
    Path data = Files.createDirectory(disk.resolve("data"));
    Server server = Server.embedded(laboratory, data).start();
    Path ballast = disk.resolve("ballast");
    stage
        .rounds(report, server)
        .run(
            rounds,
            () -> {
              fill(ballast);
              Stalls.watchAlive(server, OUTAGE, report);
              Files.delete(ballast);
            });
    server.stop();
  }

  private static void fill(Path ballast) {
    byte[] block = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      // as intended
    }
  }

  static void sync(Stage stage, int rounds, Report report) throws Exception {
    if (!Laboratory.has("cc")) {
      throw new Experiment.Skipped("there is no C compiler (Debian: apt install gcc libc6-dev)");
    }
    Laboratory laboratory = stage.laboratory();
    Path folder = laboratory.newFolder("failing-sync");
    String source = Files.writeString(folder.resolve("sync.c"), FAILING_SYNC).toString();
    String library = folder.resolve("sync.so").toString();
    laboratory.processes().run("cc", "-shared", "-fPIC", "-o", library, source, "-ldl");
    Path trigger = folder.resolve("failing");
    Server server =
        Server.embedded(laboratory, laboratory.newFolder("failing-sync-data"))
            .variable("LD_PRELOAD", library)
            .variable("FAULTS_FAILING_SYNC", trigger.toString())
            .start();
    stage
        .rounds(report, server)
        .run(
            rounds,
            () -> {
              Files.writeString(trigger, "");
              Stalls.watchAlive(server, OUTAGE, report);
              Files.delete(trigger);
            });
    server.stop();
  }
}
