package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One run of {@code lab/bench}, from preparing the data to printing the table. */
final class Bench {
  private Bench() {}

  static void run(BenchMain options) throws IOException, InterruptedException, SQLException {
    check(options);
    List<Operation> operations = Operation.pick(options.only);
    JsonNode before = options.compare == null ? null : read(options.compare);
    Tools tools = new Tools();
    BenchFolder folder =
        options.marketplace.takeFolder(options.root().resolve("target/bench-data"), tools);
    try {
      measureAll(options, operations, before, tools, folder);
    } catch (IOException | SQLException | RuntimeException failure) {
      if (tools.isClosing()) {
        throw new BenchException("stopped", failure);
      }
      throw failure;
    }
  }

  private static void measureAll(
      BenchMain options,
      List<Operation> operations,
      @Nullable JsonNode before,
      Tools tools,
      BenchFolder folder)
      throws IOException, InterruptedException, SQLException {
    ObjectNode report = measure(options, operations, options.scale, tools, folder);
    write(options, tools, report, "bench.json");
    System.out.print(Table.of(report));
    if (before != null) {
      System.out.print("\n" + Comparison.of(before, report));
    }
    if (options.growth) {
      ObjectNode larger = measure(options, operations, options.scale * 10, tools, folder);
      write(options, tools, larger, "bench-10.json");
      System.out.print("\n" + Table.of(larger) + "\n" + Growth.of(report, larger));
    }
    System.out.println("\nwritten to " + options.out.resolve("bench.json"));
  }

  private static ObjectNode measure(
      BenchMain options, List<Operation> operations, int scale, Tools tools, BenchFolder folder)
      throws IOException, InterruptedException, SQLException {
    Path stockroom = options.root().resolve("stockroom");
    int products = Math.multiplyExact(options.products, scale);
    DataSet.Size size = new DataSet.Size(DataSet.Size.merchants(products), products);
    DataSet dataSet = new DataSet(tools, stockroom, folder);
    say(
        "Making %d merchants with %,d products …"
            .formatted(size.merchants() + 1, size.products() * 2L));
    if (!dataSet.prepare(size)) {
      say("  (reused from an earlier run)");
    }
    say("Starting the server …");
    boolean leaves = options.marketplace.leaves();
    try (ServerUnderTest server =
        ServerUnderTest.start(tools, stockroom, folder, List.of(), leaves)) {
      Marketplace market = dataSet.open(size, server).asking(options.workingSet);
      return new BenchRunner(options, tools, folder, server, market).run(operations, scale);
    }
  }

  private static void check(BenchMain options) {
    if (options.rounds < 1 || options.seconds < 1 || options.connections < 1 || options.scale < 1) {
      throw new BenchException(
          "--rounds, --seconds, --connections and --scale must be at least 1.");
    }
    if (options.workingSet < Marketplace.PAGE_SIZE * Marketplace.GROUP) {
      throw new BenchException(
          "--working-set must be at least %d, one page of products without stock."
              .formatted(Marketplace.PAGE_SIZE * Marketplace.GROUP));
    }
    if (!Files.isReadable(Path.of("/proc/self/stat"))) {
      throw new BenchException("The benchmark reads CPU times from /proc, so it needs Linux.");
    }
    for (String tool : List.of("wrk", "pgbench")) {
      if (!Tools.isThere(tool)) {
        say(
            ("%s is missing (Debian: apt install %s). The bundled tool replaces it; its"
                    + " ratios are not comparable with others.")
                .formatted(tool, tool.equals("wrk") ? "wrk" : "postgresql-contrib"));
      }
    }
  }

  private static JsonNode read(Path file) {
    if (!Files.isReadable(file)) {
      throw new BenchException("Cannot compare: there is no " + file + ".");
    }
    return JsonMapper.shared().readTree(file);
  }

  private static void write(BenchMain options, Tools tools, ObjectNode report, String name)
      throws IOException, InterruptedException {
    Files.createDirectories(options.out);
    String json = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(report);
    Files.writeString(options.out.resolve(name), json + "\n");
    String chart = name.replace("bench", "ratios").replace(".json", ".svg");
    Path svg = options.out.resolve(chart).toAbsolutePath();
    Files.writeString(svg, Chart.of(report));
    if (options.peers) {
      draw(tools, svg, Chart.width(), Chart.height(report));
    }
  }

  /** Turns the chart into a PNG for the docs, if there is a browser. */
  private static void draw(Tools tools, Path svg, int width, int height)
      throws IOException, InterruptedException {
    Optional<String> browser =
        Stream.of("chromium-headless-shell", "chromium").filter(Tools::isThere).findFirst();
    if (browser.isEmpty()) {
      say("No ratios.png: chromium is missing (Debian: apt install chromium-headless-shell).");
      return;
    }
    var _ =
        tools.run(
            List.of(
                browser.get(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--force-device-scale-factor=2",
                "--window-size=%d,%d".formatted(width, height),
                "--screenshot=" + svg.toString().replace(".svg", ".png"),
                svg.toUri().toString()));
  }

  /** Runs at every exit, including Ctrl-C and SIGTERM. */
  static void say(String text) {
    System.err.println(text);
  }
}
