package io.stockroom.lab.faults;

import io.stockroom.core.settings.SettingsReader;
import io.stockroom.server.Stockroom;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Receivers that fail for an hour in different ways, beside one that works. The server runs in this
 * process, and its clock is stepped from attempt to attempt. Each message comes again, unchanged,
 * at the documented times; the receiver that works waits for nobody; and all end with the stock of
 * the database.
 */
final class FailingReceivers {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration OUTAGE = Duration.ofHours(1);

  /** At once, and after 5 seconds, 5 minutes and 30 minutes; the next would be 2 hours later. */
  private static final int ATTEMPTS_IN_AN_HOUR = 4;

  private static final int CHANGES = 5;

  /** A hanging receiver is given up after 15 seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final SteppedClock clock = new SteppedClock();
  private final Laboratory laboratory;
  private final Report report;

  private FailingReceivers(Laboratory laboratory, Report report) {
    this.laboratory = laboratory;
    this.report = report;
  }

  /** A server for each round, because its clock cannot go back. */
  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Map<String, String> keys =
        Map.of(
            "STOCKROOM_OPERATOR_KEY", laboratory.operatorKey(),
            "STOCKROOM_SECRET_KEY", laboratory.secretKey());
    for (int round = 0; round < rounds; round++) {
      FailingReceivers experiment = new FailingReceivers(laboratory, report);
      Path data = laboratory.newFolder("receivers");
      laboratory.processes().run("cp", "-a", laboratory.cluster().place() + "/.", data.toString());
      Map<String, String> settings =
          Map.of(
              "port", Integer.toString(laboratory.newPort()),
              "limits.create-interval", "PT0S",
              "timestamp-window", "PT12H",
              "webhooks.allow-private", "true");
      try (Stockroom server =
          Stockroom.start(
              data, SettingsReader.read(data, keys, settings, laboratory::say), experiment.clock)) {
        experiment.round(server);
      }
      report.round();
    }
  }

  private void round(Stockroom server) throws Exception {
    String url = "http://127.0.0.1:" + server.port();
    Operator operator = new Operator(url, laboratory.operatorKey());
    Merchant merchant = Merchant.make(operator, laboratory.newFolder("journals"));
    Map<String, WebhookReceiver> failing = new LinkedHashMap<>();
    failing.put("500", receiver(_ -> 500));
    failing.put("reset", receiver(_ -> WebhookReceiver.RESET));
    failing.put("redirect", receiver(_ -> WebhookReceiver.REDIRECT));
    if (!laboratory.brief()) {
      failing.put("hang", receiver(attempt -> attempt == 1 ? WebhookReceiver.HANG : 500));
    }
    WebhookReceiver healthy = receiver(_ -> WebhookReceiver.ACCEPTED);
    try (Connection connection = Server.connect(server.dataFolder())) {
      merchant.stockUp(operator, connection);
      long first = lastChange(connection, merchant);
      for (WebhookReceiver receiver : failing.values()) {
        subscribe(url, merchant, receiver, first);
      }
      subscribe(url, merchant, healthy, first);
      Instant start = clock.instant();
      change(url, merchant);
      awaitAttempts(url, merchant, failing.size());
      for (int i = 1; i < CHANGES; i++) {
        change(url, merchant);
      }
      long last = lastChange(connection, merchant);
      awaitCopy("healthy", healthy, last);

      stepThrough(url, merchant, start.plus(OUTAGE));
      failing.forEach(
          (name, receiver) -> {
            if (receiver.messages().size() != ATTEMPTS_IN_AN_HOUR) {
              report.fault(
                  "%s: %d attempts in an hour".formatted(name, receiver.messages().size()));
            }
          });
      failing.values().forEach(each -> each.behave(_ -> WebhookReceiver.ACCEPTED));
      stepThrough(url, merchant, start.plus(Duration.ofDays(1)));
      failing.forEach((name, receiver) -> awaitCopy(name, receiver, last));
      failing.put("healthy", healthy);
      StockCopy database = StockCopy.of(connection, merchant.id());
      failing.forEach((name, receiver) -> compare(name, receiver, database));
      Oracle.judge(merchant, Oracle.look(connection, merchant, report), report);
    } finally {
      failing.values().forEach(WebhookReceiver::close);
      healthy.close();
      merchant.close();
    }
  }

  private WebhookReceiver receiver(WebhookReceiver.Behavior behavior) {
    return WebhookReceiver.start().behave(behavior).clock(clock);
  }

  private Map<String, String> headers(Merchant merchant) {
    return merchant.credentials().headers(clock.instant());
  }

  private void subscribe(String url, Merchant merchant, WebhookReceiver receiver, long first) {
    receiver.subscribe(url, headers(merchant));
    receiver.copy().startAfter(first);
  }

  private void change(String url, Merchant merchant) {
    Intent create = merchant.next(Kind.CREATE);
    boolean isDone = merchant.send(url, create).outcome(create.kind()) == Outcome.ACKNOWLEDGED;
    report.counted(isDone ? 1 : 0, isDone ? 0 : 1);
  }

  private static long lastChange(Connection connection, Merchant merchant) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select last_change from log_head where merchant_id = " + merchant.id())) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The webhooks whose last attempt failed. */
  private List<JsonNode> failing(String url, Merchant merchant) {
    Answer answer = HttpCalls.post(url + "/Webhook/List", headers(merchant), HttpCalls.FORM, "");
    return JSON.readTree(answer.text())
        .path("webhooks")
        .valueStream()
        .filter(each -> each.get("state").asString().equals("failing"))
        .toList();
  }

  private void awaitAttempts(String url, Merchant merchant, int count) {
    Await.until(PATIENCE, count + " failed attempts", () -> failing(url, merchant).size() == count);
  }

  /** Steps the clock to one attempt after the other, as long as they are due before the end. */
  private void stepThrough(String url, Merchant merchant, Instant end) {
    while (true) {
      Optional<Instant> next = nextAttempt(url, merchant);
      if (next.isEmpty() || next.get().isAfter(end)) {
        clock.stepTo(next.isEmpty() ? clock.instant() : end);
        return;
      }
      clock.stepTo(next.get());
      Await.until(
          PATIENCE,
          "an attempt that is due",
          () -> {
            Optional<Instant> then = nextAttempt(url, merchant);
            return then.isEmpty() || then.get().isAfter(next.get());
          });
    }
  }

  private Optional<Instant> nextAttempt(String url, Merchant merchant) {
    return failing(url, merchant).stream()
        .map(each -> Instant.parse(each.get("nextAttemptAt").asString()))
        .min(Instant::compareTo);
  }

  private void awaitCopy(String name, WebhookReceiver receiver, long last) {
    if (!Await.within(PATIENCE, () -> receiver.copy().last() >= last)) {
      report.lost("%s stays at %d of %d".formatted(name, receiver.copy().last(), last));
    }
  }

  private void compare(String name, WebhookReceiver receiver, StockCopy database) {
    receiver.copy().problems().forEach(problem -> report.fault(name + ": " + problem));
    receiver.copy().differences(database).forEach(each -> report.lost(name + ": " + each));
  }
}
