package io.stockroom.console.mail;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the mails of the queue from this node, one after the other. */
final class MailRunner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MailRunner.class);

  private static final int POLL_MILLIS = 1_000;
  private static final int FINISH_SECONDS = 3;

  /** The pauses after the first failed attempts; the last one repeats. */
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(4));

  private final MailQueue queue;
  private final MailSender sender;
  private final Clock clock;
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("mail").factory());
  private boolean isBroken;

  MailRunner(MailQueue queue, MailSender sender, Clock clock) {
    this.queue = queue;
    this.sender = sender;
    this.clock = clock;
  }

  void start() {
    var _ =
        ticker.scheduleWithFixedDelay(this::run, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void run() {
    try {
      boolean more = true;
      while (more && !ticker.isShutdown()) {
        more = sendNext();
      }
      isBroken = false;
    } catch (SQLException | RuntimeException failure) {
      // once for each outage
      if (!isBroken && !ticker.isShutdown()) {
        log.warn("cannot look for mails to send: {}", failure.getMessage());
      }
      isBroken = true;
    }
  }

  /** Attempts the next mail that is due; false if there is none. */
  boolean sendNext() throws SQLException {
    MailQueue.Claim claim = queue.claim(clock.instant());
    if (claim == null) {
      return false;
    }
    if (!clock.instant().isBefore(claim.expiresAt())) {
      queue.end(claim, false, "expired before it could be sent", 0, clock.instant());
      return true;
    }
    SendResult result = sender.send(claim.id(), claim.mail(), claim.language(), false);
    Instant now = clock.instant();
    Instant next = now.plus(pause(claim.attempts()));
    if (result.sent() || result.isFinal() || next.isAfter(claim.expiresAt())) {
      queue.end(claim, result.sent(), result.answer(), 1, now);
    } else {
      queue.retryLater(claim, result.answer(), next);
    }
    if (!result.sent()) {
      log.warn("mail {} was not sent: {}", claim.id(), result.answer());
    }
    return true;
  }

  static Duration pause(int attempts) {
    return PAUSES.get(Math.min(attempts, PAUSES.size() - 1));
  }

  /** Finishes the mail that is being sent, or leaves it to the node that takes over its lease. */
  @Override
  public void close() {
    ticker.shutdown();
    try {
      if (!ticker.awaitTermination(FINISH_SECONDS, TimeUnit.SECONDS)) {
        ticker.shutdownNow();
      }
    } catch (InterruptedException stopped) {
      ticker.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
