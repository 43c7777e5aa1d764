package io.stockroom.core.traffic;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Reports the state of this server and its database every few seconds, and exports metrics. */
final class Heartbeat {
  private static final List<String> OPEN_IMPORTS = List.of("waiting", "planning", "applying");

  private static final Sql REPORT =
      Sql.of(
          """
          with gone as (
            delete from node where seen_at < clock_timestamp() - interval '1 day'
          )
          insert into node
            (node_id, name, version, started_at, seen_at, connections,
             connections_in_use, callers_waiting, heartbeat_micros)
          values (:node, :name, :version, :startedAt, clock_timestamp(), :connections,
            :inUse, :waiting, :heartbeatMicros)
          on conflict (node_id) do update
          set seen_at = excluded.seen_at,
              connections_in_use = excluded.connections_in_use,
              callers_waiting = excluded.callers_waiting,
              heartbeat_micros = excluded.heartbeat_micros
          """);

  private static final Sql COUNT_IMPORTS =
      Sql.of(
          """
          select state, count(*) as imports from import
          where state in ('waiting', 'planning', 'applying') group by state
          """);

  private static final Sql LEAVE = Sql.of("delete from node where node_id = :node");

  private final Cells cells;
  private final UUID node = UUID.randomUUID();
  private final String name;
  private final String version;
  private final Instant startedAt;
  private final Map<String, Integer> imports = new ConcurrentHashMap<>();

  Heartbeat(Cells cells, Clock clock, MeterRegistry meters) {
    this.cells = cells;
    this.name = host();
    this.version = version();
    this.startedAt = clock.instant();
    Gauge.builder("stockroom.build", () -> 1)
        .description("Always 1; its labels say what runs")
        .tag("version", version)
        .tag("java", Runtime.version().toString())
        .register(meters);
    for (String state : OPEN_IMPORTS) {
      Gauge.builder("stockroom.imports", imports, map -> map.getOrDefault(state, 0))
          .description("Imports that are not at their end, on all nodes")
          .tag("state", state)
          .register(meters);
    }
  }

  void beat() throws SQLException {
    Database directory = cells.directory();
    Database.PoolUse use = directory.use();
    directory.write(
        connection ->
            REPORT
                .on(connection)
                .set("node", node)
                .set("name", name)
                .set("version", version)
                .set("startedAt", startedAt)
                .set("connections", directory.connections())
                .set("inUse", use.inUse())
                .set("waiting", use.waiting())
                .set("heartbeatMicros", directory.heartbeat().took().toNanos() / 1000)
                .update());
    countImports();
  }

  private void countImports() throws SQLException {
    Map<String, Integer> counted = new ConcurrentHashMap<>();
    cells
        .list(
            connection ->
                COUNT_IMPORTS
                    .on(connection)
                    .list(row -> Map.entry(row.getString("state"), row.getInt("imports"))))
        .forEach(each -> counted.merge(each.getKey(), each.getValue(), Integer::sum));
    imports.keySet().retainAll(counted.keySet());
    imports.putAll(counted);
  }

  /** Removes this server from the list when it stops in an orderly way. */
  void leave() throws SQLException {
    cells.directory().write(connection -> LEAVE.on(connection).set("node", node).update());
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
