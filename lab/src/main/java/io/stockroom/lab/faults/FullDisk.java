package io.stockroom.lab.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The disk of the data folder fills up and is freed again. */
final class FullDisk {
  private static final Duration FULL = Duration.ofSeconds(2);
  private static final int BLOCK = 65_536;

  private FullDisk() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    if (!Laboratory.isRoot()) {
      throw new Experiment.Skipped("only root can mount a small disk");
    }
    Path disk = laboratory.newFolder("disk");
    try {
      laboratory
          .processes()
          .run("mount", "-t", "tmpfs", "-o", "size=400m,mode=700", "tmpfs", disk.toString());
    } catch (IllegalStateException failure) {
      throw new Experiment.Skipped("cannot mount a small disk: " + failure.getMessage());
    }
    laboratory.onClose(() -> laboratory.processes().run("umount", "-l", disk.toString()));
    Path data = Files.createDirectory(disk.resolve("data"));
    Server server = Server.embeddedIn(laboratory, data).logTo(laboratory.newFolder("disk-log"));
    server.start();
    Path ballast = disk.resolve("ballast");
    new Rounds(laboratory, report, server::url, server.operator(), server::connect)
        .run(
            rounds,
            over -> {
              fill(ballast);
              Downtime.watch(server, FULL, report);
              Files.delete(ballast);
              over.run();
            });
    server.stop();
  }

  private static void fill(Path ballast) {
    byte[] block = new byte[BLOCK];
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      // as intended
    }
  }
}
