package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;

import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import io.stockroom.server.Stockroom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** {@code stockroom demo}. */
final class DemoCommand {
  private DemoCommand() {}

  static CommandSpec make(Shell shell) {
    return CommandDefinition.local("demo", DemoCommand::run)
        .does(
            "Run a server with a sample marketplace, and print calls to try.",
            "The data stays in the folder data-demo for the next start. The server is a sandbox:"
                + " docs/sandbox.md lists products that always get a certain error.")
        .examples(
            "stockroom demo",
            "stockroom demo --port 9000",
            "stockroom demo --print        # new links and calls, while the demo runs")
        .with(
            option("--port", "PORT", "Port of the interface (default: 8080).").as(Integer.class),
            option("--data", "DIR", "Data folder (default: data-demo next to the program)."),
            flag(
                "--print",
                "Only print new sign-in links and calls, signed for the next 5 minutes."),
            flag("--no-browser", "Do not open the console in a browser."))
        .json("Print address, credentials and calls as JSON.")
        .spec(shell);
  }

  private static int run(Given given) {
    Path named = given.path("--data");
    Path folder = named != null ? named : given.shell().home().resolve("data-demo");
    if (!given.has("--print")) {
      serve(folder, given);
      return 0;
    }
    DemoFile file = DemoFile.read(folder);
    if (!file.renewLinks(folder)) {
      given
          .output()
          .problem(
              "The demo in %s is not running. Start it with: stockroom demo"
                  .formatted(folder.toAbsolutePath().normalize()));
    }
    file.print(given.output(), false, "");
    return 0;
  }

  /** The demo also works if these calls fail. */
  private static void firstCalls(DemoFile file, Output output) {
    try (StockroomClient client = file.connect()) {
      DemoCalls.make(client);
    } catch (StockroomException failure) {
      output.problem("The demo's first calls failed: " + failure.getMessage());
    }
  }

  private static void serve(Path folder, Given given) {
    Shell shell = given.shell();
    boolean fresh = !Files.exists(folder.resolve(DemoFile.NAME));
    if (fresh) {
      given
          .output()
          .problem("Creating a marketplace in " + folder.toAbsolutePath().normalize() + " …");
    }
    Map<String, String> set =
        new LinkedHashMap<>(Map.of("sandbox", "true", "console.require-second-factor", "none"));
    if (given.has("--port")) {
      set.put("port", given.text("--port"));
    }
    Stockroom server = ServerProcess.start(folder, ServerProcess.settings(folder, set, shell));
    DemoFile file;
    try {
      file = DemoFile.seed(folder, server);
    } catch (RuntimeException failure) {
      server.close();
      throw failure;
    }
    // before announcing the server, because the reader may stop it immediately
    ServerProcess.closeAtEnd(server);
    String data = given.has("--data") ? " --data " + given.text("--data") : "";
    file.print(given.output(), true, data);
    if (fresh) {
      firstCalls(file, given.output());
    }
    if (!given.has("--no-browser")) {
      DesktopBrowser.open(shell, file.merchantLink());
    }
    ServerProcess.untilStopped();
  }
}
