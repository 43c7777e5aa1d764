package io.stockroom.server.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.access.SecretBox;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.postgres.CommandDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A backup in a second JVM that pauses in the middle, until it is killed. */
final class BackupOwner implements AutoCloseable {
  private final Process process;

  private BackupOwner(Process process) {
    this.process = process;
  }

  public static void main(String[] arguments) throws Exception {
    DatabaseAddress address = new DatabaseAddress(arguments[0], arguments[1], arguments[2]);
    try (CommandDatabase database = CommandDatabase.outside(address)) {
      MarketplaceDatabases from = new MarketplaceDatabases(database, () -> new SecretBox(List::of));
      Backup.write(from, Path.of(arguments[3]), false, (_, _) -> waitForTheEnd());
    }
  }

  private static void waitForTheEnd() {
    System.out.println("half");
    try {
      int _ = System.in.read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static BackupOwner start(DatabaseAddress address, Path file) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    BackupOwner.class.getName(),
                    address.jdbcUrl(),
                    address.user(),
                    address.password(),
                    file.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = process.inputReader(UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.equals("half")) {
        return new BackupOwner(process);
      }
    }
    throw new IOException("the second JVM ended before its backup was on the way");
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
