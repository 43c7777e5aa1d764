package io.stockroom.client;

import java.time.Duration;

/** How the client sleeps; tests count the sleeps instead. */
@FunctionalInterface
interface Sleeper {
  Sleeper SLEEP = duration -> Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);

  void of(Duration duration) throws InterruptedException;
}
