package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/**
 * A merchant with its own application, and the requests made for it. No two requests touch the same
 * rows, so that each one can be found complete, missing or partial.
 */
final class Merchant {
  static final int CREATE_PRODUCTS = 3;
  static final int CREATE_SIZES = 20;
  private static final int PUBLISH_PRODUCTS = 5;
  private static final int IMPORT_PRODUCTS = 20;
  private static final int STORE_OF_PRODUCTS = 400;
  private static final int FEW_PRODUCTS = 200;
  private static final int FEW_ENTRIES = 100;
  private static final int SMALLEST_SIZE = 31;

  /**
   * The server identifies a create by its second, so each one uses a different second of the long
   * window.
   */
  private static final long OLDEST_SECONDS = 11 * 3600L;

  private final int id;
  private final String operatorKey;
  private final Credentials credentials;
  private final Path journalFile;
  private final Journal journal;
  private final List<Integer> stocked = new ArrayList<>();
  private final Queue<Integer> unused = new ConcurrentLinkedQueue<>();
  private final Queue<AdjustableEntry> adjustable = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong timestamps =
      new AtomicLong(Instant.now().getEpochSecond() - OLDEST_SECONDS);
  private int highestProduct;
  private int tones;

  /** An entry with the quantity 0 that no request has adjusted yet. */
  private record AdjustableEntry(int pid, String color, int size) {
    String key() {
      return "%s/%d/%d".formatted(color, pid, size);
    }
  }

  private Merchant(int id, String operatorKey, Credentials credentials, Path journalFile) {
    this.id = id;
    this.operatorKey = operatorKey;
    this.credentials = credentials;
    this.journalFile = journalFile;
    this.journal = new Journal(journalFile);
  }

  static Merchant make(Operator operator, Path journals) {
    return make(operator, journals, "main");
  }

  /** Makes a merchant whose data is in a cell. */
  static Merchant make(Operator operator, Path journals, String cell) {
    int id =
        operator
            .ask(
                "/admin/merchants",
                "{\"name\":\"M\",\"storeUrl\":\"m\",\"storeName\":\"M\",\"cell\":\"%s\"}"
                    .formatted(cell))
            .get("merchantId")
            .asInt();
    JsonNode application = operator.ask("/admin/applications", "{\"name\":\"faults\"}");
    String appid = application.get("appid").asString();
    String token =
        operator
            .ask(
                "/admin/tokens",
                "{\"appid\":\"%s\",\"merchantId\":%d,\"boundStore\":\"shop\"}".formatted(appid, id))
            .get("accesstoken")
            .asString();
    Credentials credentials = new Credentials(appid, application.get("secret").asString(), token);
    return new Merchant(id, operator.key(), credentials, journals.resolve(id + ".journal"));
  }

  /** Creates more entries before those to adjust run out; only while nothing is broken. */
  void addEntries(Operator operator) {
    while (adjustable.size() < FEW_ENTRIES) {
      String color = "tone-%d.".formatted(++tones);
      Answer answer = signed(operator.url() + "/Stock/Creat", HttpCalls.JSON, create(0, color));
      if (answer.outcome(Kind.CREATE) != Outcome.ACKNOWLEDGED) {
        throw new IllegalStateException("cannot add entries to adjust: " + answer);
      }
      for (int pid : stocked) {
        for (int i = 0; i < CREATE_SIZES; i++) {
          adjustable.add(new AdjustableEntry(pid, color, SMALLEST_SIZE + i));
        }
      }
    }
  }

