package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.lab.Answer;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Operator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A merchant with its own application, and the requests made for it. No two requests touch the same
 * rows, so that each one can be found complete, missing or partial.
 */
final class Merchant {
  private static final int CREATE_PRODUCTS = 3;
  private static final int CREATE_SIZES = 20;
  private static final int IMPORT_PRODUCTS = 20;
  private static final int STORE_OF_PRODUCTS = 400;
  private static final int FEW_PRODUCTS = 200;
  private static final int FEW_ENTRIES = 100;
  private static final int SMALLEST_SIZE = 31;

  private final int id;
  private final String operatorKey;
  private final Credentials credentials;
  private final Path journalFile;
  private final Journal journal;
  private final List<Integer> stocked = new ArrayList<>();
  private final Queue<Integer> unused = new ConcurrentLinkedQueue<>();
  private final Queue<AdjustableEntry> adjustable = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private int highestProduct;
  private int tones;

  /** An entry with the quantity 0 that no request has adjusted yet. */
  private record AdjustableEntry(int pid, String color, int size) {}

  /** Makes a merchant whose data is in a cell. */
  Merchant(Operator operator, Path journals, String cell) {
    this.id = operator.newMerchant(cell);
    this.operatorKey = operator.key();
    this.credentials = operator.newToken(operator.newApplication(), id);
    this.journalFile = journals.resolve(id + ".journal");
    this.journal = new Journal(journalFile);
  }

  /** Makes products and entries before the unused ones run out; only while nothing is broken. */
  void stockUp(Operator operator, DirectSql database) {
    if (unused.size() < FEW_PRODUCTS) {
      long number = numbers.get();
      var _ =
          operator.imports(
              id, "products.jsonl", lines(STORE_OF_PRODUCTS, i -> "U%d-%d".formatted(number, i)));
      String fresh =
          "select product_id from product where merchant_id = %d and product_id > %d and art_no like 'U%%' order by 1"
              .formatted(id, highestProduct);
      for (String product : database.column(fresh)) {
        highestProduct = Integer.parseInt(product);
        (stocked.size() < CREATE_PRODUCTS ? stocked : unused).add(highestProduct);
      }
    }
    while (adjustable.size() < FEW_ENTRIES) {
      String color = "tone-%d.".formatted(++tones);
      Answer answer = call(operator.url(), "/Stock/Creat", create(0, color));
      if (!answer.isDone()) {
        throw new IllegalStateException("cannot add entries to adjust: " + answer);
      }
      for (int pid : stocked) {
        for (int i = 0; i < CREATE_SIZES; i++) {
          adjustable.add(new AdjustableEntry(pid, color, SMALLEST_SIZE + i));
        }
      }
    }
  }

  private static String lines(int count, IntFunction<String> artNo) {
    return IntStream.range(0, count)
        .mapToObj(artNo)
        .map("{\"artNo\":\"%1$s\",\"title\":\"Shoe %1$s\",\"price\":59}\n"::formatted)
        .collect(Collectors.joining());
  }

  int id() {
    return id;
  }

  Credentials credentials() {
    return credentials;
  }

  /** The number of requests so far. */
  long requests() {
    return numbers.get();
  }

  Path journalFile() {
    return journalFile;
  }

  /** A random request, most often a create. */
  Intent next(Random random) {
    int dice = random.nextInt(10);
    if (dice < 6) {
      return next(dice < 4 ? Kind.CREATE : Kind.ADJUST);
    }
    return next(dice < 8 ? Kind.DETAIL : Kind.IMPORT);
  }

  /** A request of a kind; a create if the entries or products for it have run out. */
  Intent next(Kind kind) {
    long number = numbers.incrementAndGet();
    return switch (kind) {
      case DETAIL -> unused.isEmpty() ? create(number) : detail(number);
      case CREATE -> create(number);
      case ADJUST -> adjustable.isEmpty() ? create(number) : adjust(number);
      case IMPORT ->
          new Intent(
              number,
              Kind.IMPORT,
              "I" + number,
              IMPORT_PRODUCTS,
              lines(IMPORT_PRODUCTS, i -> "I%d-%d".formatted(number, i)));
    };
  }

  private Intent create(long number) {
    // not a substring of another key, nor of the hexadecimal digits in other statements
    return create(number, "hue-%d.".formatted(number));
  }

  private Intent create(long number, String color) {
    int last = SMALLEST_SIZE + CREATE_SIZES - 1;
    String body =
        stocked.stream()
            .map(
                pid ->
                    "{\"color\":\"%s\",\"pid\":%d,\"param\":[{\"size\":\"%d-%d\",\"stock\":%d}]}"
                        .formatted(color, pid, SMALLEST_SIZE, last, number))
            .collect(Collectors.joining(",", "[", "]"));
    return new Intent(number, Kind.CREATE, color, CREATE_PRODUCTS * CREATE_SIZES, body);
  }

  private Intent adjust(long number) {
    AdjustableEntry entry = adjustable.remove();
    String key = "%s/%d/%d".formatted(entry.color, entry.pid, entry.size);
    String body =
        "[{\"pid\":%d,\"color\":\"%s\",\"size\":%d,\"change\":1}]"
            .formatted(entry.pid, entry.color, entry.size);
    return new Intent(number, Kind.ADJUST, key, 1, body);
  }

  private Intent detail(long number) {
    Integer pid = unused.remove();
    return new Intent(number, Kind.DETAIL, pid.toString(), 1, "pid=" + pid);
  }

  /** Writes to the journal, sends, and writes to the journal again. */
  Answer send(String url, Intent intent) {
    journal.sending(intent);
    Answer answer =
        switch (intent.kind()) {
          case CREATE -> call(url, "/Stock/Creat", intent);
          case ADJUST -> call(url, "/Stock/Adjust", intent);
          case DETAIL -> call(url, "/Product/Detail", intent);
          case IMPORT ->
              new Operator(url, operatorKey).imports(id, "products.jsonl", intent.body());
        };
    journal.answered(intent, answer);
    return answer;
  }

  private Answer call(String url, String path, Intent intent) {
    boolean isKeyed = intent.kind() == Kind.CREATE || intent.kind() == Kind.ADJUST;
    String key = isKeyed ? intent.kind() + "-" + intent.key() : "";
    return HttpCalls.call(credentials, url + path, intent.body(), key);
  }

  void close() {
    journal.close();
  }
}
