package io.stockroom.lab.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One client for each merchant; each sends one request after the other until it is stopped. */
final class Clients {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(20);

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final Map<String, Integer> failures = new ConcurrentSkipListMap<>();
  private final AtomicLong since = new AtomicLong(System.nanoTime());
  private final AtomicLong firstAfter = new AtomicLong();
  private final Map<Merchant, Long> lastSuccess = new ConcurrentHashMap<>();
  private final Map<Merchant, Long> outages = new ConcurrentHashMap<>();
  private final Duration thinkTime;
  private volatile boolean stopping;

  private Clients(Duration thinkTime) {
    this.thinkTime = thinkTime;
  }

  /**
   * Starts the clients.
   *
   * @param url the URL for the next request
   */
  static Clients start(Laboratory laboratory, List<Merchant> merchants, Supplier<String> url) {
    Random random = laboratory.random();
    Clients clients = new Clients(laboratory.thinkTime());
    for (Merchant merchant : merchants) {
      Random own = new Random(random.nextLong());
      clients.threads.add(Thread.ofVirtual().start(() -> clients.work(merchant, own, url)));
    }
    return clients;
  }

  /**
   * Leaves requests that were in flight during the fault for the oracle. During an outage, the
   * client retries one request, like a patient program.
   */
  private void work(Merchant merchant, Random random, Supplier<String> url) {
    Intent tried = null;
    boolean down = false;
    while (!stopping) {
      Intent intent =
          tried != null ? tried : down ? merchant.next(Kind.CREATE) : merchant.next(random);
      long sentAt = System.nanoTime();
      Answer answer = merchant.send(url.get(), intent);
      Outcome outcome = answer.outcome(intent.kind());
      if (outcome == Outcome.ACKNOWLEDGED) {
        acknowledged.incrementAndGet();
        long now = System.nanoTime();
        Long earlier = lastSuccess.put(merchant, now);
        if (sentAt - since.get() >= 0) {
          firstAfter.compareAndSet(0, now);
          outages.putIfAbsent(merchant, now - (earlier == null ? since.get() : earlier));
        }
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

  int acknowledged() {
    return acknowledged.get();
  }

  int failed() {
    return failed.get();
  }

  /** How often which kind of request failed so far, with its status and code. */
  Map<String, Integer> failures() {
    return new TreeMap<>(failures);
  }

  /** Counts successes of requests sent from now on. */
  long mark() {
    long now = System.nanoTime();
    since.set(now);
    firstAfter.set(0);
    outages.clear();
    return now;
  }

  /** Waits for the first of these successes and returns its time since the mark. */
  long awaitSuccess(Duration limit) {
    Await.until(limit, "a success after the fault", () -> firstAfter.get() != 0);
    return (firstAfter.get() - since.get()) / 1_000_000;
  }

  /**
   * Waits until every client has had such a success, and returns the longest time that one of them
   * was without a success.
   */
  long awaitEveryClient(Duration limit) {
    Await.until(
        limit, "every client's success after the fault", () -> outages.size() == threads.size());
    return Collections.max(outages.values()) / 1_000_000;
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
