package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Measures one operation after the other on a running server. */
final class BenchRunner {
  private static final int MIN_WARM_UP_SECONDS = 2;

  /** An operation is warm if its CPU time per request fell by no more than this share. */
  private static final double STEADY = 0.05;

  /** An operation is warm if the JVM's compilers use no more than this share of one CPU. */
  static final double MAX_COMPILERS = 0.04;

  /** How often the load driver is warmed up at most before a measurement at half the rate. */
  private static final int MAX_DRIVER_WARM_UPS = 5;

  /** A trial run, whose warm-up is shorter, does not wait for the summaries of products. */
  private static final int MIN_WARM_UP_FOR_SUMMARIES = 10;

  private static final Duration MAX_SUMMARIES = Duration.ofMinutes(3);

  private final BenchMain options;
  private final int reads;
  private final Tools tools;
  private final ServerUnderTest server;
  private final Marketplace market;
  private final Requests requests;
  private final OperationLoad load;
  private final Twin twin;
  private final BenchFolder folder;
  private @Nullable Peer peer;
  private FeedChanges feed = FeedChanges.NONE;
  private final Machine machine = new Machine(Path.of("/proc"));

  BenchRunner(
      BenchMain options,
      Tools tools,
      BenchFolder folder,
      ServerUnderTest server,
      Marketplace market) {
    this.options = options;
    this.reads = OperationLoad.reads(options.seconds);
    this.tools = tools;
    this.server = server;
    this.market = market;
    this.folder = folder;
    this.requests = new Requests(market, options.root().resolve("lab/twins"));
    this.load = loadOn(server.port());
    this.twin =
        Tools.isThere("pgbench") ? new Pgbench(tools, server, folder.path()) : new JdbcTwin(server);
  }

  ObjectNode run(List<Operation> operations, int scale)
      throws IOException, InterruptedException, SQLException {
    ObjectNode report = JsonMapper.shared().createObjectNode();
    report.put("at", Instant.now().toString());
    report.put("commit", commit());
    describe(report, scale);
    // left by an earlier run on the same data
    sql("delete from idempotent_reply");
    removeNew();
    awaitSummaries();
    sql("vacuum analyze", "checkpoint");
    report
        .putObject("idleMemoryBytes")
        .put("server", machine.residentBytes(server.pid()))
        .put("postgres", machine.bytesOfTree(server.postgresPid()));
    feed = FeedChanges.prepare(server, market);
    requests.feed(feed);
    Bench.say("Comparing the twins with what the server sends …");
    List<String> stale = new TwinCheck(server, requests).differences();
    report.put("twinsInStep", stale.isEmpty());
    if (!stale.isEmpty() && !options.allowStaleTwins) {
      throw new BenchException(
          String.join("\n", stale)
              + "To measure anyway, with ratios that mean little: --allow-stale-twins");
    }
    if (options.peers) {
      Bench.say("Filling and starting the peer; comparing its answers …");
      try (Peer started =
          Peer.start(tools, options.root(), folder.path(), server, market.accounts())) {
        peer = started;
        List<String> differences = PeerCheck.differences(requests, server.port(), started.port());
        if (!differences.isEmpty()) {
          throw new BenchException(
              "The peer answers differently.\n" + String.join("\n", differences));
        }
        return measured(operations, report);
      } finally {
        peer = null;
      }
    }
    return measured(operations, report);
  }

  private ObjectNode measured(List<Operation> operations, ObjectNode report)
      throws IOException, InterruptedException, SQLException {
    Bench.say("Warming up …");
    int each = Math.max(leastWarmUp(), options.warmUp / operations.size());
    for (Operation operation : operations) {
      var _ = warmUp(load, operation, each);
      Peer other = peerOf(operation);
      if (other != null) {
        var _ = warmUp(loadOn(other.port()), operation, each);
      }
      tidy(operation);
    }
    boolean noisy = false;
    ArrayNode list = report.putArray("operations");
    for (Operation operation : operations) {
      Bench.say("Measuring " + operation.title() + " …");
      Result result = measure(operation);
      noisy |= result.isNoisy();
      result.write(list);
    }
    report.put("noisy", noisy);
    return report;
  }

