package io.stockroom.cli;

import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = {
      "Run a server with a sample marketplace, and print calls to try.",
      "The data stays in the folder data-demo for the next start. The server is a sandbox:"
          + " docs/sandbox.md lists products that always get a certain error."
    },
    footer = {
      "  stockroom demo",
      "  stockroom demo --port 9000",
      "  stockroom demo --print        # new links and calls, while the demo runs"
    })
final class DemoCommand implements Runnable {
  private final Shell shell;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port of the interface (default: 8080).")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder (default: data-demo next to the program).")
  private @Nullable Path data;

  @Option(
      names = "--print",
      description = "Only print new sign-in links and calls, signed for the next 5 minutes.")
  private boolean print;

  @Option(names = "--no-browser", description = "Do not open the console in a browser.")
  private boolean noBrowser;

  @Option(names = "--json", description = "Print address, credentials and calls as JSON.")
  private boolean json;

  DemoCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    Path folder = data != null ? data : shell.home().resolve("data-demo");
    if (print) {
      DemoFile file = DemoFile.read(folder);
      if (!file.renewLinks(folder)) {
        shell
            .err()
            .println(
                "The demo in %s is not running. Start it with: stockroom demo"
                    .formatted(folder.toAbsolutePath().normalize()));
      }
      file.print(new Output(shell, json), false, "");
      return;
    }
    serve(folder);
  }

  /** The demo also works if these calls fail. */
  private void firstCalls(DemoFile file) {
    try (StockroomClient client = file.connect()) {
      DemoCalls.make(client);
    } catch (StockroomException failure) {
      shell.err().println("The demo's first calls failed: " + failure.getMessage());
    }
  }

  private void serve(Path folder) {
    boolean fresh = !Files.exists(folder.resolve(DemoFile.NAME));
    if (fresh) {
      shell
          .err()
          .println("Creating a marketplace in " + folder.toAbsolutePath().normalize() + " …");
    }
    Map<String, String> set =
        new LinkedHashMap<>(Map.of("sandbox", "true", "console.require-second-factor", "none"));
    if (port != null) {
      set.put("port", port.toString());
    }
    var server = ServerProcess.start(folder, ServerProcess.settings(folder, set, shell));
    DemoFile file;
    try {
      file = DemoFile.seed(folder, server);
    } catch (RuntimeException failure) {
      server.close();
      throw failure;
    }
    // before announcing the server, because the reader may stop it immediately
    ServerProcess.closeAtEnd(server);
    file.print(new Output(shell, json), true, data == null ? "" : " --data " + data);
    if (fresh) {
      firstCalls(file);
    }
    if (!noBrowser) {
      DesktopBrowser.open(shell, file.merchantLink());
    }
    ServerProcess.untilStopped();
  }
}
