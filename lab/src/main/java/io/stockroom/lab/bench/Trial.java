package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a trial on a small marketplace with a server, without a comparison to the SQL alone. */
abstract class Trial implements Runnable {
  @Option(
      names = "--products",
      paramLabel = "N",
      description =
          "Products that the merchants share (default: 10000, of 100 merchants; with fewer products,"
              + " fewer merchants).")
  int products = 10_000;

  @Mixin final MarketplaceOptions marketplace = new MarketplaceOptions();

  @Option(
      names = "--pin",
      description =
          "Run the server and its PostgreSQL on all CPUs but the last, and the load on the last; needs"
              + " taskset.")
  boolean pin;

  final Path root = Path.of(System.getProperty("stockroom.home", ".")).toAbsolutePath().normalize();

  /** Runs the trial on the running server. */
  abstract void tryOut(ServerUnderTest server, Requests requests)
      throws IOException, InterruptedException, SQLException;

  /** How many merchants share the products. */
  int merchants() {
    return DataSet.Size.merchants(products);
  }

  /** Rejects invalid options before anything is created. */
  abstract void check();

  /**
   * A program that starts the server, such as {@code env}; none by default.
   *
   * @param folder where it may write files
   */
  List<String> before(Path folder) throws IOException {
    return List.of();
  }

  @Override
  public void run() {
    check();
    Tools tools = new Tools();
    BenchFolder folder = marketplace.takeFolder(root.resolve("target/bench-stage"), tools);
    try {
      List<String> before = new ArrayList<>(pin ? pinned(tools) : List.of());
      Path stockroom = root.resolve("stockroom");
      DataSet.Size size = new DataSet.Size(merchants(), products);
      DataSet dataSet = new DataSet(tools, stockroom, folder);
      if (dataSet.prepare(size)) {
        Bench.say("Created a marketplace; starting the server …");
      }
      before.addAll(before(folder.path()));
      try (ServerUnderTest server =
          ServerUnderTest.start(tools, stockroom, folder, before, marketplace.leaves())) {
        forgetReplies(server);
        tryOut(server, new Requests(dataSet.open(size, server), root.resolve("lab/twins")));
      }
    } catch (IOException | SQLException failure) {
      throw new BenchException("The trial failed: " + failure, failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new BenchException("The trial was stopped.", stopped);
    }
  }

  /** A create of an earlier run may have had the same timestamp. */
  private static void forgetReplies(ServerUnderTest server) throws IOException, SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("delete from idempotent_reply");
    }
  }

  private static List<String> pinned(Tools tools) throws IOException, InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    if (processors < 2 || !Tools.isThere("taskset")) {
      throw new BenchException("--pin needs two CPUs and taskset (Debian: util-linux).");
    }
    String own = Long.toString(ProcessHandle.current().pid());
    var _ = tools.run(List.of("taskset", "-a", "-cp", "" + (processors - 1), own));
    return List.of("taskset", "-c", "0-" + (processors - 2));
  }

  static void main(String name, Runnable program, String[] arguments) {
    CommandLine command = new CommandLine(program);
    command.setExecutionExceptionHandler(
        (failure, _, _) -> {
          if (!(failure instanceof BenchException)) {
            throw failure;
          }
          System.err.println(name + ": " + failure.getMessage());
          return 1;
        });
    System.exit(command.execute(arguments));
  }
}
