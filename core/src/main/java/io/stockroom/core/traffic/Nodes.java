package io.stockroom.core.traffic;

import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The servers of the marketplace, and their imports. */
public final class Nodes {
  /**
   * One server.
   *
   * @param silentFor the time since its last report; a server reports every five seconds
   * @param waiting the number of callers that wait for a free connection
   */
  public record Node(
      String name,
      String version,
      Instant startedAt,
      Duration silentFor,
      int connections,
      int inUse,
      int waiting,
      long heartbeatMicros) {
    private static Node read(ResultSet row) throws SQLException {
      return new Node(
          row.getString("name"),
          row.getString("version"),
          Sql.instant(row, "started_at"),
          Duration.ofMillis(Math.max(0, (long) (row.getDouble("silent") * 1000))),
          row.getInt("connections"),
          row.getInt("connections_in_use"),
          row.getInt("callers_waiting"),
          row.getLong("heartbeat_micros"));
    }

    private static final Duration SOON = Duration.ofSeconds(20);

    public boolean isThere() {
      return silentFor.compareTo(SOON) < 0;
    }

    public double heartbeatMillis() {
      return heartbeatMicros / 1000.0;
    }
  }

  /** A running or waiting import. */
  public record Job(
      int importId, int merchantId, String merchant, String state, long done, long total) {
    private static Job read(ResultSet row) throws SQLException {
      return new Job(
          row.getInt("import_id"),
          row.getInt("merchant_id"),
          "",
          row.getString("state"),
          row.getLong("done"),
          row.getLong("total"));
    }

    private Job named(String name) {
      return new Job(importId, merchantId, name, state, done, total);
    }
  }

  private static final int MAX_IMPORTS = 20;

  private static final Sql RECENT =
      Sql.of(
          """
          select name, version, started_at,
            extract(epoch from clock_timestamp() - seen_at) as silent, connections,
            connections_in_use, callers_waiting, heartbeat_micros
          from node
          where seen_at > clock_timestamp() - interval '1 hour'
          order by started_at, name
          """);

  private static final Sql OPEN_IMPORTS =
      Sql.of(
          """
          select import_id, merchant_id, state, done, total from import
          where state in ('waiting', 'planning', 'applying') and %s
          order by import_id limit 20
          """
              .formatted(AbsentMerchants.PRESENT));

  private final Cells cells;

  public Nodes(Cells cells) {
    this.cells = cells;
  }

  /** Servers that reported within the last hour, oldest first. */
  public List<Node> all() throws SQLException {
    return cells.directory().read(connection -> RECENT.on(connection).list(Node::read));
  }

  /** Unfinished imports, oldest first; at most 20. */
  public List<Job> imports() throws SQLException {
    List<Job> jobs =
        cells.list(connection -> OPEN_IMPORTS.on(connection).list(Job::read)).stream()
            .sorted(Comparator.comparingInt(Job::importId))
            .limit(MAX_IMPORTS)
            .toList();
    List<Integer> merchantIds = jobs.stream().map(Job::merchantId).toList();
    Map<Integer, String> names =
        cells.directory().read(connection -> CallerNames.merchants(connection, merchantIds));
    return jobs.stream().map(job -> job.named(names.getOrDefault(job.merchantId, ""))).toList();
  }
}
