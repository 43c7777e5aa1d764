package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.client.Credentials;
import io.stockroom.lab.bench.HttpConnection;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Clients that read and write stock entries on all nodes, and record what they saw. Each product
 * has one entry. One read in eight is a snapshot, which reads all products of its merchant.
 */
final class RegisterClients {
  static final int PRODUCTS = 4;
  private static final int CLIENTS = 20;
  private static final int SNAPSHOT_ONE_IN = 8;
  private static final int WRITE_ONE_IN = 8;
  private static final Duration AFTER_FAILURE = Duration.ofMillis(20);

  /** One merchant whose products A0, A1, … are registers. */
  static final class Shop {
    private final List<RegisterHistory> registers = new ArrayList<>();
    private final List<AtomicInteger> values = new ArrayList<>();
    private final List<byte[]> stockLists = new ArrayList<>();
    private final byte[] snapshot;
    private final String adjustHead;

    Shop(int merchantId, Credentials credentials, List<Integer> products) {
      StringBuilder head = new StringBuilder("Host: localhost\r\n");
      credentials
          .headers(Instant.now())
          .forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
      this.adjustHead = "POST /Stock/Adjust HTTP/1.1\r\n" + head;
      this.snapshot = form("/Stock/Snapshot", head, "limit=" + PRODUCTS);
      for (int product : products) {
        registers.add(new RegisterHistory("product " + product + " of " + merchantId, 0));
        values.add(new AtomicInteger());
        stockLists.add(form("/Stock/List", head, "productid=" + product));
      }
    }

    List<RegisterHistory> registers() {
      return registers;
    }

    private static byte[] form(String path, CharSequence head, String body) {
      return request("POST " + path + " HTTP/1.1\r\n" + head, HttpCalls.FORM, body);
    }

    private byte[] adjust(int product, int value) {
      String body =
          "[{\"artNo\":\"A%d\",\"color\":\"red\",\"size\":36,\"set\":%d}]"
              .formatted(product, value);
      return request(adjustHead, HttpCalls.JSON, body);
    }

    private static byte[] request(String head, String type, String body) {
      return (head
              + "Content-Type: "
              + type
              + "\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body)
          .getBytes(UTF_8);
    }
  }

  private final List<Shop> shops;
  private final List<Server> nodes;
  private final int operations;
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final long origin = System.nanoTime();
  private final List<Thread> threads = new ArrayList<>();

  RegisterClients(List<Shop> shops, List<Server> nodes, int operations) {
    this.shops = shops;
    this.nodes = nodes;
    this.operations = operations;
  }

  RegisterClients start(long seed) {
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      threads.add(Thread.ofVirtual().start(() -> work(random)));
    }
    return this;
  }

  void await() {
    threads.forEach(Await::forEnd);
  }

  /** How many operations succeeded. */
  long done() {
    return reads.sum() + writes.sum();
  }

  boolean isDone() {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  long reads() {
    return reads.sum();
  }

  long writes() {
    return writes.sum();
  }

  /** Writes without a result. */
  long unknown() {
    return unknown.sum();
  }

  long failedReads() {
    return failed.sum();
  }

  private void work(SplittableRandom random) {
    @Nullable HttpConnection[] connections = new HttpConnection[nodes.size()];
    while (done() < operations) {
      Shop shop = shops.get(random.nextInt(shops.size()));
      int product = random.nextInt(PRODUCTS);
      int node = random.nextInt(nodes.size());
      if (random.nextInt(WRITE_ONE_IN) == 0) {
        write(connections, node, shop, product);
      } else {
        read(connections, node, shop, random.nextInt(SNAPSHOT_ONE_IN) == 0 ? -1 : product);
      }
    }
    for (int node = 0; node < connections.length; node++) {
      drop(connections, node);
    }
  }

  private void write(@Nullable HttpConnection[] connections, int node, Shop shop, int product) {
    int value = shop.values.get(product).incrementAndGet();
    byte[] request = shop.adjust(product, value);
    long begin = now();
    String answer = send(connections, node, request);
    boolean isKnown = answer != null;
    shop.registers.get(product).wrote(value, begin, isKnown ? now() : RegisterHistory.UNKNOWN);
    (isKnown ? writes : unknown).increment();
  }

  /** Reads one product, or all if {@code product} is negative. */
  private void read(@Nullable HttpConnection[] connections, int node, Shop shop, int product) {
    long begin = now();
    String answer =
        send(connections, node, product < 0 ? shop.snapshot : shop.stockLists.get(product));
    long end = now();
    if (answer == null) {
      failed.increment();
      return;
    }
    reads.increment();
    int at = 0;
    for (int i = Math.max(0, product); i < (product < 0 ? PRODUCTS : product + 1); i++) {
      at = answer.indexOf("\"stock\":", at) + 8;
      shop.registers
          .get(i)
          .read(Integer.parseInt(answer, at, answer.indexOf('}', at), 10), begin, end);
    }
  }

  private long now() {
    return System.nanoTime() - origin;
  }

  /** The answer if it is a success; else null. */
  private @Nullable String send(@Nullable HttpConnection[] connections, int node, byte[] request) {
    try {
      HttpConnection connection = connections[node];
      if (connection == null) {
        connection = new HttpConnection(nodes.get(node).port());
        connections[node] = connection;
      }
      if (connection.send(request)) {
        return connection.answer();
      }
    } catch (IOException unreachable) {
      // counted by the caller
    }
    drop(connections, node);
    Await.pause(AFTER_FAILURE);
    return null;
  }

  private static void drop(@Nullable HttpConnection[] connections, int node) {
    HttpConnection connection = connections[node];
    connections[node] = null;
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (IOException broken) {
      // it is gone either way
    }
  }
}
