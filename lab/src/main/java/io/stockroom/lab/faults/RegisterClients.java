package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Clients that read and write a few stock entries on all nodes, and record what they saw. Each
 * product has one entry. One read in eight is a snapshot, which reads all of them.
 */
final class RegisterClients {
  private static final int PRODUCTS = 4;
  private static final int CLIENTS = 12;
  private static final int SNAPSHOT_ONE_IN = 8;
  private static final int WRITE_ONE_IN = 8;
  private static final int STALE_ONE_IN = 100;
  private static final Duration BETWEEN = Duration.ofMillis(5);
  private static final Duration AFTER_FAILURE = Duration.ofMillis(20);

  private static final String LINES =
      IntStream.range(0, PRODUCTS)
          .mapToObj(
              i ->
                  """
                  {"artNo":"REG%d","title":"Shoe","price":59,\
                  "skus":[{"color":"red","sizes":[{"size":36,"quantity":0}]}]}
                  """
                      .formatted(i))
          .collect(Collectors.joining());

  private final Credentials credentials;
  private final List<Integer> products;
  private final Supplier<String> url;
  private final List<AtomicInteger> values = new ArrayList<>();
  private final List<RegisterHistory> histories = new ArrayList<>();
  private final List<RegisterHistory> stale = new ArrayList<>();
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final long origin = System.nanoTime();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  private RegisterClients(Credentials credentials, List<Integer> products, Supplier<String> url) {
    this.credentials = credentials;
    this.products = products;
    this.url = url;
    for (int product : products) {
      values.add(new AtomicInteger());
      histories.add(new RegisterHistory("product " + product));
      stale.add(new RegisterHistory("product " + product));
    }
    for (int i = 0; i < CLIENTS; i++) {
      threads.add(Thread.ofVirtual().start(() -> work(new SplittableRandom())));
    }
  }

  /** Makes a merchant of their own, and starts the clients. */
  static RegisterClients start(Operator operator, DirectSql database, Supplier<String> url) {
    int merchant = operator.newMerchant("main");
    var _ = operator.imports(merchant, "products.jsonl", LINES);
    String products =
        "select product_id from product where merchant_id = %d order by 1".formatted(merchant);
    return new RegisterClients(
        operator.newToken(operator.newApplication(), merchant),
        database.column(products).stream().map(Integer::valueOf).toList(),
        url);
  }

  /**
   * Stops them and reports what no order of the operations explains. For a control, one read in a
   * hundred is replaced by an old one: that must be noticed.
   */
  void stop(Report report) {
    stopping = true;
    threads.forEach(Await::forEnd);
    report.counted(writes.sum(), unknown.sum());
    histories.forEach(history -> history.violations().forEach(report::fault));
    int noticed = stale.stream().mapToInt(history -> history.violations().size()).sum();
    report.remark(
        "%,d reads and %,d writes of registers; control: %d stale reads noticed",
        reads.sum(), writes.sum(), noticed);
    if (noticed == 0) {
      report.fault("the checker did not notice reads that were made stale");
    }
  }

  private void work(SplittableRandom random) {
    int[] first = new int[PRODUCTS];
    while (!stopping) {
      int product = random.nextInt(PRODUCTS);
      if (random.nextInt(WRITE_ONE_IN) == 0) {
        write(product);
      } else {
        boolean isAll = random.nextInt(SNAPSHOT_ONE_IN) == 0;
        boolean isStale = random.nextInt(STALE_ONE_IN) == 0;
        read(isAll ? 0 : product, isAll ? PRODUCTS : product + 1, isStale, first);
      }
      Await.pause(BETWEEN);
    }
  }

  private void write(int product) {
    int value = values.get(product).incrementAndGet();
    String body =
        "[{\"artNo\":\"REG%d\",\"color\":\"red\",\"size\":36,\"set\":%d}]"
            .formatted(product, value);
    long begin = now();
    Answer answer = HttpCalls.call(credentials, url.get() + "/Stock/Adjust", body);
    long end = answer.isDone() ? now() : RegisterHistory.UNKNOWN;
    histories.get(product).wrote(value, begin, end);
    stale.get(product).wrote(value, begin, end);
    (answer.isDone() ? writes : unknown).increment();
    Await.pause(answer.isDone() ? Duration.ZERO : AFTER_FAILURE);
  }

  /** Reads one product, or all of them. */
  private void read(int from, int to, boolean isStale, int[] first) {
    long begin = now();
    String path = to - from > 1 ? "/Stock/Snapshot" : "/Stock/List";
    String form = to - from > 1 ? "limit=" + PRODUCTS : "productid=" + products.get(from);
    Answer answer = HttpCalls.call(credentials, url.get() + path, form);
    long end = now();
    if (!answer.isDone()) {
      Await.pause(AFTER_FAILURE);
      return;
    }
    reads.increment();
    int at = 0;
    for (int i = from; i < to; i++) {
      at = answer.text().indexOf("\"stock\":", at) + 8;
      int value = Integer.parseInt(answer.text(), at, answer.text().indexOf('}', at), 10);
      histories.get(i).read(value, begin, end);
      first[i] = first[i] == 0 ? value : first[i];
      stale.get(i).read(isStale ? first[i] : value, begin, end);
    }
  }

  private long now() {
    return System.nanoTime() - origin;
  }
}
