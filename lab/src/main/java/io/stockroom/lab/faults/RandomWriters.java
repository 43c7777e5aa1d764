package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.console.people.Sessions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Clients that change one merchant's stock in every way: creates, adjustments with and without
 * idempotency keys, imports, saves of the console's grid, and undos. Each writer also counts an
 * entry of its own up, with keys, so that a lost or repeated adjustment shows.
 */
final class RandomWriters {
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> COLORS = List.of("red", "Red", "红", "\ud83d\udc5f", "a b");
  private static final int FIRST_SIZE = 36;
  private static final int SIZES = 5;
  private static final int MAX_STOCK = 50;
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration OLDEST = Duration.ofHours(11);

  private final Convergence.Setup setup;
  private final Supplier<String> url;
  private final Report report;
  private final List<Thread> threads = new ArrayList<>();

  /** The server identifies a create without a key by its second. */
  private final AtomicLong seconds = new AtomicLong(Instant.now().minus(OLDEST).getEpochSecond());

  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private volatile boolean stopping;

  private RandomWriters(Convergence.Setup setup, Supplier<String> url, Report report) {
    this.setup = setup;
    this.url = url;
    this.report = report;
  }

  static RandomWriters start(
      Convergence.Setup setup, int count, Random random, Supplier<String> url, Report report) {
    RandomWriters writers = new RandomWriters(setup, url, report);
    for (int i = 0; i < count; i++) {
      Writer writer = writers.new Writer(i, new Random(random.nextLong()));
      writers.threads.add(Thread.ofVirtual().start(writer::work));
    }
    return writers;
  }

  /** Returns when every request has its response or has timed out. */
  void stop() {
    stopping = true;
    threads.forEach(Await::forEnd);
    report.counted(acknowledged.get(), unknown.get());
  }

  private final class Writer {
    private final int number;
    private final Random random;
    private final String ownColor;
    private int counted;
    private int keys;
    private int changedPid;
    private long changed;

    private Writer(int number, Random random) {
      this.number = number;
      this.random = random;
      this.ownColor = "writer " + number;
    }

    private void work() {
      try {
        while (!stopping) {
          switch (random.nextInt(20)) {
            case 0 -> products();
            case 1, 2 -> grid();
            case 3, 4 -> undo();
            case 5, 6, 7, 8, 9 -> create();
            case 10, 11, 12 -> count();
            default -> adjust();
          }
        }
        check();
      } catch (SQLException | RuntimeException failure) {
        report.fault("writer %d ended: %s".formatted(number, failure));
      }
    }

    private int pid() {
      return setup.pids().get(random.nextInt(setup.pids().size()));
    }

    private String color() {
      return COLORS.get(random.nextInt(COLORS.size()));
    }

    private int size() {
      return FIRST_SIZE + random.nextInt(SIZES);
    }

    private String key() {
      return "writer-%d-%d".formatted(number, ++keys);
    }

    private void create() {
      StringBuilder body = new StringBuilder("[");
      for (int i = random.nextInt(3); i >= 0; i--) {
        int first = size();
        body.append(body.length() > 1 ? "," : "")
            .append("{\"color\":\"%s %d\",\"pid\":%d,".formatted(color(), i, pid()))
            .append("\"param\":[{\"size\":\"%d-%d\",".formatted(first, first + random.nextInt(3)))
            .append("\"stock\":%d}]}".formatted(random.nextInt(MAX_STOCK)));
      }
      if (random.nextBoolean()) {
        var _ = untilKnown("/Stock/Creat", body.append(']').toString(), key());
      } else {
        var _ = send("/Stock/Creat", body.append(']').toString(), "");
      }
    }

    private void adjust() {
      String change =
          random.nextInt(3) == 0
              ? "\"set\":" + random.nextInt(MAX_STOCK)
              : "\"change\":" + (random.nextInt(3) == 0 ? 1 : -1) * (1 + random.nextInt(4));
      int pid = pid();
      String body =
          "[{\"pid\":%d,\"color\":\"%s 0\",\"size\":%d,%s}]"
              .formatted(pid, color(), size(), change);
      boolean isKeyed = random.nextBoolean();
      String key = key();
      Answer answer =
          isKeyed ? untilKnown("/Stock/Adjust", body, key) : send("/Stock/Adjust", body, "");
      if (isDone(answer)) {
        JsonNode done = JSON.readTree(answer.text());
        JsonNode entry = done.get("entries").get(0);
        // without a difference the number is that of another change
        if (entry.get("before").asInt() != entry.get("after").asInt()) {
          changed = done.get("number").asLong();
          changedPid = pid;
        }
      }
      if (isKeyed && random.nextInt(4) == 0) {
        Answer again = untilKnown("/Stock/Adjust", body, key);
        if (!again.text().equals(answer.text())) {
          report.fault("key %s: %s, then %s".formatted(key, answer.text(), again.text()));
        }
      }
    }

