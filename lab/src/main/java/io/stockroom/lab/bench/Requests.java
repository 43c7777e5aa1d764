package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.lab.bench.Marketplace.Account;
import io.stockroom.protocol.Signature;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Prepares signed requests. The script of the twin draws their inputs. Every create has a timestamp
 * that its account has never used, because a reused one would get the stored response.
 */
final class Requests {
  /** The tolerance for timestamps; the server is started with it. */
  static final Duration WINDOW = Duration.ofHours(12);

  private static final Duration MARGIN = Duration.ofMinutes(30);

  private final Marketplace market;
  private final Path twins;
  private final SplittableRandom random = new SplittableRandom(20_260_101);
  private final Map<Integer, Long> timestamps = new HashMap<>();
  private final long oldest = Instant.now().minus(WINDOW).plus(MARGIN).getEpochSecond();
  private final long started = Instant.now().getEpochSecond();
  private FeedChanges feed = FeedChanges.NONE;
  private long creates;

  Requests(Marketplace market, Path twins) {
    this.market = market;
    this.twins = twins;
  }

  /** Requests of changes read these. */
  void feed(FeedChanges changes) {
    feed = changes;
  }

  Path twin(Operation operation) {
    return twins.resolve(operation.twin() + ".sql");
  }

  /** Prepares {@code count} requests of the operation, each with new inputs. */
  List<byte[]> make(Operation operation, int count) {
    List<Operation> deck = deck(operation);
    Map<Operation, Script> scripts = new HashMap<>();
    Map<Operation, Map<String, Long>> numbers = new HashMap<>();
    for (Operation each : deck) {
      scripts.computeIfAbsent(each, one -> Script.read(twin(one)));
      numbers.computeIfAbsent(each, one -> Variables.numbers(market, one, 1));
      numbers.get(each).putAll(feed.variables());
    }
    List<byte[]> made = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Operation one = deck.get(random.nextInt(deck.size()));
      Map<String, Long> drawn = numbers.getOrDefault(one, new HashMap<>());
      drawn.put("client_id", 0L);
      drawn.put("counter", creates);
      Script script = scripts.get(one);
      if (script == null) {
        throw new IllegalStateException("no twin of " + one);
      }
      script.draw(drawn, random);
      made.add(request(one, drawn));
    }
    return made;
  }

  private static List<Operation> deck(Operation operation) {
    List<Operation> deck = new ArrayList<>();
    for (Operation.Share share : operation.shares()) {
      for (int i = 0; i < share.percent(); i++) {
        deck.add(share.operation());
      }
    }
    return deck;
  }

  private byte[] request(Operation operation, Map<String, Long> drawn) {
    Account account = market.account(drawn.getOrDefault("merchant", 0L));
    return switch (operation) {
      case PRODUCT_LIST, PRODUCT_LIST_DEEP -> form(account, "/Stock/Product", page(drawn));
      case PRODUCT_LIST_STOCKED -> form(account, "/Stock/Product", page(drawn) + "&stock=true");
      case PRODUCT_LIST_BARE -> form(account, "/Stock/Product", page(drawn) + "&stock=false");
      case STOCK_LIST -> form(account, "/Stock/List", "productid=" + drawn.get("product"));
      case DETAIL -> form(account, "/Product/Detail", "pid=" + drawn.get("product"));
      case CHANGES_1000 ->
          form(
              account,
              "/Changes",
              "limit=1000&after=" + feed.cursor(drawn.getOrDefault("after", 0L)));
      case ADJUST_1 -> adjust(account, drawn);
      case CREATE_1, CREATE_300, CREATE_1500, CREATE_NEW_1, CREATE_NEW_300, CREATE_NEW_1500 ->
          create(account, operation, drawn);
      case MIXED -> throw new IllegalArgumentException("a mix is made of others");
    };
  }

  private static String page(Map<String, Long> drawn) {
    return "page=" + drawn.get("page");
  }

  Marketplace market() {
    return market;
  }

  /** A call with a form, signed with the time at which this was created. */
  byte[] form(Account account, String path, String body) {
    return bytes(account, path, "application/x-www-form-urlencoded", body, started);
  }

  /** A call with JSON, signed with the time at which this was created. */
  byte[] json(Account account, String path, String body) {
    return bytes(account, path, "application/json", body, started);
  }

  /** Sets one entry of a product to a quantity that it did not have. */
  byte[] setStock(Account account, int productId) {
    long timestamp = nextTimestamp(account);
    String body =
        "[{\"pid\":%d,\"color\":\"changing\",\"param\":[{\"size\":\"1\",\"stock\":%d}]}]"
            .formatted(productId, timestamp);
    return bytes(account, "/Stock/Creat", "application/json", body, timestamp);
  }

  /** Without a key, so it may be sent any number of times. */
  private byte[] adjust(Account account, Map<String, Long> drawn) {
    String body =
        "[{\"pid\":%d,\"color\":\"%s\",\"size\":%d,\"change\":1}]"
            .formatted(drawn.get("product"), market.colors().getFirst(), Marketplace.FIRST_SIZE);
    return bytes(account, "/Stock/Adjust", "application/json", body, started);
  }

  private long nextTimestamp(Account account) {
    long timestamp = timestamps.merge(account.merchantId(), oldest, (last, _) -> last + 1);
    if (timestamp > Instant.now().plus(WINDOW).minus(MARGIN).getEpochSecond()) {
      throw new BenchException(
          "One account has used up its timestamps for creates. Measure fewer rounds or"
              + " seconds.");
    }
    return timestamp;
  }

  private byte[] create(Account account, Operation operation, Map<String, Long> drawn) {
    creates++;
    long timestamp = nextTimestamp(account);
    long base = drawn.getOrDefault("base", 0L);
    boolean single = operation.products() == 1;
    String param =
        "\",\"param\":[{\"size\":\"%s\",\"stock\":%d}]}"
            .formatted(
                single
                    ? "" + Marketplace.FIRST_SIZE
                    : Marketplace.FIRST_SIZE
                        + "-"
                        + (Marketplace.FIRST_SIZE + Marketplace.SIZES - 1),
                drawn.get("quantity"));
    StringBuilder body = new StringBuilder("[");
    for (int product = 0; product < operation.products(); product++) {
      for (int color = 0; color < (single ? 1 : Marketplace.COLORS); color++) {
        String name =
            operation.createsNew()
                ? "new " + started + " " + creates + " " + color
                : market.colors().get(color);
        body.append(body.length() == 1 ? "" : ",")
            .append("{\"pid\":")
            .append(base + Variables.offset(product))
            .append(",\"color\":\"")
            .append(name)
            .append(param);
      }
    }
    return bytes(
        account, "/Stock/Creat", "application/json", body.append(']').toString(), timestamp);
  }

  private static byte[] bytes(
      Account account, String path, String contentType, String body, long timestamp) {
    String signed = Long.toString(timestamp);
    byte[] content = body.getBytes(UTF_8);
    String head =
        """
        POST %s HTTP/1.1
        Host: localhost
        appid: %s
        sign: %s
        timestamp: %s
        accesstoken: %s
        Content-Type: %s
        Content-Length: %d

        """
            .formatted(
                path,
                account.appid(),
                Signature.sign(account.secret(), signed),
                signed,
                account.token(),
                contentType,
                content.length)
            .replace("\n", "\r\n");
    byte[] start = head.getBytes(UTF_8);
    byte[] request = new byte[start.length + content.length];
    System.arraycopy(start, 0, request, 0, start.length);
    System.arraycopy(content, 0, request, start.length, content.length);
    return request;
  }
}
