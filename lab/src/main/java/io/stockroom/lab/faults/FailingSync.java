package io.stockroom.lab.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Every fsync and fdatasync fails for a while, as on a dying disk. */
final class FailingSync {
  private static final Duration FAILING = Duration.ofSeconds(2);
  private static final String SHIM =
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

  private FailingSync() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    if (!Laboratory.has("cc", "--version")) {
      throw new Experiment.Skipped(
          "no C compiler is installed (Debian: apt install gcc libc6-dev)");
    }
    Path folder = laboratory.newFolder("failing-sync");
    Path source = Files.writeString(folder.resolve("sync.c"), SHIM);
    Path library = folder.resolve("sync.so");
    laboratory
        .processes()
        .run("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl");
    Path trigger = folder.resolve("failing");
    Server server =
        Server.embedded(laboratory, "failing-sync-data")
            .variable("LD_PRELOAD", library.toString())
            .variable("FAULTS_FAILING_SYNC", trigger.toString());
    server.start();
    new Rounds(laboratory, report, server::url, server.operator(), server::connect)
        .run(
            rounds,
            over -> {
              Files.writeString(trigger, "");
              Downtime.watch(server, FAILING, report);
              Files.delete(trigger);
              over.run();
            });
    server.stop();
  }
}
