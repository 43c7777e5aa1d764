package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.stockroom.client.Credentials;
import io.stockroom.lab.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Many connections that keep the server waiting; each sends a byte a second, if anything. One that
 * the server closes is opened again, so that their number stays constant.
 */
final class SlowClients implements AutoCloseable {
  /** Of a second; in each, one more connection is opened. */
  private static final int PARTS = 500;

  /** More pages of products than the socket buffers hold for a client that does not read. */
  private static final int UNREAD = 12;

  /** What connections send at first, in rotation: the last two kinds send nothing more. */
  private final List<String> firsts;

  private final InetSocketAddress address;
  private final int count;
  private final ArrayDeque<Slow> all = new ArrayDeque<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final Thread dripping;
  private volatile boolean ending;

  private record Slow(SocketChannel channel, int kind) {}

  /** Begins to open the connections. */
  SlowClients(int port, int count, Credentials credentials) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.count = count;
    String header = "POST /Stock/List HTTP/1.1\r\nHost: x\r\nx: ";
    String body = request("/Stock/Creat", "application/json", 1000, credentials) + "[";
    String longBody = request("/Stock/Creat", "application/json", 1_000_000, credentials) + "[";
    String form = "application/x-www-form-urlencoded";
    String unread = request("/Stock/Product", form, 6, credentials) + "page=1";
    this.firsts = List.of(header, body, longBody, unread.repeat(UNREAD), "");
    this.dripping = Thread.ofPlatform().start(this::drip);
  }

  private static String request(String path, String type, int length, Credentials credentials) {
    return "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n"
        .formatted(
            path,
            type,
            length,
            credentials.headers(Instant.now()).entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue() + "\r\n")
                .collect(Collectors.joining()));
  }

  int opened() {
    return opened.get();
  }

  int closed() {
    return closed.get();
  }

  private void drip() {
    for (int part = 1; !ending; part++) {
      long start = System.nanoTime();
      for (int i = Math.ceilDiv(all.size(), PARTS); i > 0; i--) {
        Slow slow = all.remove();
        if (isAlive(slow)) {
          all.add(slow);
        } else {
          closed.incrementAndGet();
          close(slow);
        }
      }
      while (all.size() < Math.min(count, part) && open(opened.get() % firsts.size())) {
        opened.incrementAndGet();
      }
      Await.pause(Duration.ofSeconds(1).dividedBy(PARTS).minusNanos(System.nanoTime() - start));
    }
  }

  private boolean open(int kind) {
    try {
      SocketChannel channel = SocketChannel.open();
      if (kind == firsts.size() - 2) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
      }
      var _ = channel.connect(address);
      channel.configureBlocking(false);
      var _ = channel.write(ByteBuffer.wrap(firsts.get(kind).getBytes(ISO_8859_1)));
      all.add(new Slow(channel, kind));
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  private boolean isAlive(Slow slow) {
    try {
      boolean isUnread = slow.kind == firsts.size() - 2;
      if (!isUnread && slow.channel.read(ByteBuffer.allocate(512)) < 0) {
        return false;
      }
      if (slow.kind < firsts.size() - 2) {
        var _ = slow.channel.write(ByteBuffer.wrap(new byte[] {'a'}));
      }
      return true;
    } catch (IOException gone) {
      return false;
    }
  }

  private static void close(Slow slow) {
    try {
      slow.channel.close();
    } catch (IOException gone) {
      // it is gone either way
    }
  }

  @Override
  public void close() {
    ending = true;
    Await.forEnd(dripping);
    all.forEach(SlowClients::close);
  }
}
