package io.stockroom.core.database;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of a pool and its heartbeat. */
final class DatabaseMeters {
  private DatabaseMeters() {}

  static void registerWaiting(Database database, String name, MeterRegistry meters) {
    Gauge.builder("stockroom.database.waiting", () -> database.use().waiting())
        .description("Callers that wait for a connection to the database")
        .tag("database", name)
        .register(meters);
  }

  static void register(Database database, String name, MeterRegistry meters) {
    Gauge.builder("stockroom.database.answers", database, d -> d.heartbeat().answers() ? 1 : 0)
        .description("1 while the database answers, 0 while calls are rejected because it does not")
        .tag("database", name)
        .register(meters);
    Gauge.builder("stockroom.database.writable", database, d -> d.writeFailure() == null ? 1 : 0)
        .description(
            "0 if a write failed in the last 20 seconds: a full or broken disk, or a standby")
        .tag("database", name)
        .register(meters);
    Gauge.builder(
            "stockroom.database.heartbeat", database, d -> d.heartbeat().took().toNanos() / 1e9)
        .description("How long the database took for its last sign of life")
        .baseUnit("seconds")
        .tag("database", name)
        .register(meters);
  }
}
