package io.stockroom.lab.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs twins over JDBC, for machines without pgbench. */
final class JdbcTwin implements Twin {
  private record Prepared(Script.Statement statement, PreparedStatement sql, List<String> names) {}

  private final ServerUnderTest server;

  JdbcTwin(ServerUnderTest server) {
    this.server = server;
  }

  @Override
  public String tool() {
    return "jdbc";
  }

  @Override
  public double rate(List<Weighted> scripts, int connections, int seconds)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long end = start + seconds * 1_000_000_000L;
    long done = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      List<Future<Long>> running = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        int client = i;
        running.add(threads.submit(() -> client(scripts, client, end)));
      }
      for (Future<Long> each : running) {
        done += each.get();
      }
    } catch (ExecutionException e) {
      throw new BenchException("The twin failed: " + e.getCause(), e);
    }
    return done / ((System.nanoTime() - start) / 1e9);
  }

  private long client(List<Weighted> scripts, int client, long end)
      throws IOException, SQLException {
    SplittableRandom random = new SplittableRandom(client + end);
    int weights = scripts.stream().mapToInt(Weighted::weight).sum();
    Map<String, Long> numbers = new HashMap<>();
    Map<String, String> texts = new HashMap<>();
    Map<Weighted, List<Object>> prepared = new HashMap<>();
    long done = 0;
    try (Connection connection = server.connect()) {
      for (Weighted each : scripts) {
        prepared.put(each, prepare(connection, Script.read(each.script())));
        texts.putAll(each.variables());
      }
      texts.put("client_id", "" + client);
      texts.forEach(
          (name, value) -> {
            if (value.matches("[0-9]+")) {
              numbers.put(name, Long.parseLong(value));
            }
          });
      while (System.nanoTime() - end < 0) {
        int draw = random.nextInt(weights);
        Weighted drawn = scripts.getFirst();
        for (Weighted each : scripts) {
          drawn = each;
          draw -= each.weight();
          if (draw < 0) {
            break;
          }
        }
        for (Object command : prepared.getOrDefault(drawn, List.of())) {
          step(command, numbers, texts, random);
        }
        done++;
      }
    }
    return done;
  }

  private static List<Object> prepare(Connection connection, Script script) throws SQLException {
    List<Object> commands = new ArrayList<>();
    for (Script.Command command : script.commands()) {
      switch (command) {
        case Script.Set set -> commands.add(set);
        case Script.Statement statement ->
            commands.add(
                new Prepared(
                    statement,
                    connection.prepareStatement(statement.withPlaces("?")),
                    statement.variables()));
        case Script.Sent _ -> {}
      }
    }
    return commands;
  }

  private static void step(
      Object command, Map<String, Long> numbers, Map<String, String> texts, SplittableRandom random)
      throws SQLException {
    if (command instanceof Script.Set set) {
      long value = Arithmetic.evaluate(set.expression(), numbers, random);
      numbers.put(set.name(), value);
      texts.put(set.name(), Long.toString(value));
      return;
    }
    if (!(command instanceof Prepared prepared)) {
      throw new IllegalStateException("neither a number nor a statement: " + command);
    }
    for (int i = 0; i < prepared.names.size(); i++) {
      String name = prepared.names.get(i);
      // like pgbench: a text whose type PostgreSQL infers
      prepared.sql.setObject(i + 1, texts.get(name), Types.OTHER);
    }
    if (!prepared.sql.execute()) {
      return;
    }
    try (ResultSet rows = prepared.sql.getResultSet()) {
      ResultSetMetaData columns = rows.getMetaData();
      while (rows.next()) {
        for (int i = 1; prepared.statement.kept() && i <= columns.getColumnCount(); i++) {
          keep(columns.getColumnLabel(i), rows.getString(i), numbers, texts);
        }
      }
    }
  }

  private static void keep(
      String name, String value, Map<String, Long> numbers, Map<String, String> texts) {
    texts.put(name, value);
    if (value != null && value.matches("-?[0-9]{1,18}")) {
      numbers.put(name, Long.parseLong(value));
    }
  }
}
