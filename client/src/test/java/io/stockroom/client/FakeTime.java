package io.stockroom.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** A clock that advances only when the client sleeps, and the list of these sleeps. */
final class FakeTime extends Clock implements Sleeper {
  private final List<Duration> waits = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_800_000_000);

  List<Duration> waits() {
    return waits;
  }

  /** A client of {@code server} that uses this clock; every random number is {@code chance}. */
  StockroomClientBuilder client(ScriptedServer server, double chance) {
    return client(server.address(), chance);
  }

  StockroomClientBuilder client(String address, double chance) {
    return StockroomClient.builder()
        .address(address)
        .credentials(Credentials.of("app_1", "secret", "srt_token"))
        .clock(this)
        .waiting(this, () -> chance)
        .timeout(Duration.ofSeconds(10));
  }

  void set(Instant instant) {
    now = instant;
  }

  @Override
  public void of(Duration duration) {
    waits.add(duration);
    now = now.plus(duration);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
