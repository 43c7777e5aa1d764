package io.stockroom.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the rules of one run share: the transport, the create schedule, and the last exchange. */
final class Probe {
  static final String PRODUCTS = "/Stock/Product";
  static final String STOCK = "/Stock/List";
  static final String CREATE = "/Stock/Creat";
  static final String DETAIL = "/Product/Detail";
  static final List<String> PATHS = List.of(PRODUCTS, STOCK, CREATE, DETAIL);

  /** The largest id; no merchant has it. */
  static final int MISSING = Integer.MAX_VALUE;

  private static final Duration MAX_RETRY = Duration.ofSeconds(10);

  private final Target target;
  private final Transport wire;
  private final Seconds seconds;
  private @Nullable Exchange last;
  private @Nullable Exchange detail;

  /** The last second that a create of this run or an earlier one may have been signed for. */
  private long lastCreateSecond;

  private long lastTurnNanos;
  private boolean stocked;

  Probe(Target target, Transport wire, Seconds seconds) {
    this.target = target;
    this.wire = wire;
    this.seconds = seconds;
    this.lastCreateSecond = seconds.now();
    this.lastTurnNanos = System.nanoTime() - target.pace().toNanos();
  }

  Target target() {
    return target;
  }

  /** The first product to write to. */
  int product() {
    return target.products().getFirst();
  }

  long now() {
    return seconds.now();
  }

  @Nullable Exchange last() {
    return last;
  }

  void forget() {
    last = null;
  }

  RequestBuilder ask(String path) {
    return new RequestBuilder(this, path);
  }

  Answer send(Request request) {
    last = new Exchange(request, null);
    Answer answer = wire.send(request);
    last = new Exchange(request, answer);
    return answer;
  }

  Answer products(String form) {
    return ask(PRODUCTS).form(form).send();
  }

  Answer stock(int pid) {
    return ask(STOCK).form("productid=" + pid).send();
  }

  /** Sends a valid create when the rate limit allows it. */
  Answer create(String json) {
    return create(ask(CREATE).json(json));
  }

  Answer create(RequestBuilder ask) {
    awaitTurn();
    Answer answer = retried(ask.at(nextSecond()));
    spent();
    return answer;
  }

  /**
   * Sends an invalid create, which does not count against the rate limit unless the server insists.
   */
  Answer badCreate(String json) {
    return badCreate(ask(CREATE).json(json));
  }

  Answer badCreate(RequestBuilder ask) {
    seconds.await(lastCreateSecond + 1);
    long second = now();
    Answer answer = retried(ask.at(second));
    if (answer.status() != 400) {
      lastCreateSecond = Math.max(lastCreateSecond, second);
    }
    return answer;
  }

  private Answer retried(RequestBuilder ask) {
    Answer answer = ask.send();
    if (answer.status() != 429) {
      return answer;
    }
    Duration wait = target.pace().compareTo(MAX_RETRY) < 0 ? target.pace() : MAX_RETRY;
    park(wait.toNanos());
    spent();
    return ask.at(nextSecond()).send();
  }

  /** Like {@link #nextSeconds}, for one create. */
  long nextSecond() {
    return nextSeconds(1);
  }

  /**
   * The first of {@code count} consecutive seconds that no create was signed for: a create is
   * identified by its second. None is in the future, so a later run finds unused seconds.
   */
  long nextSeconds(int count) {
    seconds.await(lastCreateSecond + count);
    lastCreateSecond = now();
    return lastCreateSecond - count + 1;
  }

  void awaitTurn() {
    park(lastTurnNanos + target.pace().toNanos() - System.nanoTime());
  }

  void spent() {
    lastTurnNanos = System.nanoTime();
  }

  private static void park(long nanos) {
    long end = System.nanoTime() + nanos;
    while (end - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  /** Makes sure, once per run, that the first product has entries to read. */
  void haveStock() {
    if (!stocked) {
      create(Stock.list(Stock.group(product(), Stock.BEFORE, "36-37", quantity()))).succeeds();
      stocked = true;
    }
  }

  /**
   * The detail of the first product, fetched once per run because fetches count against a limit.
   */
  Answer detail() {
    Exchange known = detail;
    if (known == null) {
      haveStock();
      fetchDetail();
      known = last;
      detail = known;
    }
    last = known;
    return known == null || known.answer() == null ? fetchDetail() : known.answer();
  }

  Answer fetchDetail() {
    return ask(DETAIL).form("pid=" + product()).send();
  }

  /** The entries of a product; empty if it has no stock. */
  List<JsonNode> entries(int pid) {
    Answer answer = stock(pid).hasStatus(200);
    return answer.get("success").asBoolean(false) ? answer.data() : List.of();
  }

  /** One entry of a product, which must exist. */
  JsonNode entry(int pid, String color, int size) {
    for (JsonNode entry : entries(pid)) {
      if (entry.path("color").asString("").equals(color)
          && entry.path("size").asString("").equals(Integer.toString(size))) {
        return entry;
      }
    }
    throw new RuleViolation(
        "the stock list has no entry of color %s, size %d".formatted(color, size));
  }

  /** Requires this quantity of an entry. */
  void requireStock(int pid, String color, int size, int quantity) {
    int found = entry(pid, color, size).path("stock").asInt(-1);
    if (found != quantity) {
      throw new RuleViolation(
          "expected %d of color %s, size %d, found %d".formatted(quantity, color, size, found));
    }
  }

  /** The products of the pages that a form asks for, at most {@code most} pages. */
  List<List<JsonNode>> pages(String form, int most) {
    List<List<JsonNode>> pages = new ArrayList<>();
    int total = 1;
    for (int page = 1; page <= Math.min(total, most); page++) {
      Answer answer = products("page=" + page + form).succeeds();
      total = answer.get("totalPages").asInt(0);
      pages.add(answer.data());
    }
    return pages;
  }

  /** A quantity that is unlikely to be left from an earlier run. */
  int quantity() {
    return ThreadLocalRandom.current().nextInt(1, 1_000_000);
  }
}
