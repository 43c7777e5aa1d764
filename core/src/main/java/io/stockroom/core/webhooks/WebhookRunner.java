package io.stockroom.core.webhooks;

import io.stockroom.core.changes.Change;
import io.stockroom.core.changes.ChangeFeed;
import io.stockroom.core.changes.Cursor;
import io.stockroom.core.webhooks.WebhookQueue.Claim;
import io.stockroom.core.webhooks.WebhookQueue.Work;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers changes from this node: several webhooks at a time, each in a thread of its own, which
 * holds no database connection while it waits for the receiver. Receivers that fail and merchants
 * with many webhooks get only a part of the threads, so that they do not hold up the others.
 */
final class WebhookRunner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookRunner.class);

  /** How many changes one message has. */
  static final int MAX_CHANGES = 200;

  /** For retries that are due, and for what a node that died has left; commits wake the runner. */
  private static final int POLL_MILLIS = 1_000;

  private static final int WAKE_MILLIS = 10;
  private static final int RENEW_SECONDS = 2;
  private static final int MAX_AT_ONCE = 64;
  private static final int MAX_RETRIES_AT_ONCE = 32;
  private static final int MAX_PER_MERCHANT = 16;

  /** After so many messages another webhook has its turn. */
  private static final int MAX_MESSAGES = 20;

  private static final int FINISH_SECONDS = 3;
  private static final int ABORT_SECONDS = 2;

  private final WebhookQueue queue;
  private final ChangeFeed feed;
  private final Courier courier;
  private final WebhookSender sender;
  private final Clock clock;
  private final Map<UUID, Claim> running = new ConcurrentHashMap<>();
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("webhooks").factory());
  private final AtomicBoolean woken = new AtomicBoolean();
  private boolean isBroken;
  private volatile boolean closing;

  /** Whether there is an active webhook, according to the last look. */
  private volatile boolean isNeeded = true;

  WebhookRunner(
      WebhookQueue queue, ChangeFeed feed, Courier courier, WebhookSender sender, Clock clock) {
    this.queue = queue;
    this.feed = feed;
    this.courier = courier;
    this.sender = sender;
    this.clock = clock;
    var _ = ticker.scheduleWithFixedDelay(this::poll, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
    var _ = ticker.scheduleWithFixedDelay(this::renew, 0, RENEW_SECONDS, TimeUnit.SECONDS);
  }

  /** A commit of this node changed a merchant; nothing to do while nobody has a webhook. */
  void changed(int merchantId) {
    if (isNeeded) {
      lookSoon();
    }
  }

  /** Looks for work soon, for a webhook that was created or enabled. */
  void wake() {
    isNeeded = true;
    lookSoon();
  }

  /** Instead of at the next poll; many calls at once cost one look. */
  private void lookSoon() {
    if (closing || woken.getAndSet(true)) {
      return;
    }
    try {
      var _ = ticker.schedule(this::claim, WAKE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      log.debug("not woken: the server stops");
    }
  }

  private void renew() {
    List<Claim> claims = List.copyOf(running.values());
    try {
      if (!claims.isEmpty()) {
        queue.renew(claims);
      }
      isNeeded = !claims.isEmpty() || queue.hasActive();
    } catch (SQLException | RuntimeException | Error failure) {
      // claim reports an outage; whatever this is, the next run may succeed
      if (!claims.isEmpty()) {
        log.warn("cannot renew the leases of {} webhooks: {}", claims.size(), failure.getMessage());
      }
    }
  }

  /** Finds what other nodes changed, and retries that are due. */
  private void poll() {
    if (isNeeded) {
      claim();
    }
  }

  private void claim() {
    woken.set(false);
    try {
      while (!closing && running.size() < MAX_AT_ONCE) {
        long retries = running.values().stream().filter(Claim::isRetry).count();
        Claim claim =
            queue.claim(UUID.randomUUID(), clock.instant(), busy(), retries < MAX_RETRIES_AT_ONCE);
        if (claim == null) {
          break;
        }
        start(claim);
      }
      isBroken = false;
    } catch (SQLException | RuntimeException | Error failure) {
      // once for each outage
      if (!isBroken && !closing) {
        log.warn("cannot look for webhooks to deliver: {}", failure.getMessage());
      }
      isBroken = true;
    }
  }

  private void start(Claim claim) {
    running.put(claim.holder(), claim);
    try {
      var _ =
          Thread.ofPlatform()
              .daemon()
              .name("webhook-" + claim.webhookId())
              .start(() -> attempt(claim));
    } catch (OutOfMemoryError noThread) {
      // else its lease would be renewed for ever
      running.remove(claim.holder());
      throw new IllegalStateException("no thread for a delivery", noThread);
    }
  }

  /** Merchants that use all of their threads. */
  private List<Integer> busy() {
    return running.values().stream()
        .collect(Collectors.groupingBy(Claim::merchantId, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(each -> each.getValue() >= MAX_PER_MERCHANT)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void attempt(Claim claim) {
    try {
      deliver(claim);
    } catch (SQLException | RuntimeException failure) {
      // the lease expires, and with it the pause before the next attempt
      log.warn(
          "delivery to {} was interrupted: {}",
          WebhookIds.webhook(claim.webhookId()),
          failure.getMessage());
    } finally {
      running.remove(claim.holder());
      lookSoon();
    }
  }

  private void deliver(Claim claim) throws SQLException {
    for (int messages = 0; messages < MAX_MESSAGES && !closing; messages++) {
      Work work = queue.load(claim);
      if (work == null || !deliver(claim, work)) {
        break;
      }
    }
    queue.release(claim);
  }

  /** Delivers one message; returns whether there may be more. */
  private boolean deliver(Claim claim, Work work) throws SQLException {
    long position = work.position();
    Long batchLast = work.batchLast();
    int limit = batchLast == null ? MAX_CHANGES : (int) (batchLast - position);
    ChangeFeed.Page page = feed.after(claim.merchantId(), position, limit);
    if (page.isExpired(position)) {
      queue.expire(claim);
      return false;
    }
    if (page.changes().isEmpty()) {
      return false;
    }
    long last = page.changes().getLast().number();
    List<Change> wanted =
        page.changes().stream().filter(change -> work.kinds().contains(change.kind())).toList();
    UUID messageId = work.messageId();
    if (messageId == null) {
      if (wanted.isEmpty()) {
        queue.skip(claim, position, last);
        return true;
      }
      messageId = UUID.randomUUID();
      if (!queue.begin(claim, position, last, messageId)) {
        return true;
      }
    }
    WebhookMessage message =
        new WebhookMessage(
            WebhookMessage.CHANGES,
            messageId,
            wanted.getLast().at(),
            claim.merchantId(),
            Cursor.of(page.logId(), last).text(),
            wanted);
    return end(claim, courier.send(work.url(), work.secrets(), message, work.attempts() + 1));
  }

  private boolean end(Claim claim, DeliveryLog.Attempt attempt) throws SQLException {
    if (attempt.outcome().error() == null) {
      return queue.succeed(claim, attempt);
    }
    // close has cut the connection: this was not the receiver's fault
    if (!closing) {
      Instant now = clock.instant();
      queue.fail(
          claim,
          attempt,
          attempt.outcome().isGone(),
          now,
          RetrySchedule.delay(attempt.attempt(), ThreadLocalRandom.current()));
    }
    return false;
  }

  /** Finishes what is being sent, or cuts it off, and leaves the rest to other nodes. */
  @Override
  public void close() {
    closing = true;
    ticker.shutdownNow();
    await(FINISH_SECONDS);
    sender.close();
    await(ABORT_SECONDS);
  }

  private void await(int seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!running.isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