  /** Imports more products before the unused ones run out; only while nothing is broken. */
  void stockUp(Operator operator, Connection database) throws SQLException {
    if (unused.size() >= FEW_PRODUCTS) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < STORE_OF_PRODUCTS; i++) {
      lines.append(line("U%d-%d".formatted(numbers.get(), i))).append('\n');
    }
    operator.ask(imports(), lines.toString());
    try (PreparedStatement statement =
        database.prepareStatement(
            """
            select product_id from product
            where merchant_id = ? and product_id > ? and art_no like 'U%' order by product_id
            """)) {
      statement.setInt(1, id);
      statement.setInt(2, highestProduct);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          highestProduct = rows.getInt(1);
          (stocked.size() < CREATE_PRODUCTS ? stocked : unused).add(highestProduct);
        }
      }
    }
  }

  private static String line(String artNo) {
    return "{\"artNo\":\"%1$s\",\"title\":\"Shoe %1$s\",\"price\":59}".formatted(artNo);
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
    return next(dice < 7 ? Kind.DETAIL : dice < 9 ? Kind.PUBLISH : Kind.IMPORT);
  }

  Intent next(Kind kind) {
    long number = numbers.incrementAndGet();
    boolean none = unused.size() < PUBLISH_PRODUCTS;
    return switch (kind) {
      case DETAIL -> none ? create(number) : detail(number);
      case PUBLISH -> none ? create(number) : publish(number);
      case CREATE -> create(number);
      case ADJUST -> adjustable.isEmpty() ? create(number) : adjust(number);
      case IMPORT -> products(number);
    };
  }

  private Intent create(long number) {
    // not a substring of another key, nor of the hexadecimal digits in other statements
    return create(number, "hue-%d.".formatted(number));
  }

  private Intent create(long number, String color) {
    StringBuilder body = new StringBuilder("[");
    for (int pid : stocked) {
      body.append(body.length() > 1 ? "," : "")
          .append("{\"color\":\"%s\",\"pid\":%d,".formatted(color, pid))
          .append(
              "\"param\":[{\"size\":\"%d-%d\","
                  .formatted(SMALLEST_SIZE, SMALLEST_SIZE + CREATE_SIZES - 1))
          .append("\"stock\":%d}]}".formatted(number));
    }
    int rows = CREATE_PRODUCTS * CREATE_SIZES;
    return intent(number, Kind.CREATE, color, rows, body.append(']').toString());
  }

  private Intent adjust(long number) {
    AdjustableEntry entry = adjustable.remove();
    String body =
        "[{\"pid\":%d,\"color\":\"%s\",\"size\":%d,\"change\":1}]"
            .formatted(entry.pid(), entry.color(), entry.size());
    return intent(number, Kind.ADJUST, entry.key(), 1, body);
  }

  private Intent detail(long number) {
    Integer pid = unused.remove();
    return intent(number, Kind.DETAIL, pid.toString(), 1, "pid=" + pid);
  }

  private Intent publish(long number) {
    String url = "http://shop.example/%d".formatted(number);
    StringBuilder body = new StringBuilder("[");
    for (int i = 0; i < PUBLISH_PRODUCTS; i++) {
      body.append(i > 0 ? "," : "")
          .append("{\"pid\":%d,\"result\":\"published\",".formatted(unused.remove()))
          .append("\"url\":\"%s\"}".formatted(url));
    }
    return intent(number, Kind.PUBLISH, url, PUBLISH_PRODUCTS, body.append(']').toString());
  }

  private Intent products(long number) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < IMPORT_PRODUCTS; i++) {
      body.append(line("I%d-%d".formatted(number, i))).append('\n');
    }
    return intent(number, Kind.IMPORT, "I" + number, IMPORT_PRODUCTS, body.toString());
  }

  private Intent intent(long number, Kind kind, String key, int rows, String body) {
    return new Intent(number, kind, key, rows, timestamps.incrementAndGet(), body);
  }

  /**
   * Writes to the journal, sends, and writes to the journal again. Sending the same intent again
   * resends the identical request.
   */
  Answer send(String url, Intent intent) {
    journal.sending(intent);
    Answer answer =
        switch (intent.kind()) {
          case CREATE -> signed(url + "/Stock/Creat", HttpCalls.JSON, intent);
          case ADJUST -> signed(url + "/Stock/Adjust", HttpCalls.JSON, intent);
          case DETAIL -> signed(url + "/Product/Detail", HttpCalls.FORM, intent);
          case PUBLISH -> signed(url + "/Product/Publish", HttpCalls.JSON, intent);
          case IMPORT -> new Operator(url, operatorKey).post(imports(), intent.body());
        };
    journal.answered(intent, answer);
    return answer;
  }

  private String imports() {
    return "/admin/merchants/%d/imports?name=products.jsonl&apply=true&wait=true".formatted(id);
  }

  private Answer signed(String url, String type, Intent intent) {
    Map<String, String> headers =
        new HashMap<>(credentials.headers(Instant.ofEpochSecond(intent.timestamp())));
    if (intent.kind() == Kind.ADJUST) {
      headers.put("Idempotency-Key", "adjust-" + intent.number());
    }
    return HttpCalls.post(url, headers, type, intent.body());
  }

  void close() {
    journal.close();
  }
}
