package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.lab.bench.Marketplace.Account;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Clients that follow changes, each on its own connection; one thread serves all of them. */
final class WaitingClients implements AutoCloseable {
  private static final Pattern CURSOR = Pattern.compile("\"cursor\":\"([^\"]+)\"");
  private static final Pattern PRODUCT = Pattern.compile("\"pid\":(\\d+)");
  private static final long MAX_WAKE_NANOS = Duration.ofSeconds(10).toNanos();

  private final InetSocketAddress address;
  private final Requests requests;
  private final List<Account> accounts;
  private final Selector selector = Selector.open();
  private final List<Client> clients = new ArrayList<>();
  private final Map<Integer, String> cursors = new HashMap<>();
  private final ByteBuffer read = ByteBuffer.allocate(1 << 16);

  /** One client; {@code merchant} is the place of its account. */
  private static final class Client {
    private final SocketChannel channel;
    private final int merchant;
    private boolean isAnswered;
    private boolean isChanged;

    private Client(SocketChannel channel, int merchant) {
      this.channel = channel;
      this.merchant = merchant;
    }
  }

  WaitingClients(int port, Requests requests, List<Account> accounts) throws IOException {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.requests = requests;
    this.accounts = accounts;
  }

  /** Opens the connections; the clients begin to wait. */
  void open(int count) throws IOException, InterruptedException {
    for (int i = 0; i < count; i++) {
      int merchant = 1 + i % (accounts.size() - 1);
      SocketChannel channel = SocketChannel.open(address);
      channel.configureBlocking(false);
      Client client = new Client(channel, merchant);
      var _ = channel.register(selector, SelectionKey.OP_READ, client);
      clients.add(client);
      ask(client);
      if (i % 10 == 9) {
        // as fast as a real fleet comes, not as an overload
        Thread.sleep(Duration.ofMillis(10));
      }
    }
  }

  /** Lets clients ask again that were answered, until all wait; false if that takes too long. */
  boolean settle(Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() - deadline < 0) {
      poll(500);
      List<Client> answered = clients.stream().filter(client -> client.isAnswered).toList();
      if (answered.isEmpty()) {
        return true;
      }
      for (Client client : answered) {
        ask(client);
      }
    }
    return false;
  }

  long waiting() {
    return clients.stream().filter(client -> !client.isAnswered).count();
  }

  /** Changes the stock of a merchant; returns after how many milliseconds its clients had it. */
  List<Double> change(int merchant) throws IOException {
    String products = call(merchant, "/Stock/Snapshot", "limit=1");
    Matcher product = PRODUCT.matcher(products);
    if (!product.find()) {
      throw new BenchException("A merchant has no stock: " + products);
    }
    byte[] create = requests.setStock(accounts.get(merchant), Integer.parseInt(product.group(1)));
    List<Client> waiting =
        clients.stream().filter(each -> each.merchant == merchant && !each.isAnswered).toList();
    long start = System.nanoTime();
    List<Double> millis = new ArrayList<>();
    try (SocketChannel channel = SocketChannel.open(address)) {
      write(channel, create);
      List<Client> left = new ArrayList<>(waiting);
      while (!left.isEmpty() && System.nanoTime() - start < MAX_WAKE_NANOS) {
        poll(100);
        double passed = (System.nanoTime() - start) / 1e6;
        for (Client client : left) {
          if (client.isChanged) {
            millis.add(passed);
          }
        }
        left.removeIf(client -> client.isAnswered);
      }
    }
    cursors.remove(merchant);
    for (Client client : clients) {
      if (client.isAnswered) {
        ask(client);
      }
    }
    return millis;
  }

  private void ask(Client client) throws IOException {
    String cursor = cursors.get(client.merchant);
    if (cursor == null) {
      cursor = found(CURSOR, call(client.merchant, "/Changes", "after=latest"));
      cursors.put(client.merchant, cursor);
    }
    client.isAnswered = false;
    client.isChanged = false;
    write(
        client.channel,
        requests.form(accounts.get(client.merchant), "/Changes", "wait=25&after=" + cursor));
  }

  /** The response to one call, over a connection of its own. */
  String call(int merchant, String path, String form) throws IOException {
    try (SocketChannel channel = SocketChannel.open(address)) {
      write(channel, requests.form(accounts.get(merchant), path, form));
      StringBuilder answer = new StringBuilder();
      ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
      while (answer.indexOf("]}") < 0 && channel.read(bytes) >= 0) {
        answer.append(UTF_8.decode(bytes.flip()));
        bytes.clear();
      }
      return answer.toString();
    }
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new BenchException("The server answered " + text);
    }
    return matcher.group(1);
  }

  private void poll(int millis) throws IOException {
    var _ =
        selector.select(
            key -> {
              Client client = (Client) key.attachment();
              read.clear();
              try {
                if (client.channel.read(read) < 0) {
                  key.cancel();
                  throw new BenchException("The server closed a connection.");
                }
              } catch (IOException broken) {
                throw new BenchException("A connection broke: " + broken, broken);
              }
              client.isAnswered = true;
              client.isChanged = UTF_8.decode(read.flip()).toString().contains("\"number\"");
            },
            millis);
  }

  private static void write(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      var _ = channel.write(rest);
    }
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.channel.close();
    }
    selector.close();
  }
}
