package io.stockroom.lab.faults;

import io.stockroom.core.settings.SettingsReader;
import io.stockroom.server.Stockroom;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server as a separate process, with the needed part of {@code stockroom serve}. */
@Command(name = "serve")
final class ServeMain implements Runnable {
  @Option(names = "--json")
  private boolean json;

  @Option(names = "--port", required = true)
  private String port = "";

  @Option(names = "--data", required = true)
  private Path data = Path.of("");

  @Option(names = "--set")
  private Map<String, String> settings = new LinkedHashMap<>();

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Commands()).execute(arguments));
  }

  @Command(subcommands = ServeMain.class)
  private static final class Commands {}

  @Override
  public void run() {
    settings.put("port", port);
    Stockroom server =
        Stockroom.start(
            data, SettingsReader.read(data, System.getenv(), settings, System.err::println));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
    System.out.println(json ? "{}" : "ready");
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
