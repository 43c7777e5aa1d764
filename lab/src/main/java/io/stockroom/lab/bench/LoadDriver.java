package io.stockroom.lab.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The bundled load driver: sends requests as fast as responses arrive, and checks every one. */
final class LoadDriver {
  private static final long NANOS = 1_000_000_000L;
  private static final String OVERLOADED = "503";

  /** Sends a request again at most so often; then something else is wrong with the server. */
  private static final int MAX_RESENDS = 5_000;

  private final int port;
  private final int connections;
  private final boolean resends;

  LoadDriver(int port, int connections) {
    this(port, connections, false);
  }

  private LoadDriver(int port, int connections, boolean resends) {
    this.port = port;
    this.connections = connections;
    this.resends = resends;
  }

  /** Sends a request again if the server sheds it, as it may while it is being compiled. */
  static LoadDriver resending(int port, int connections) {
    return new LoadDriver(port, connections, true);
  }

  /** Sends each request once, as fast as possible. */
  LoadResult each(List<byte[]> requests) throws InterruptedException {
    return run(requests, requests.size(), Long.MAX_VALUE);
  }

  /** Closed loop: sends requests as fast as responses arrive. */
  LoadResult closed(List<byte[]> requests, boolean once, int seconds) throws InterruptedException {
    return run(requests, once ? requests.size() : Integer.MAX_VALUE, seconds * NANOS);
  }

  private LoadResult run(List<byte[]> requests, int most, long nanos) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicLong start = new AtomicLong();
    // connecting is not measured; pgbench excludes it too
    CyclicBarrier connected = new CyclicBarrier(connections, () -> start.set(System.nanoTime()));
    List<long[]> times = new ArrayList<>();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      List<Future<long[]>> running = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        running.add(
            threads.submit(() -> connection(requests, next, most, connected, start, nanos)));
      }
      for (Future<long[]> each : running) {
        times.add(each.get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof BenchException failure
          ? failure
          : new BenchException("The load failed: " + e.getCause(), e);
    }
    double seconds = (System.nanoTime() - start.get()) / 1e9;
    if (nanos != Long.MAX_VALUE && next.get() >= most) {
      throw new BenchException("All " + most + " requests were sent before the time was up.");
    }
    Latencies latencies = Latencies.of(times);
    return new LoadResult(
        latencies.count(), latencies.count() / seconds, latencies.millis(50), latencies.millis(99));
  }

  private long[] connection(
      List<byte[]> requests,
      AtomicInteger next,
      int most,
      CyclicBarrier connected,
      AtomicLong clock,
      long nanos)
      throws IOException, InterruptedException, BrokenBarrierException {
    long[] times = new long[1024];
    int count = 0;
    try (HttpConnection connection = connect(connected)) {
      long start = clock.get();
      while (System.nanoTime() - start < nanos) {
        int ticket = next.getAndIncrement();
        if (ticket >= most) {
          break;
        }
        long sent = System.nanoTime();
        int left = resends ? MAX_RESENDS : 0;
        while (!connection.send(requests.get(ticket % requests.size()))) {
          if (left-- == 0 || !connection.status().equals(OVERLOADED)) {
            throw new BenchException("The server responded " + connection.answer());
          }
        }
        if (count == times.length) {
          times = java.util.Arrays.copyOf(times, count * 2);
        }
        times[count++] = System.nanoTime() - sent;
      }
    }
    return java.util.Arrays.copyOf(times, count);
  }

  /** Waits for the other connections; if one cannot connect, all stop waiting. */
  private HttpConnection connect(CyclicBarrier connected)
      throws IOException, InterruptedException, BrokenBarrierException {
    HttpConnection connection;
    try {
      connection = new HttpConnection(port);
    } catch (IOException failure) {
      connected.reset();
      throw failure;
    }
    connected.await();
    return connection;
  }
}
