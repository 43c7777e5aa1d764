package io.stockroom.server.traffic;

import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The servers on this database, and what else an operator looks at first. */
public final class Nodes {
  /**
   * A server.
   *
   * @param silentFor how long it has said nothing; a server says something every five seconds
   * @param waiting callers that wait for a free connection
   */
  public record Node(
      String name,
      String version,
      Instant startedAt,
      Duration silentFor,
      int connections,
      int inUse,
      int waiting,
      long pulseMicros) {
    private static final Duration SOON = Duration.ofSeconds(20);

    public boolean isThere() {
      return silentFor.compareTo(SOON) < 0;
    }

    public double pulseMillis() {
      return pulseMicros / 1000.0;
    }
  }

  /** An import that runs or waits. */
  public record Job(
      int importId, int merchantId, String merchant, String state, long done, long total) {}

  private final Database database;

  public Nodes(Database database) {
    this.database = database;
  }

  /** Servers that were there within the last hour, the oldest first. */
  public List<Node> all() throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      select name, version, started_at,
                        extract(epoch from clock_timestamp() - seen_at) as silent, connections,
                        connections_in_use, callers_waiting, pulse_micros
                      from node
                      where seen_at > clock_timestamp() - interval '1 hour'
                      order by started_at, name
                      """);
              ResultSet row = statement.executeQuery()) {
            List<Node> nodes = new ArrayList<>();
            while (row.next()) {
              nodes.add(
                  new Node(
                      row.getString("name"),
                      row.getString("version"),
                      row.getObject("started_at", OffsetDateTime.class).toInstant(),
                      Duration.ofMillis(Math.max(0, (long) (row.getDouble("silent") * 1000))),
                      row.getInt("connections"),
                      row.getInt("connections_in_use"),
                      row.getInt("callers_waiting"),
                      row.getLong("pulse_micros")));
            }
            return nodes;
          }
        });
  }

  /** Imports that are not at their end, the oldest first; at most 20. */
  public List<Job> imports() throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      select i.import_id, i.merchant_id, m.name as merchant, i.state, i.done, i.total
                      from import i join merchant m using (merchant_id)
                      where i.state in ('waiting', 'planning', 'applying')
                      order by i.import_id limit 20
                      """);
              ResultSet row = statement.executeQuery()) {
            List<Job> jobs = new ArrayList<>();
            while (row.next()) {
              jobs.add(
                  new Job(
                      row.getInt("import_id"),
                      row.getInt("merchant_id"),
                      row.getString("merchant"),
                      row.getString("state"),
                      row.getLong("done"),
                      row.getLong("total")));
            }
            return jobs;
          }
        });
  }
}
