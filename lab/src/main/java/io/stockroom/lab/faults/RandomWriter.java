package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.HttpCalls;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A client that changes one merchant's stock: creates, adjustments with and without idempotency
 * keys, imports. It also counts an entry of its own up, with keys, so that a lost or repeated
 * adjustment shows.
 */
final class RandomWriter {
  private static final List<String> COLORS = List.of("red", "Red", "红", "\ud83d\udc5f", "a b");
  private static final int FIRST_SIZE = 36;
  private static final int SIZES = 5;
  private static final int MAX_STOCK = 50;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Histories.Setup setup;
  private final Supplier<String> url;
  private final Report report;
  private final Random random;
  private final String name = "writer " + System.nanoTime();
  private final Thread thread;
  private int counted;
  private int keys;
  private volatile boolean stopping;

  /** Starts it. */
  RandomWriter(Histories.Setup setup, Supplier<String> url, Report report, Random random) {
    this.setup = setup;
    this.url = url;
    this.report = report;
    this.random = random;
    this.thread = Thread.ofVirtual().start(this::work);
  }

  /** Returns when its last request has its response or has timed out. */
  void stop() {
    stopping = true;
    Await.forEnd(thread);
  }

  private void work() {
    try {
      while (!stopping) {
        switch (random.nextInt(10)) {
          case 0 -> products();
          case 1, 2, 3 -> create();
          case 4, 5 -> count();
          default -> adjust();
        }
      }
      check();
    } catch (RuntimeException failure) {
      report.fault("%s ended: %s".formatted(name, failure));
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
    return "%s-%d".formatted(name.replace(' ', '-'), ++keys);
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
        "[{\"pid\":%d,\"color\":\"%s 0\",\"size\":%d,%s}]".formatted(pid, color(), size(), change);
    if (random.nextBoolean()) {
      var _ = untilKnown("/Stock/Adjust", body, key());
    } else {
      var _ = send("/Stock/Adjust", body, "");
    }
  }

  /** Adds one to the writer's own entry, exactly once. */
  private void count() {
    int pid = setup.pids().getFirst();
    String create = "[{\"color\":\"%s\",\"pid\":%d,\"param\":[{\"size\":\"36\",\"stock\":1}]}]";
    String adjust = "[{\"color\":\"%s\",\"pid\":%d,\"size\":36,\"change\":1}]";
    String path = counted == 0 ? "/Stock/Creat" : "/Stock/Adjust";
    String body = (counted == 0 ? create : adjust).formatted(name, pid);
    counted += untilKnown(path, body, key()).isDone() ? 1 : 0;
  }

  private void check() {
    String found =
        setup
            .database()
            .text(
                "select coalesce(sum(e.quantity), 0) from stock_entry e join stock_color c"
                    + " using (merchant_id, product_id, color_no)"
                    + " where merchant_id = %d and c.color = '%s'"
                        .formatted(setup.merchantId(), name));
    if (!found.equals(Integer.toString(counted))) {
      report.fault("%s counted %d times, and the entry has %s".formatted(name, counted, found));
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
        setup.operator().at(url.get()).imports(setup.merchantId(), "stock.csv", rows.toString());
    note("import", answer, answer.text().contains("\"state\":\"applied\""));
  }

  /** Sends a request with the same key until it is answered. */
  private Answer untilKnown(String path, String body, String key) {
    while (true) {
      Answer answer = send(path, body, key);
      if (!answer.isUnknown() && answer.status() != 429) {
        return answer;
      }
    }
  }

  private Answer send(String path, String body, String key) {
    Answer answer = HttpCalls.call(setup.credentials(), url.get() + path, body, key);
    note(path, answer, answer.isDone());
    return answer;
  }

  private void note(String what, Answer answer, boolean done) {
    if (done) {
      report.counted(1, 0);
    } else if (answer.isUnknown()) {
      report.counted(0, 1);
      Await.pause(PAUSE);
    }
    boolean isExpected = List.of(0, 200, 202, 409, 429, 503).contains(answer.status());
    if (!isExpected) {
      report.fault("%s answered %d: %s".formatted(what, answer.status(), answer.text()));
    }
  }
}
