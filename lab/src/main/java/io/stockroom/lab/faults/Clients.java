package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.Laboratory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One client for each merchant; each sends one request after the other until it is stopped. */
final class Clients {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(20);
  private static final Duration SHORT_THINK_TIME = Duration.ofMillis(50);

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final Map<String, Integer> failures = new ConcurrentSkipListMap<>();
  private final AtomicLong since = new AtomicLong(System.nanoTime());
  private final Map<Merchant, Long> lastSuccess = new ConcurrentHashMap<>();

  /** How long each merchant was without a success, until the first one of a later request. */
  private final Map<Merchant, Double> outages = new ConcurrentHashMap<>();

  private final Duration thinkTime;
  private volatile double firstMillis;
  private volatile boolean stopping;

  /** Starts the clients; {@code url} says where the next request goes. */
  Clients(Laboratory laboratory, List<Merchant> merchants, Supplier<String> url) {
    thinkTime = laboratory.brief() ? SHORT_THINK_TIME : Duration.ZERO;
    for (Merchant merchant : merchants) {
      Random own = new Random(laboratory.random().nextLong());
      threads.add(Thread.ofVirtual().start(() -> work(merchant, own, url)));
    }
  }

  /**
   * Leaves requests that were in flight during the fault for the oracle. During an outage, the
   * client retries one request, like a patient program.
   */
  private void work(Merchant merchant, Random random, Supplier<String> url) {
    Intent tried = null;
    boolean down = false;
    while (!stopping) {
      Intent intent = tried;
      if (intent == null) {
        intent = down ? merchant.next(Kind.CREATE) : merchant.next(random);
      }
      long sentAt = System.nanoTime();
      Answer answer = merchant.send(url.get(), intent);
      Outcome outcome = intent.kind().outcome(answer);
      if (outcome == Outcome.ACKNOWLEDGED) {
        succeeded(merchant, sentAt);
        tried = null;
        down = false;
        Await.pause(thinkTime);
        continue;
      }
      failed.incrementAndGet();
      failures.merge(intent.kind() + " " + answer.code(), 1, Integer::sum);
      tried = down && outcome == Outcome.UNKNOWN ? intent : null;
      down = true;
      Await.pause(AFTER_FAILURE);
    }
  }

  private synchronized void succeeded(Merchant merchant, long sentAt) {
    acknowledged.incrementAndGet();
    long now = System.nanoTime();
    Long earlier = lastSuccess.put(merchant, now);
    if (sentAt - since.get() >= 0) {
      long begin = earlier == null ? since.get() : earlier;
      firstMillis = outages.isEmpty() ? (now - since.get()) / 1e6 : firstMillis;
      outages.putIfAbsent(merchant, (now - begin) / 1e6);
    }
  }

  int acknowledged() {
    return acknowledged.get();
  }

  int failed() {
    return failed.get();
  }

  Map<String, Integer> failures() {
    return failures;
  }

  /** Counts successes of requests sent from now on. */
  synchronized void mark() {
    since.set(System.nanoTime());
    outages.clear();
  }

  /** Waits for the first of these successes and returns its time since the mark. */
  double awaitSuccess(Duration limit) {
    Await.until(limit, "a success after the fault", () -> !outages.isEmpty());
    return firstMillis;
  }

  /** Waits until every client has had one; returns the longest time that one was without. */
  double awaitEveryClient(Duration limit) {
    Await.until(limit, "every client's success", () -> outages.size() == threads.size());
    return Collections.max(outages.values());
  }

  void awaitAcknowledged(int count) {
    Await.until(
        Duration.ofSeconds(60), count + " acknowledged requests", () -> acknowledged() >= count);
  }

  /** Returns when every request has its response or has timed out. */
  void stop() {
    stopping = true;
    threads.forEach(Await::forEnd);
  }
}
