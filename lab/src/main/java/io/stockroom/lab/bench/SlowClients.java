package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Many connections that keep the server waiting. Each one is reopened after the server closes it,
 * so that their number stays constant.
 */
final class SlowClients implements AutoCloseable {
  /** Each connection acts once a second; the times are spread evenly. */
  private static final long SECOND_NANOS = 1_000_000_000L;

  private static final int PARTS = 500;

  /** The connections open within this time, spread evenly. */
  private static final int MAX_SECONDS_TO_OPEN = 10;

  private static final int OPENED_PER_SECOND = 500;

  /** More pages of products than the socket buffers hold for a client that does not read. */
  private static final int UNREAD = 12;

  /** What a connection does; assigned in rotation. */
  private enum Kind {
    SLOW_HEADER,
    SLOW_BODY,
    SLOW_LONG_BODY,
    READS_NOTHING,
    IDLE
  }

  private static final List<Kind> KINDS = List.of(Kind.values());

  private final InetSocketAddress address;
  private final int count;
  private final byte[] create;
  private final byte[] longCreate;
  private final byte[] read;
  private final ArrayDeque<Slow> all = new ArrayDeque<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private volatile boolean ending;
  private final Thread dripping = Thread.ofPlatform().unstarted(this::drip);

  private record Slow(SocketChannel channel, Kind kind) {}

  SlowClients(int port, int count, int firstBytes, String create, String read) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.count = count;
    String start = create.substring(0, create.indexOf("\r\n\r\n") + 5);
    this.create = start.getBytes(ISO_8859_1);
    this.longCreate =
        (start.replaceFirst("Content-Length: \\d+", "Content-Length: 1000000")
                + "a".repeat(firstBytes - 1))
            .getBytes(ISO_8859_1);
    this.read = read.getBytes(ISO_8859_1);
  }

  /** Opens the connections in the background. */
  void begin() {
    dripping.start();
  }

  /** How long it takes to open all of them. */
  int secondsToOpen() {
    return Math.clamp(count / OPENED_PER_SECOND, 1, MAX_SECONDS_TO_OPEN);
  }

  int opened() {
    return opened.get();
  }

  int closed() {
    return closed.get();
  }

  int failed() {
    return failed.get();
  }

  int open() {
    return opened.get() - closed.get();
  }

  private Slow open(Kind kind) throws IOException {
    SocketChannel channel = SocketChannel.open();
    if (kind == Kind.READS_NOTHING) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
    }
    var _ = channel.connect(address);
    channel.configureBlocking(false);
    opened.incrementAndGet();
    switch (kind) {
      case SLOW_HEADER ->
          write(channel, "POST /Stock/List HTTP/1.1\r\nHost: x\r\nx: ".getBytes(ISO_8859_1));
      case SLOW_BODY -> write(channel, create);
      case SLOW_LONG_BODY -> write(channel, longCreate);
      case READS_NOTHING -> {
        for (int i = 0; i < UNREAD; i++) {
          write(channel, read);
        }
      }
      case IDLE -> {
        // an idle connection
      }
    }
    return new Slow(channel, kind);
  }

  /** Sends a byte on each connection once a second and replaces closed ones. */
  private void drip() {
    int made = 0;
    for (long part = 1, start = System.nanoTime(); !ending; part++) {
      for (int i = Math.ceilDiv(all.size(), PARTS); i > 0; i--) {
        Slow slow = all.remove();
        all.add(isAlive(slow) ? slow : again(slow));
      }
      long due = Math.min(count, part * count / ((long) secondsToOpen() * PARTS));
      for (; made < due; made++) {
        first(KINDS.get(made % KINDS.size()));
      }
      LockSupport.parkNanos(start + part * SECOND_NANOS / PARTS - System.nanoTime());
    }
  }

  private void first(Kind kind) {
    try {
      all.add(open(kind));
    } catch (IOException failure) {
      failed.incrementAndGet();
    }
  }

  private static boolean isAlive(Slow slow) {
    try {
      boolean reads = slow.kind != Kind.READS_NOTHING;
      if (reads && slow.channel.read(ByteBuffer.allocate(512)) < 0) {
        return false;
      }
      switch (slow.kind) {
        case SLOW_HEADER, SLOW_BODY, SLOW_LONG_BODY -> write(slow.channel, new byte[] {'a'});
        case READS_NOTHING, IDLE -> {
          // sends nothing more
        }
      }
      return true;
    } catch (IOException gone) {
      return false;
    }
  }

  private Slow again(Slow slow) {
    closed.incrementAndGet();
    try {
      slow.channel.close();
      return open(slow.kind);
    } catch (IOException failure) {
      failed.incrementAndGet();
      return slow;
    }
  }

  private static void write(SocketChannel channel, byte[] bytes) throws IOException {
    var _ = channel.write(ByteBuffer.wrap(bytes));
  }

  @Override
  public void close() throws IOException {
    ending = true;
    try {
      dripping.join();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    for (Slow slow : all) {
      slow.channel.close();
    }
  }
}
