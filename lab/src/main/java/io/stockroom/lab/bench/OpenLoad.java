package io.stockroom.lab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Open-loop load: sends each request when it is due, over an idle or a new connection, however many
 * are unanswered. Latency counts from when a request was due. Uses one thread and one selector, to
 * take little CPU from the server.
 */
final class OpenLoad {
  private static final long NANOS = 1_000_000_000L;

  /** A shorter pause is not worth it: waking up takes as long. */
  private static final long MIN_PAUSE_NANOS = 50_000;

  /** How long a steady load runs before it counts. */
  private static final int LEAD_SECONDS = 1;

  /** How long to wait for responses after the last request. */
  private static final long LAST_WAIT_NANOS = 10 * NANOS;

  private final InetSocketAddress address;
  private final int mostConnections;

  OpenLoad(int port, int mostConnections) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.mostConnections = mostConnections;
  }

  /** Sends at a fixed rate for a fixed time, regardless of responses. */
  Outcomes open(List<byte[]> requests, double rate, double seconds) throws IOException {
    try (Run run = new Run(requests, rate, Integer.MAX_VALUE)) {
      return run.go(0, seconds);
    }
  }

  /**
   * Sends at a fixed rate, but a request waits while all connections are in use. Its latency still
   * counts from when it was due, so a stalled server is also charged for the requests that could
   * not be sent (no coordinated omission). Fails unless every response is a success.
   */
  LoadResult paced(List<byte[]> requests, double rate, int seconds) throws IOException {
    return paced(requests, rate, 0, seconds);
  }

  /**
   * As {@link #paced}, without its first second: the connections are new, and a server that was
   * idle wakes up.
   */
  LoadResult steady(List<byte[]> requests, double rate, int seconds) throws IOException {
    return paced(requests, rate, LEAD_SECONDS, seconds);
  }

  private LoadResult paced(List<byte[]> requests, double rate, int leadSeconds, int seconds)
      throws IOException {
    try (Run run = new Run(requests, rate, mostConnections)) {
      Outcomes outcomes = run.go(leadSeconds, seconds);
      if (!outcomes.isFlawless()) {
        throw new BenchException(
            "At %,.0f calls per second, %,d were rejected. %s"
                .formatted(rate, outcomes.rejections().count(), outcomes.faults()));
      }
      Outcomes.Times times = outcomes.successes();
      return new LoadResult(times.count(), outcomes.goodput(), times.millis(50), times.millis(99));
    }
  }

  /** Keeps a fixed number of requests in flight. */
  Outcomes closed(List<byte[]> requests, int together, double seconds) throws IOException {
    try (Run run = new Run(requests, 0, together)) {
      return run.go(0, seconds);
    }
  }

  /** One measurement. */
  private final class Run implements AutoCloseable {
    private final List<byte[]> requests;
    private final double rate;
    private final int mostTogether;
    private final Selector selector = Selector.open();
    private final ArrayDeque<OpenConnection> idle = new ArrayDeque<>();
    private final Outcomes outcomes = new Outcomes();
    private int connections;
    private int together;
    private long countsFrom;

    Run(List<byte[]> requests, double rate, int mostTogether) throws IOException {
      this.requests = requests;
      this.rate = rate;
      this.mostTogether = mostTogether;
    }

    Outcomes go(double leadSeconds, double seconds) throws IOException {
      long start = System.nanoTime();
      long nanos = (long) ((leadSeconds + seconds) * NANOS);
      long total = rate == 0 ? Long.MAX_VALUE : (long) (rate * (leadSeconds + seconds));
      countsFrom = start + (long) (leadSeconds * NANOS);
      outcomes.begin(countsFrom, (long) (seconds * NANOS));
      long next = 0;
      while (next < total && System.nanoTime() - start < nanos) {
        long now = System.nanoTime();
        while (next < total && isDue(next, start, now) && together < mostTogether) {
          send(next, rate == 0 ? now : dueAt(next, start));
          next++;
        }
        boolean waitsForResponses = rate == 0 || next >= total || together >= mostTogether;
        look(waitsForResponses ? NANOS / 100 : dueAt(next, start) - System.nanoTime());
      }
      // due before the end, but a busy machine let this thread run only after it
      while (rate > 0 && next < total && together < mostTogether) {
        send(next, dueAt(next, start));
        next++;
      }
      long end = System.nanoTime();
      while (together > 0 && System.nanoTime() - end < LAST_WAIT_NANOS) {
        look(NANOS / 100);
      }
      outcomes.unanswered(together);
      return outcomes;
    }

    private boolean isDue(long number, long start, long now) {
      return rate == 0 || now - dueAt(number, start) >= 0;
    }

    private long dueAt(long number, long start) {
      return start + (long) (number / rate * NANOS);
    }

    private void send(long number, long due) throws IOException {
      byte[] request = requests.get((int) (number % requests.size()));
      OpenConnection connection = idle.poll();
      if (connection == null) {
        if (connections >= mostConnections) {
          outcomes.notSent();
          return;
        }
        connections++;
        connection = new OpenConnection(selector, address);
      }
      together++;
      outcomes.late(System.nanoTime() - due);
      proceed(connection, connection.begin(request, due));
    }

    private void look(long waitNanos) throws IOException {
      long millis = waitNanos / 1_000_000;
      if (millis > 0) {
        selector.select(millis);
      } else if (selector.selectNow() == 0 && waitNanos > MIN_PAUSE_NANOS) {
        // a selector waits for whole milliseconds
        LockSupport.parkNanos(waitNanos);
        selector.selectNow();
      }
      for (SelectionKey key : selector.selectedKeys()) {
        OpenConnection connection = (OpenConnection) key.attachment();
        boolean wasBusy = connection.isBusy();
        OpenConnection.State state = connection.go();
        if (wasBusy) {
          proceed(connection, state);
        } else if (state == OpenConnection.State.CLOSED) {
          // the server closed an idle connection
          idle.remove(connection);
          connections--;
        }
      }
      selector.selectedKeys().clear();
    }

    private void proceed(OpenConnection connection, OpenConnection.State state) {
      switch (state) {
        case BUSY -> {
          // its response arrives later
        }
        case ANSWERED -> {
          together--;
          count(connection);
          idle.push(connection);
        }
        case ANSWERED_AND_CLOSED -> {
          together--;
          connections--;
          count(connection);
        }
        case CLOSED -> {
          together--;
          connections--;
          outcomes.broken();
        }
      }
    }

    /** A failure counts also during the lead. */
    private void count(OpenConnection answered) {
      if (answered.due() - countsFrom >= 0 || !answered.isSuccess()) {
        outcomes.add(answered);
      }
    }

    @Override
    public void close() throws IOException {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    }
  }
}
