package io.stockroom.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Follows a job of the server until it ends, over restarts of the server.
 *
 * @param path where the job is, in the admin API
 * @param patience how long the server may be unreachable
 * @param lostNow runs when the server becomes unreachable
 * @param givenUp what the user reads if it stays so
 */
record Watch(AdminApi api, String path, Duration patience, Runnable lostNow, String givenUp) {
  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 500;

  /** Returns the ended job; throws if the server stays unreachable. */
  JsonNode follow(JsonNode begun, Predicate<JsonNode> isRunning, Consumer<JsonNode> show) {
    JsonNode job = begun;
    long pause = FIRST_PAUSE_MILLIS;
    show.accept(job);
    while (isRunning.test(job)) {
      Values.pause(pause);
      pause = Math.min(MAX_PAUSE_MILLIS, pause * 2);
      job = next();
      show.accept(job);
    }
    return job;
  }

  private JsonNode next() {
    long lostAtNanos = 0;
    while (true) {
      Optional<JsonNode> answer = api.tryGet(path);
      if (answer.isPresent()) {
        return answer.get();
      }
      if (lostAtNanos == 0) {
        lostAtNanos = System.nanoTime();
        lostNow.run();
      }
      if (System.nanoTime() - lostAtNanos > patience.toNanos()) {
        throw CommandException.failed("The connection to the server is lost. " + givenUp);
      }
      Values.pause(MAX_PAUSE_MILLIS);
    }
  }
}
