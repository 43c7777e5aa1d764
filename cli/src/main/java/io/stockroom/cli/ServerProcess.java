package io.stockroom.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.stockroom.core.settings.BadSettings;
import io.stockroom.core.settings.Setting;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.settings.SettingsReader;
import io.stockroom.core.settings.ShownSettings;
import io.stockroom.server.Stockroom;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Starts a server in this process, and explains startup failures. */
final class ServerProcess {
  private static final String HEAP_DUMP = "HeapDumpPath";

  private ServerProcess() {}

  static Settings settings(Path folder, Map<String, String> set, Shell shell) {
    try {
      Output output = new Output(shell, false);
      Settings settings =
          SettingsReader.read(
              folder, shell.environment(), set, warning -> output.problem("Warning: " + warning));
      ShownSettings.secretsInArguments(settings)
          .forEach(
              setting ->
                  output.problem(
                      "Warning: %s contains a password or key and was passed as an argument, which everyone on this machine can read (ps). Set %s instead, or put it in stockroom.yaml in the data folder."
                          .formatted(setting.name(), instead(setting))));
      return settings;
    } catch (BadSettings bad) {
      List<String> problems = bad.problems();
      throw CommandException.usage(
          (problems.size() == 1
                  ? "The settings have a problem:"
                  : "The settings have %d problems:".formatted(problems.size()))
              + problems.stream().map(p -> "\n  " + p).collect(Collectors.joining())
              + "\nTo list all settings: stockroom settings");
    }
  }

  private static String instead(Setting<?> setting) {
    return setting.equals(Settings.DATABASE_URL)
        ? Settings.DATABASE_PASSWORD.variable()
        : setting.variable();
  }

  /** Puts the dump of a full heap into the data folder, unless an option names another place. */
  static void dumpHeapTo(Path folder) {
    var jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (jvm.getVMOption(HEAP_DUMP).getValue().isEmpty()) {
      // always the same name, because a server that ends again and again would fill the disk
      jvm.setVMOption(HEAP_DUMP, folder.resolve("out-of-memory.hprof").toAbsolutePath().toString());
    }
  }

  static Stockroom start(Path folder, Settings settings) {
    dumpHeapTo(folder);
    try {
      return Stockroom.start(folder, settings);
    } catch (RuntimeException failure) {
      throw CommandException.failed(reason(failure), failure);
    }
  }

  /**
   * How to become the first operator; null if an operator exists.
   *
   * @param isShown returns the link itself, for a person at a terminal; otherwise the file with it
   */
  static @Nullable String firstOperator(Stockroom server, boolean isShown) {
    try {
      return isShown
          ? server.firstOperatorLink()
          : Objects.toString(server.firstOperatorFile(), null);
    } catch (SQLException failure) {
      server.close();
      throw CommandException.failed(reason(failure), failure);
    }
  }

  /** Stops the server cleanly when the process exits. */
  static void closeAtEnd(Stockroom server) {
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
  }

  /** Waits until the process is stopped. */
  static void untilStopped() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Our own messages say what to do; those of libraries rarely do. */
  private static boolean isOwn(Throwable failure) {
    return failure.getClass().getName().startsWith("io.stockroom.")
        || (failure.getStackTrace().length > 0
            && failure.getStackTrace()[0].getClassName().startsWith("io.stockroom."));
  }

  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return "The server cannot listen on this address or port (%s). Choose another with --port, --set address=… or --set admin.address=…."
            .formatted(cause.getMessage());
      }
      if (cause instanceof SQLException) {
        return "The database cannot be used: " + cause.getMessage();
      }
    }
    Throwable root = failure;
    while (root.getCause() != null && !isOwn(root)) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
