package io.stockroom.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Our own server passes every rule, and the suite keeps its promises to its users. */
class OwnServerTest {
  private static final Duration SHORT_PACE = Duration.ofMillis(20);

  @Test
  void ourServerPassesEveryRuleWhileTheMerchantMoves() {
    List<Rule> paced = Suite.rules().stream().filter(OwnServerTest::isAboutThePace).toList();
    List<Rule> others = Suite.rules().stream().filter(rule -> !isAboutThePace(rule)).toList();
    Set<String> written = new TreeSet<>();
    List<Result> results = new ArrayList<>();

    try (MovingMerchant moving = JudgedServer.get().moving()) {
      do {
        // creates that only wait for the rate limit need not wait long
        results.addAll(run(others, SHORT_PACE, written));
      } while (moving.isMovingForTheFirstTime());
    }
    results.addAll(run(paced, JudgedServer.PACE, written));

    assertThat(results.stream().map(result -> result.rule().id()).distinct())
        .hasSameSizeAs(Suite.rules());
    assertThat(results)
        .filteredOn(result -> result.outcome() != Outcome.HOLDS)
        .extracting(result -> result.rule().id() + ": " + result.reason() + "\n" + result.answer())
        .isEmpty();
    assertThat(written)
        .as("writes only to the given products")
        .containsExactlyElementsOf(
            JudgedServer.get().paced(JudgedServer.PACE).products().stream()
                .map(String::valueOf)
                .sorted()
                .toList());
  }

  @Test
  void aSandboxPassesEveryRule() {
    JudgedServer sandbox = JudgedServer.sandbox();
    for (boolean isPaced : List.of(false, true)) {
      Target target = sandbox.paced(isPaced ? JudgedServer.PACE : SHORT_PACE);
      List<Rule> rules =
          Suite.rules().stream().filter(rule -> isAboutThePace(rule) == isPaced).toList();
      try (HttpTransport http = new HttpTransport(target.baseUrl())) {
        assertThat(Suite.run(target, rules, _ -> {}, http, new LeapingSeconds()))
            .filteredOn(result -> result.outcome() != Outcome.HOLDS)
            .extracting(result -> result.rule().id() + ": " + result.reason())
            .isEmpty();
      }
    }
  }

  private static boolean isAboutThePace(Rule rule) {
    return rule.needs().contains(Need.PACE);
  }

  private static List<Result> run(List<Rule> rules, Duration pace, Set<String> written) {
    Target target = JudgedServer.get().paced(pace);
    try (HttpTransport http = new HttpTransport(target.baseUrl())) {
      Transport watching =
          request -> {
            Answer answer = http.send(request);
            if (request.path().equals(Probe.CREATE) && answer.body().contains("\"success\":true")) {
              Answer.parse(request.text())
                  .valueStream()
                  .forEach(group -> written.add(group.path("pid").asString()));
            }
            return answer;
          };
      return Suite.run(target, rules, _ -> {}, watching, new LeapingSeconds());
    }
  }

  @Test
  void runsTwiceInARowWithTheSameToken() {
    List<String> chosen = List.of("form.stock-outside", "pace.too-early");
    List<Rule> rules = Suite.rules().stream().filter(rule -> chosen.contains(rule.id())).toList();
    Target target = JudgedServer.get().paced(JudgedServer.PACE);
    Set<Long> used = new TreeSet<>();
    try (HttpTransport http = new HttpTransport(target.baseUrl())) {
      Transport watching =
          request -> {
            long second = Long.parseLong(request.header("timestamp"));
            assertThat(second)
                .as("signed ahead of the clock")
                .isLessThanOrEqualTo(Seconds.REAL.now());
            Answer answer = http.send(request);
            if (request.path().equals(Probe.CREATE) && answer.status() == 200) {
              assertThat(used.add(second)).as("second %d is free", second).isTrue();
            }
            return answer;
          };
      for (int run = 1; run <= 2; run++) {
        assertThat(Suite.run(target, rules, _ -> {}, watching, Seconds.REAL))
            .as("run %d", run)
            .hasSize(chosen.size())
            .allMatch(result -> result.outcome() == Outcome.HOLDS);
      }
    }
    assertThat(used).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void skipsRulesWhoseNeedsAreMissingWithAReason() {
    Target full = JudgedServer.get().quick();
    Target bare =
        new Target(
            full.baseUrl(),
            full.appid(),
            full.secret(),
            full.token(),
            List.of(),
            null,
            null,
            full.pace());

    List<Result> results;
    try (HttpTransport http = new HttpTransport(bare.baseUrl())) {
      results = Suite.run(bare, Suite.rules(), _ -> {}, http, new LeapingSeconds());
    }

    assertThat(results).noneMatch(result -> result.outcome() == Outcome.BROKEN);
    assertThat(results)
        .filteredOn(result -> result.outcome() == Outcome.SKIPPED)
        .extracting(Result::reason)
        .anyMatch(reason -> reason.contains("--pid"))
        .anyMatch(reason -> reason.contains("--pid twice"))
        .anyMatch(reason -> reason.contains("--foreign-pid"))
        .anyMatch(reason -> reason.contains("--foreign-token"))
        .anyMatch(reason -> reason.contains("--pace"));
  }

  @Test
  void failsImmediatelyIfNoServerResponds() {
    Target target =
        new Target(
            URI.create("http://127.0.0.1:1"),
            "a",
            "s",
            "t",
            List.of(),
            null,
            null,
            Target.USUAL_PACE);

    assertThatThrownBy(() -> Suite.run(target, Suite.rules(), _ -> {}))
        .isInstanceOf(NoAnswer.class)
        .hasMessageContaining("http://127.0.0.1:1");
  }
}
