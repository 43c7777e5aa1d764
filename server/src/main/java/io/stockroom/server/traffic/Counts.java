package io.stockroom.server.traffic;

import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Counts calls by minute and outcome. A caller only adds to memory; what came together since is
 * added to the table now and then, in one statement.
 */
final class Counts {
  /** Bounds what a database that is long out of reach can leave behind here. */
  private static final int MOST_CELLS = 50_000;

  private static final int SECONDS = 60;

  private record Key(
      long minute, int merchantId, int applicationId, String endpoint, int status, String code) {}

  private record Counted(Key key, Cell cell) {}

  /** Only touched inside {@code compute}, which lets one thread at a time at a key. */
  private static final class Cell {
    private final long[] buckets = new long[Latency.BUCKETS];
    private long calls;
    private long unlogged;
    private long micros;
    private long longestMicros;

    private void add(long took, boolean logged) {
      calls++;
      unlogged += logged ? 0 : 1;
      micros += took;
      longestMicros = Math.max(longestMicros, took);
      buckets[Latency.bucket(took)]++;
    }

    private void add(Cell other) {
      calls += other.calls;
      unlogged += other.unlogged;
      micros += other.micros;
      longestMicros = Math.max(longestMicros, other.longestMicros);
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] += other.buckets[i];
      }
    }

    /** As PostgreSQL writes an array, without the zeros at its end. */
    private String array() {
      int length = buckets.length;
      while (length > 0 && buckets[length - 1] == 0) {
        length--;
      }
      return Arrays.stream(buckets, 0, length)
          .mapToObj(Long::toString)
          .collect(Collectors.joining(",", "{", "}"));
    }
  }

  private final Database database;
  private final Clock clock;
  private final ConcurrentHashMap<Key, Cell> cells = new ConcurrentHashMap<>();

  Counts(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Counts a call for the server as a whole, and for its merchant where that is known. */
  void add(Exchange exchange, boolean logged) {
    long minute = Math.floorDiv(clock.millis(), SECONDS * 1000L);
    long micros = exchange.nanos() / 1000;
    String endpoint = exchange.endpoint();
    int status = exchange.status();
    String code = exchange.code();
    add(new Key(minute, 0, 0, endpoint, status, code), micros, logged);
    if (exchange.merchantId() != 0) {
      int applicationId = exchange.applicationId();
      add(
          new Key(minute, exchange.merchantId(), applicationId, endpoint, status, code),
          micros,
          logged);
    }
  }

  private void add(Key key, long micros, boolean logged) {
    if (cells.size() >= MOST_CELLS && !cells.containsKey(key)) {
      return;
    }
    cells.compute(
        key,
        (_, known) -> {
          Cell cell = known == null ? new Cell() : known;
          cell.add(micros, logged);
          return cell;
        });
  }

  /** Adds what was counted to the table. Where that fails, it is counted on and tried again. */
  void flush() throws SQLException {
    List<Counted> taken = new ArrayList<>();
    for (Key key : cells.keySet()) {
      Cell cell = cells.remove(key);
      if (cell != null) {
        taken.add(new Counted(key, cell));
      }
    }
    if (taken.isEmpty()) {
      return;
    }
    // nodes that write the same rows in the same order wait for each other, and never in a circle
    taken.sort(
        Comparator.comparing(
            counted -> counted.key,
            Comparator.comparingInt(Key::merchantId)
                .thenComparingLong(Key::minute)
                .thenComparingInt(Key::applicationId)
                .thenComparing(Key::endpoint)
                .thenComparingInt(Key::status)
                .thenComparing(Key::code)));
    try {
      write(taken);
    } catch (SQLException | RuntimeException failure) {
      taken.forEach(this::putBack);
      throw failure;
    }
  }

  private void putBack(Counted counted) {
    cells.compute(
        counted.key,
        (_, known) -> {
          if (known != null) {
            counted.cell.add(known);
          }
          return counted.cell;
        });
  }

  private int write(List<Counted> taken) throws SQLException {
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into traffic as t
                    (merchant_id, at, application_id, endpoint, status, code,
                     calls, unlogged, micros, longest_micros, buckets)
                  select merchant_id, at, application_id, endpoint, status, code,
                    calls, unlogged, micros, longest_micros, buckets::bigint[]
                  from unnest(?::int[], ?::timestamptz[], ?::int[], ?::text[], ?::int[], ?::text[],
                    ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[])
                    as n (merchant_id, at, application_id, endpoint, status, code,
                      calls, unlogged, micros, longest_micros, buckets)
                  """
                      + TrafficTable.ADD)) {
            statement.setObject(1, taken.stream().mapToInt(c -> c.key.merchantId).toArray());
            statement.setObject(
                2,
                taken.stream()
                    .map(c -> Instant.ofEpochSecond(c.key.minute * SECONDS).toString())
                    .toArray(String[]::new));
            statement.setObject(3, taken.stream().mapToInt(c -> c.key.applicationId).toArray());
            statement.setObject(4, taken.stream().map(c -> c.key.endpoint).toArray(String[]::new));
            statement.setObject(5, taken.stream().mapToInt(c -> c.key.status).toArray());
            statement.setObject(6, taken.stream().map(c -> c.key.code).toArray(String[]::new));
            statement.setObject(7, taken.stream().mapToLong(c -> c.cell.calls).toArray());
            statement.setObject(8, taken.stream().mapToLong(c -> c.cell.unlogged).toArray());
            statement.setObject(9, taken.stream().mapToLong(c -> c.cell.micros).toArray());
            statement.setObject(10, taken.stream().mapToLong(c -> c.cell.longestMicros).toArray());
            statement.setObject(11, taken.stream().map(c -> c.cell.array()).toArray(String[]::new));
            return statement.executeUpdate();
          }
        });
  }
}