  private Result measure(Operation operation)
      throws IOException, InterruptedException, SQLException {
    Peer other = peerOf(operation);
    double expected = warmUpUntilSteady(operation);
    if (other != null) {
      var _ = warmUp(loadOn(other.port()), operation, Math.max(leastWarmUp(), options.seconds / 2));
    }
    List<Result.Round> rounds = new ArrayList<>();
    for (int i = 0; i < options.rounds; i++) {
      tidy(operation);
      Usage.Reading start = reading();
      double twinRate = twin.rate(twins(operation), options.connections, options.seconds);
      Usage twinUsage = start.until(reading());
      tidy(operation);
      List<byte[]> made = OperationLoad.requests(requests, operation, expected, options.seconds);
      long before = successes(operation);
      start = reading();
      LoadResult result = load.run(operation, made, options.seconds);
      Usage usage = start.until(reading());
      long succeeded = successes(operation) - before;
      if (operation.successes() != null && succeeded < result.requests()) {
        throw new BenchException(
            "%1$s: only %3$,d of %2$,d responses were successes."
                .formatted(operation.title(), result.requests(), succeeded));
      }
      tidy(operation);
      LoadResult peerLoad =
          other == null ? null : loadOn(other.port()).run(operation, made, options.seconds);
      rounds.add(new Result.Round(result, usage, twinRate, twinUsage, peerLoad));
    }
    long peerBytes = other == null ? 0 : machine.residentBytes(other.pid());
    long serverBytes = machine.residentBytes(server.pid());
    long postgresBytes = machine.bytesOfTree(server.postgresPid());
    Result result = new Result(operation, rounds, serverBytes, postgresBytes, peerBytes, null);
    tidy(operation);
    if (!operation.pacedToo()) {
      return result;
    }
    return new Result(
        operation,
        rounds,
        serverBytes,
        postgresBytes,
        peerBytes,
        RealTime.measure(tools, () -> measureAtHalf(operation, result)));
  }

  private Result.Paced measureAtHalf(Operation operation, Result full)
      throws IOException, InterruptedException {
    double half = full.median(round -> round.load().rate()) / 2;
    // at ours it would be overloaded, and its latency would say nothing about this machine
    double halfOfTwin = full.median(Result.Round::twinRate) / 2;
    OpenLoad open = new OpenLoad(server.port(), options.connections);
    warmUpDriver(open, operation, half);
    List<Result.PacedRound> rounds = new ArrayList<>();
    for (int i = 0; i < options.rounds; i++) {
      LoadResult twinLoad =
          twin.paced(twins(operation), options.connections, halfOfTwin, options.seconds);
      Usage.Reading start = reading();
      LoadResult load = open.steady(requests.make(operation, reads), half, options.seconds);
      rounds.add(new Result.PacedRound(load, twinLoad, start.until(reading())));
    }
    return new Result.Paced(half, rounds);
  }

  /** Until its own compilers are quiet: it shares the CPUs with the server. */
  private void warmUpDriver(OpenLoad open, Operation operation, double rate) throws IOException {
    long driver = ProcessHandle.current().pid();
    double compilers = 1;
    for (int i = 0; i < MAX_DRIVER_WARM_UPS && compilers >= MAX_COMPILERS; i++) {
      long compiling = machine.compilerTicks(driver);
      var _ = open.paced(requests.make(operation, reads), rate, options.seconds);
      compilers = machine.compilerShare(driver, compiling, options.seconds);
    }
  }

  /** Shorter only if the whole warm-up is short, as in a trial run. */
  private int leastWarmUp() {
    return Math.min(MIN_WARM_UP_SECONDS, options.warmUp / 2);
  }

  private OperationLoad loadOn(int port) {
    return new OperationLoad(
        tools, options.root().resolve("lab"), folder.path(), port, options.connections);
  }

  /** The peer, if it runs and has the operation. */
  private @Nullable Peer peerOf(Operation operation) {
    return operation.isOfPeers() ? peer : null;
  }

