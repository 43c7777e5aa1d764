package io.stockroom.core.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.stockroom.core.traffic.Traffic;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Counts and times the calls that were answered, and offers them to the request log. */
final class CallRecorder {
  private record Outcome(String path, int status) {}

  private final Traffic traffic;
  private final MeterRegistry meters;
  private final Map<Outcome, Timer> timers = new ConcurrentHashMap<>();

  CallRecorder(Traffic traffic, MeterRegistry meters) {
    this.traffic = traffic;
    this.meters = meters;
  }

  void record(Exchange exchange, Supplier<Exchange.Content> content) {
    timers
        .computeIfAbsent(new Outcome(exchange.endpoint(), exchange.status()), this::timer)
        .record(Duration.ofNanos(exchange.nanos()));
    traffic.note(exchange, content);
  }

  private Timer timer(Outcome outcome) {
    return Timer.builder("stockroom.requests")
        .description("Requests of the interface by address and status")
        .tag("path", outcome.path())
        .tag("status", Integer.toString(outcome.status()))
        .publishPercentileHistogram()
        .register(meters);
  }
}
