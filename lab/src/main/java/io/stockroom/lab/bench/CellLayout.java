package io.stockroom.lab.bench;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.postgres.DataFolder;
import io.stockroom.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * A node whose merchants are spread evenly over cells: {@code main}, in the directory's database,
 * and others, each in a PostgreSQL of its own.
 */
final class CellLayout implements AutoCloseable {
  private static final Duration MAX_MOVES = Duration.ofMinutes(30);

  private final Machine machine = new Machine(Path.of("/proc"));
  private final ServerUnderTest server;
  private final List<EmbeddedPostgres> cells;
  private final Requests requests;
  private final OperationLoad load;
  private final OpenLoad open;

  private CellLayout(
      ServerUnderTest server,
      List<EmbeddedPostgres> cells,
      Requests requests,
      OperationLoad load,
      OpenLoad open) {
    this.server = server;
    this.cells = cells;
    this.requests = requests;
    this.load = load;
    this.open = open;
  }

  /** Makes the marketplace, or takes the one of an earlier run. */
  static CellLayout start(
      Tools tools, Path root, Path place, DataSet.Size size, int cells, int connections)
      throws IOException, InterruptedException, SQLException {
    BenchFolder folder = BenchFolder.take(place);
    Path stockroom = root.resolve("stockroom");
    DataSet dataSet = new DataSet(tools, stockroom, folder);
    if (dataSet.prepare(size)) {
      for (int cell = 2; cell <= cells; cell++) {
        BenchFolder.delete(data(folder, cell));
      }
    }
    List<EmbeddedPostgres> others = new ArrayList<>();
    for (int cell = 2; cell <= cells; cell++) {
      DataFolder data = DataFolder.open(data(folder, cell));
      data.hold();
      EmbeddedPostgres postgres = EmbeddedPostgres.start(data);
      tools.atEnd(postgres::close);
      others.add(postgres);
    }
    ServerUnderTest server =
        ServerUnderTest.start(tools, stockroom, folder, List.of(), /* leave= */ false);
    Marketplace market = dataSet.open(size, server);
    Path lab = root.resolve("lab");
    CellLayout layout =
        new CellLayout(
            server,
            others,
            new Requests(market, lab.resolve("twins")),
            new OperationLoad(tools, lab, folder.path(), server.port(), connections),
            new OpenLoad(server.port(), connections));
    layout.spread(market);
    // left by an earlier run on the same data
    layout.sql("delete from idempotent_reply", "vacuum analyze", "checkpoint");
    return layout;
  }

  private static Path data(BenchFolder folder, int cell) {
    return folder.path().resolve(name(cell));
  }

  private static String name(int cell) {
    return cell == 1 ? "main" : "cell" + cell;
  }

  /** Adds the cells, and moves merchants to them, unless an earlier run did. */
  private void spread(Marketplace market) throws IOException, InterruptedException, SQLException {
    Map<Integer, String> places = new HashMap<>();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      List<String> known = new ArrayList<>();
      try (ResultSet row = statement.executeQuery("select name from cell")) {
        while (row.next()) {
          known.add(row.getString(1));
        }
      }
      for (int i = 0; i < cells.size(); i++) {
        if (!known.contains(name(i + 2))) {
          DatabaseAddress owner = cells.get(i).roles().owner();
          var _ =
              server.admin(
                  "cells",
                  "{\"name\":\"%s\",\"databaseUrl\":\"%s\",\"databaseUser\":\"%s\",\"databasePassword\":\"%s\"}"
                      .formatted(name(i + 2), owner.jdbcUrl(), owner.user(), owner.password()));
        }
      }
      try (ResultSet row =
          statement.executeQuery(
              "select merchant_id, cell.name from merchant join cell using (cell_id)")) {
        while (row.next()) {
          places.put(row.getInt(1), row.getString(2));
        }
      }
      int moved = 0;
      for (int i = 1; i <= market.merchants(); i++) {
        int merchantId = market.firstMerchantId() + i;
        String cell = name(i % (cells.size() + 1) + 1);
        if (!cell.equals(places.get(merchantId))) {
          var _ =
              server.admin(
                  "merchants/%d/move".formatted(merchantId), "{\"to\":\"%s\"}".formatted(cell));
          moved++;
        }
      }
      if (moved > 0) {
        Bench.say("Moving %d merchants to other cells …".formatted(moved));
        awaitMoves(statement);
      }
    }
  }

  private static void awaitMoves(Statement statement) throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + MAX_MOVES.toNanos();
    while (count(statement, "select count(*) from merchant_move where ended_at is null") > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            "The moves to other cells did not end within " + MAX_MOVES.toMinutes() + " minutes.");
      }
      Thread.sleep(Duration.ofMillis(200));
    }
    if (count(statement, "select count(*) from merchant_move where phase <> 'done'") > 0) {
      throw new BenchException("A merchant could not be moved to its cell.");
    }
  }

  Requests requests() {
    return requests;
  }

  OperationLoad load() {
    return load;
  }

  /** Sends the requests at a fixed rate. */
  OpenLoad open() {
    return open;
  }

  int databases() {
    return cells.size() + 1;
  }

  Usage.Reading reading() throws IOException {
    long[] postgres =
        LongStream.concat(
                LongStream.of(server.postgresPid()),
                cells.stream().mapToLong(EmbeddedPostgres::pid))
            .toArray();
    return Usage.Reading.of(machine, server.pid(), postgres);
  }

  /** A count over all databases. */
  long sum(String sql) throws IOException, SQLException {
    long sum = 0;
    for (int cell = 1; cell <= databases(); cell++) {
      try (Connection connection = connect(cell);
          Statement statement = connection.createStatement()) {
        sum += count(statement, sql);
      }
    }
    return sum;
  }

  /** Runs statements in every database. */
  void sql(String... statements) throws IOException, SQLException {
    for (int cell = 1; cell <= databases(); cell++) {
      try (Connection connection = connect(cell);
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          var _ = statement.execute(sql);
        }
      }
    }
  }

  private Connection connect(int cell) throws IOException, SQLException {
    if (cell == 1) {
      return server.connect();
    }
    DatabaseAddress owner = cells.get(cell - 2).roles().owner();
    return DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
  }

  private static long count(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Stops the node; its databases stop after it, with the program. */
  @Override
  public void close() {
    server.close();
  }
}
