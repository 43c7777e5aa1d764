package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import java.time.Duration;
import java.util.List;

/** The create rate limit and repeated creates. */
final class RateLimitRules {
  private static final int ATTEMPTS = 5;

  /** Leaves room for a create within the 30 seconds in which one may be repeated. */
  private static final Duration MAX_PACE = Duration.ofSeconds(10);

  private RateLimitRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "pace.too-early",
            "accepts one create per interval, and rejects a second one with 429",
            probe -> {
              var _ = tooEarly(probe);
            },
            Need.PACE),
        settled(
            "pace.retry-after",
            "gives the seconds to wait in Retry-After, and zero remaining in RateLimit",
            probe -> {
              Answer answer = tooEarly(probe);
              answer.require(
                  answer.header("Retry-After").matches("[1-9][0-9]*"),
                  "Retry-After is '" + answer.header("Retry-After") + "'");
              answer.require(
                  answer.header("RateLimit").contains("\"create\";r=0"),
                  "RateLimit is '" + answer.header("RateLimit") + "'");
            },
            Need.PACE),
        settled(
            "pace.refusal-free",
            "does not count a create that it rejects with 400",
            probe -> {
              probe.awaitTurn();
              long second = probe.nextSeconds(2);
              create(probe, "[]", second).rejected();
              Answer answer = create(probe, Stock.harmless(), second + 1);
              probe.spent();
              answer.hasStatus(200);
            },
            Need.PACE),
        settled(
            "pace.headers",
            "describes the create rate limit in RateLimit-Policy of every create",
            probe -> {
              Answer answer = probe.create(Stock.harmless()).hasStatus(200);
              answer.require(
                  answer.header("RateLimit-Policy").startsWith("\"create\";q=1"),
                  "RateLimit-Policy is '" + answer.header("RateLimit-Policy") + "'");
            }),
        settled(
            "replay.same",
            "gives a create that is repeated within 30 seconds its first response, and writes"
                + " nothing",
            RateLimitRules::same,
            Need.PRODUCT),
        settled(
            "replay.free",
            "responds to a repeated create immediately, without counting it",
            probe -> {
              long second = probe.nextSecond();
              probe.awaitTurn();
              Answer first = create(probe, Stock.harmless(), second);
              probe.spent();
              Answer again = create(probe, Stock.harmless(), second);
              again.require(
                  again.status() == first.status(),
                  "expected status %d like the first time, got %d"
                      .formatted(first.status(), again.status()));
            }),
        settled(
            "replay.other-body",
            "carries out a different body under a used timestamp, if the rate limit allows it",
            probe -> {
              long second = probe.nextSecond();
              probe.awaitTurn();
              create(probe, Stock.harmless(), second).hasStatus(200);
              probe.spent();
              probe.awaitTurn();
              create(probe, Stock.groups(2), second).hasStatus(200);
              probe.spent();
            }),
        settled(
            "replay.other-body-early",
            "responds 429 to a different body under a used timestamp that comes too early",
            probe -> {
              Answer answer = tooEarly(probe, false);
              answer.require(
                  answer.header("Retry-After").matches("[1-9][0-9]*"),
                  "Retry-After is '" + answer.header("Retry-After") + "'");
            },
            Need.PACE));
  }

  private static Answer create(Probe probe, String body, long second) {
    return probe.ask(Probe.CREATE).json(body).at(second).send();
  }

  /** Sends two creates in a row; retries if the machine was too slow to trigger the limit. */
  private static Answer tooEarly(Probe probe) {
    return tooEarly(probe, true);
  }

  private static Answer tooEarly(Probe probe, boolean anotherSecond) {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      probe.awaitTurn();
      long second = probe.nextSeconds(2);
      long start = System.nanoTime();
      create(probe, Stock.harmless(), second).hasStatus(200);
      probe.spent();
      Answer answer = create(probe, Stock.groups(2), anotherSecond ? second + 1 : second);
      boolean tooSlow = System.nanoTime() - start >= probe.target().pace().toNanos();
      if (answer.status() == 429 || !tooSlow) {
        return answer.hasStatus(429);
      }
      probe.spent();
    }
    throw new RuleSkipped(
        "two creates take longer than the create interval of " + probe.target().pace());
  }

  /** Resends the first create after a second one has changed what it wrote. */
  private static void same(Probe probe) {
    if (probe.target().pace().compareTo(MAX_PACE) > 0) {
      throw new RuleSkipped("another create between the two takes too long with this --pace");
    }
    int pid = probe.product();
    int quantity = probe.quantity();
    String body = Stock.list(Stock.group(pid, Stock.BEFORE, "36", quantity));
    long second = probe.nextSecond();
    probe.awaitTurn();
    Answer first = create(probe, body, second).succeeds();
    probe.spent();
    probe.create(Stock.list(Stock.group(pid, Stock.BEFORE, "36", quantity + 1))).succeeds();
    Answer again = create(probe, body, second);
    again.require(
        again.status() == first.status() && again.body().equals(first.body()),
        "the first response was " + first.body());
    probe.requireStock(pid, Stock.BEFORE, 36, quantity + 1);
  }
}