  /**
   * Repeats the warm-up while the JVM is still compiling: its compilers are busy, or the server's
   * CPU time per request still falls. Otherwise the operation pays for the compilers. Returns the
   * rate at the end.
   */
  private double warmUpUntilSteady(Operation operation) throws IOException, InterruptedException {
    int seconds = Math.max(leastWarmUp(), options.seconds / 2);
    double before = Double.MAX_VALUE;
    for (int spent = seconds; ; spent += seconds) {
      Usage.Reading start = reading();
      long compiling = machine.compilerTicks(server.pid());
      LoadResult result = warmUp(load, operation, seconds);
      Usage usage = start.until(reading());
      double compilers = machine.compilerShare(server.pid(), compiling, seconds);
      double micros = usage.microsEach(usage.server(), (double) result.requests());
      boolean isSteady = micros > before * (1 - STEADY) && compilers < MAX_COMPILERS;
      if (isSteady || seconds == 0 || spent + seconds > options.warmUp) {
        if (!isSteady) {
          Bench.say(
              "  not warm after %d s: the compilers use %.0f%% of a CPU; a longer --warm-up may show more"
                  .formatted(spent, 100 * compilers));
        }
        return result.rate();
      }
      before = micros;
    }
  }

  private LoadResult warmUp(OperationLoad on, Operation operation, int seconds)
      throws InterruptedException {
    return on.warmUp(requests, operation, seconds, reads);
  }

  /** The operation's success count; 0 if it has none. */
  private long successes(Operation operation) throws IOException, SQLException {
    String count = operation.successes();
    if (count == null) {
      return 0;
    }
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(count)) {
      row.next();
      return row.getLong(1);
    }
  }

  private List<Twin.Weighted> twins(Operation operation) {
    List<Twin.Weighted> weighted = new ArrayList<>();
    for (Operation.Share share : operation.shares()) {
      Operation each = share.operation();
      Map<String, String> variables = new HashMap<>(Variables.texts(each));
      Variables.numbers(market, each, options.connections)
          .forEach((name, value) -> variables.put(name, value.toString()));
      feed.variables().forEach((name, value) -> variables.put(name, value.toString()));
      variables.put("color_name", market.colors().getFirst());
      weighted.add(new Twin.Weighted(requests.twin(each), share.percent(), variables));
    }
    return weighted;
  }

  /**
   * Removes what creates added, so that every measurement starts with the same tables; and waits
   * until what they changed is summarized for the console, which happens at intervals.
   */
  private void tidy(Operation operation) throws IOException, InterruptedException, SQLException {
    if (operation.createsNew()) {
      removeNew();
    }
    if (operation.creates()) {
      awaitSummaries();
      sql("vacuum stock_entry", "vacuum stock_color");
    }
    if (operation.creates() && peer != null) {
      sql("vacuum peer.stock_entry", "vacuum peer.product_color", "vacuum peer.product");
    }
    if (operation.writes()) {
      sql("checkpoint");
    }
  }

  private void awaitSummaries() throws IOException, InterruptedException, SQLException {
    if (options.warmUp >= MIN_WARM_UP_FOR_SUMMARIES) {
      Summaries.await(server, MAX_SUMMARIES);
    }
  }

  private void removeNew() throws IOException, SQLException {
    sql(
        "delete from stock_entry where color_no >= " + Marketplace.COLORS,
        "delete from stock_color where color_no >= " + Marketplace.COLORS);
    if (peer != null) {
      // with their entries
      sql("delete from peer.product_color where position >= " + Marketplace.COLORS);
    }
  }

  private void sql(String... statements) throws IOException, SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private Usage.Reading reading() throws IOException {
    return Usage.Reading.of(machine, server.pid(), server.postgresPid());
  }

  private void describe(ObjectNode report, int scale) {
    report.set("machine", JsonMapper.shared().valueToTree(machine.description()));
    report
        .putObject("settings")
        .put("rounds", options.rounds)
        .put("seconds", options.seconds)
        .put("connections", options.connections)
        .put("scale", scale)
        .put("merchants", market.merchants() + 1)
        .put("products", market.merchants() * market.perMerchant() + market.largeProducts())
        .put("asked", market.merchants() * market.askedPerMerchant() + market.askedOfLarge())
        .put("server", String.join(" ", ServerUnderTest.settings()));
    report
        .putObject("tools")
        .put("load", load.tool())
        .put("twin", twin.tool())
        .put("paced", "the bundled driver");
  }

  private String commit() throws IOException, InterruptedException {
    try {
      String root = options.root().toString();
      String id = tools.run(List.of("git", "-C", root, "rev-parse", "--short=12", "HEAD")).strip();
      boolean changed = !tools.run(List.of("git", "-C", root, "status", "--porcelain")).isBlank();
      return changed ? id + " with changes" : id;
    } catch (IOException | BenchException e) {
      return "unknown";
    }
  }
}