    /** Adds one to the writer's own entry, exactly once. */
    private void count() {
      int pid = setup.pids().get(number % setup.pids().size());
      if (counted == 0) {
        String body =
            "[{\"color\":\"%s\",\"pid\":%d,\"param\":[{\"size\":\"%d\",\"stock\":1}]}]"
                .formatted(ownColor, pid, FIRST_SIZE);
        counted += isDone(untilKnown("/Stock/Creat", body, key())) ? 1 : 0;
        return;
      }
      String body =
          "[{\"pid\":%d,\"color\":\"%s\",\"size\":%d,\"change\":1}]"
              .formatted(pid, ownColor, FIRST_SIZE);
      counted += isDone(untilKnown("/Stock/Adjust", body, key())) ? 1 : 0;
    }

    private void check() throws SQLException {
      String found =
          setup.text(
              "select coalesce(sum(e.quantity), 0) from stock_entry e join stock_color c"
                  + " using (merchant_id, product_id, color_no)"
                  + " where merchant_id = %d and c.color = '%s'"
                      .formatted(setup.merchantId(), ownColor));
      if (!found.equals(Integer.toString(counted))) {
        report.fault(
            "writer %d counted %d times, and the entry has %s".formatted(number, counted, found));
      }
    }

    /** Sets quantities, and sometimes adds a product. */
    private void products() {
      StringBuilder rows = new StringBuilder("artNo,title,price,color,size,stock\n");
      for (int i = 0; i < 5; i++) {
        rows.append(
            "A%d,Shoe,59,imported,%d,%d\n"
                .formatted(random.nextInt(60), size(), random.nextInt(MAX_STOCK)));
      }
      Answer answer =
          setup
              .operator()
              .at(url.get())
              .post(
                  "/admin/merchants/%d/imports?name=stock.csv&apply=true&wait=true"
                      .formatted(setup.merchantId()),
                  rows.toString());
      note("import", answer, answer.text().contains("\"state\":\"applied\""));
    }

    private void grid() throws SQLException {
      int pid = pid();
      String color = color() + " 0";
      int size = size();
      String found =
          setup.text(
              "select e.quantity from stock_entry e join stock_color c"
                  + " using (merchant_id, product_id, color_no)"
                  + " where merchant_id = %d and product_id = %d and c.color = '%s' and size_text = '%d'"
                      .formatted(setup.merchantId(), pid, color, size));
      String cell =
          "[{\"color\":\"%s\",\"size\":%d,\"quantity\":[%s,%d]}]"
              .formatted(color, size, found.isEmpty() ? "null" : found, random.nextInt(MAX_STOCK));
      console("/console/products/%d/stock".formatted(pid), HttpCalls.JSON, cell);
    }

    private void undo() {
      if (changed > 0) {
        console(
            "/console/products/%d/stock/history/%d/undo?others=%s"
                .formatted(changedPid, changed, random.nextBoolean() ? "overwrite" : "leave"),
            HttpCalls.FORM,
            "");
      }
    }

    private void console(String path, String type, String body) {
      String node = url.get();
      Map<String, String> headers =
          Map.of(
              "Origin",
              node,
              "Cookie",
              "stockroom-session=" + setup.session(),
              "Form-Token",
              Sessions.formToken(setup.session()),
              "Stockroom-Request",
              "fetch");
      Answer answer = HttpCalls.post(node + path, headers, type, body);
      note(path, answer, answer.status() == 200);
    }

    /** Sends a request with the same key until it is answered. */
    private Answer untilKnown(String path, String body, String key) {
      while (true) {
        Answer answer = send(path, body, key);
        if (answer.status() != 0 && answer.status() < 500 && answer.status() != 429) {
          return answer;
        }
      }
    }

    private Answer send(String path, String body, String key) {
      Credentials credentials = setup.credentials();
      Instant at = key.isEmpty() ? Instant.ofEpochSecond(seconds.incrementAndGet()) : Instant.now();
      Map<String, String> headers = new HashMap<>(credentials.headers(at));
      if (!key.isEmpty()) {
        headers.put("Idempotency-Key", key);
      }
      Answer answer = HttpCalls.post(url.get() + path, headers, HttpCalls.JSON, body);
      note(path, answer, isDone(answer));
      return answer;
    }

    private static boolean isDone(Answer answer) {
      return answer.status() == 200 && answer.text().startsWith("{\"success\":true");
    }

    private void note(String what, Answer answer, boolean done) {
      if (done) {
        acknowledged.incrementAndGet();
      } else if (answer.status() == 0 || answer.status() >= 500 || answer.status() == 202) {
        unknown.incrementAndGet();
        Await.pause(PAUSE);
      }
      boolean isExpected = List.of(0, 200, 202, 409, 429, 503).contains(answer.status());
      if (!isExpected) {
        report.fault("%s answered %d: %s".formatted(what, answer.status(), answer.text()));
      }
    }
  }
}
