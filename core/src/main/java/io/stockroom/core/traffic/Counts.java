package io.stockroom.core.traffic;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Counts calls by minute and outcome; a flush adds the counts to the table in one statement. */
final class Counts {
  /** Bounds the memory used while the database is unavailable. */
  private static final int MAX_SUMS = 50_000;

  private static final int SECONDS = 60;

  private static final Sql ADD =
      Sql.of(
          """
          insert into traffic as t
            (merchant_id, at, application_id, endpoint, status, code,
             calls, unlogged, micros, longest_micros, buckets)
          select merchant_id, at, application_id, endpoint, status, code,
            calls, unlogged, micros, longest_micros, buckets::bigint[]
          from unnest(:merchantIds::int[], :times::timestamptz[], :applicationIds::int[],
              :endpoints::text[], :statuses::int[], :codes::text[], :calls::bigint[],
              :unlogged::bigint[], :micros::bigint[], :longest::bigint[], :buckets::text[])
            as n (merchant_id, at, application_id, endpoint, status, code,
              calls, unlogged, micros, longest_micros, buckets)
          """
              + TrafficTable.ADD);

  private record Key(
      long minute, int merchantId, int applicationId, String endpoint, int status, String code) {}

  private record Counted(Key key, Sum sum) {}

  /** Accessed only inside {@code compute}, which admits one thread per key. */
  private static final class Sum {
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

    private void add(Sum other) {
      calls += other.calls;
      unlogged += other.unlogged;
      micros += other.micros;
      longestMicros = Math.max(longestMicros, other.longestMicros);
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] += other.buckets[i];
      }
    }

    /** The buckets as a PostgreSQL array, without trailing zeros. */
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

  private final Cells cells;
  private final ConcurrentHashMap<Key, Sum> sums = new ConcurrentHashMap<>();

  Counts(Cells cells) {
    this.cells = cells;
  }

  /** Counts a call for the whole server, and for its merchant if that is known. */
  void add(Exchange exchange, long millis, boolean logged) {
    long minute = Math.floorDiv(millis, SECONDS * 1000L);
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
    if (sums.size() >= MAX_SUMS && !sums.containsKey(key)) {
      return;
    }
    sums.compute(
        key,
        (_, known) -> {
          Sum sum = known == null ? new Sum() : known;
          sum.add(micros, logged);
          return sum;
        });
  }

  /** Adds the counts to the table; if that fails, keeps them for the next flush. */
  void flush() throws SQLException {
    List<Counted> taken = new ArrayList<>();
    for (Key key : sums.keySet()) {
      Sum sum = sums.remove(key);
      if (sum != null) {
        taken.add(new Counted(key, sum));
      }
    }
    if (taken.isEmpty()) {
      return;
    }
    // all nodes write rows in the same order, so they cannot deadlock
    taken.sort(
        Comparator.comparing(
            counted -> counted.key,
            Comparator.comparingInt(Key::merchantId)
                .thenComparingLong(Key::minute)
                .thenComparingInt(Key::applicationId)
                .thenComparing(Key::endpoint)
                .thenComparingInt(Key::status)
                .thenComparing(Key::code)));
    Set<Integer> written = new HashSet<>();
    try {
      cells.each(
          taken.stream().map(counted -> counted.key.merchantId).distinct().toList(),
          (database, merchantIds) -> {
            Set<Integer> ofCell = Set.copyOf(merchantIds);
            write(
                database,
                taken.stream().filter(counted -> ofCell.contains(counted.key.merchantId)).toList());
            written.addAll(ofCell);
          });
    } finally {
      taken.stream()
          .filter(counted -> !written.contains(counted.key.merchantId))
          .forEach(this::putBack);
    }
  }

  private void putBack(Counted counted) {
    sums.compute(
        counted.key,
        (_, known) -> {
          if (known != null) {
            counted.sum.add(known);
          }
          return counted.sum;
        });
  }

  private static int write(Database database, List<Counted> taken) throws SQLException {
    return database.write(
        connection ->
            ADD.on(connection)
                .set("merchantIds", ints(taken, c -> c.key.merchantId))
                .set("times", texts(taken, c -> time(c.key)))
                .set("applicationIds", ints(taken, c -> c.key.applicationId))
                .set("endpoints", texts(taken, c -> c.key.endpoint))
                .set("statuses", ints(taken, c -> c.key.status))
                .set("codes", texts(taken, c -> c.key.code))
                .set("calls", longs(taken, c -> c.sum.calls))
                .set("unlogged", longs(taken, c -> c.sum.unlogged))
                .set("micros", longs(taken, c -> c.sum.micros))
                .set("longest", longs(taken, c -> c.sum.longestMicros))
                .set("buckets", texts(taken, c -> c.sum.array()))
                .update());
  }

  private static String time(Key key) {
    return Instant.ofEpochSecond(key.minute * SECONDS).toString();
  }

  private static int[] ints(List<Counted> taken, ToIntFunction<Counted> value) {
    return taken.stream().mapToInt(value).toArray();
  }

  private static long[] longs(List<Counted> taken, ToLongFunction<Counted> value) {
    return taken.stream().mapToLong(value).toArray();
  }

  private static String[] texts(List<Counted> taken, Function<Counted, String> value) {
    return taken.stream().map(value).toArray(String[]::new);
  }
}
