package io.stockroom.server.traffic;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.server.database.Database;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Says every few seconds that this server is there and how its database does; and measures it. */
final class Heartbeat {
  private static final List<String> OPEN_IMPORTS = List.of("waiting", "planning", "applying");

  private final Database database;
  private final UUID node = UUID.randomUUID();
  private final String name;
  private final String version;
  private final Instant startedAt;
  private final Map<String, Integer> imports = new ConcurrentHashMap<>();

  Heartbeat(Database database, Clock clock, MeterRegistry meters) {
    this.database = database;
    this.name = host();
    this.version = version();
    this.startedAt = clock.instant();
    Gauge.builder("stockroom.build", () -> 1)
        .description("Always 1; its labels say what runs")
        .tag("version", version)
        .tag("java", Runtime.version().toString())
        .register(meters);
    Gauge.builder("stockroom.database.answers", database, d -> d.pulse().answers() ? 1 : 0)
        .description("1 while the database answers, 0 while calls are refused because it does not")
        .register(meters);
    Gauge.builder("stockroom.database.pulse", database, d -> d.pulse().took().toNanos() / 1e9)
        .description("How long the database took for its last sign of life")
        .baseUnit("seconds")
        .register(meters);
    for (String state : OPEN_IMPORTS) {
      Gauge.builder("stockroom.imports", imports, map -> map.getOrDefault(state, 0))
          .description("Imports that are not at their end, on all nodes")
          .tag("state", state)
          .register(meters);
    }
  }

  void beat() throws SQLException {
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  with gone as (
                    delete from node where seen_at < clock_timestamp() - interval '1 day'
                  )
                  insert into node
                    (node_id, name, version, started_at, seen_at, connections,
                     connections_in_use, callers_waiting, pulse_micros)
                  values (?, ?, ?, ?, clock_timestamp(), ?, ?, ?, ?)
                  on conflict (node_id) do update
                  set seen_at = excluded.seen_at,
                      connections_in_use = excluded.connections_in_use,
                      callers_waiting = excluded.callers_waiting,
                      pulse_micros = excluded.pulse_micros
                  """)) {
            Database.PoolUse use = database.use();
            statement.setObject(1, node);
            statement.setString(2, name);
            statement.setString(3, version);
            statement.setObject(4, TrafficTable.time(startedAt));
            statement.setInt(5, database.connections());
            // the one that says this is no part of the work
            statement.setInt(6, Math.max(0, use.inUse() - 1));
            statement.setInt(7, use.waiting());
            statement.setLong(8, database.pulse().took().toNanos() / 1000);
            return statement.executeUpdate();
          }
        });
    countImports();
  }

  private void countImports() throws SQLException {
    Map<String, Integer> counted = new ConcurrentHashMap<>();
    database.read(
        connection -> {
          try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      select state, count(*) as imports from import
                      where state in ('waiting', 'planning', 'applying') group by state
                      """);
              ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              counted.put(row.getString("state"), row.getInt("imports"));
            }
            return counted;
          }
        });
    imports.keySet().retainAll(counted.keySet());
    imports.putAll(counted);
  }

  /** A server that stops on purpose is not missed. */
  void leave() throws SQLException {
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement("delete from node where node_id = ?")) {
            statement.setObject(1, node);
            return statement.executeUpdate();
          }
        });
  }

  private static String host() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      host = "unknown";
    }
    return host + ", process " + ProcessHandle.current().pid();
  }

  private static String version() {
    String built = Heartbeat.class.getPackage().getImplementationVersion();
    return built == null ? "development" : built;
  }
}
