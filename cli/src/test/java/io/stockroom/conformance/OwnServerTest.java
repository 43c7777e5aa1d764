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
  void ourServerPassesEveryRuleWithACreateRateLimit() {
    List<Rule> paced = Suite.rules().stream().filter(OwnServerTest::isAboutThePace).toList();
    List<Rule> others = Suite.rules().stream().filter(rule -> !isAboutThePace(rule)).toList();

    // creates that only wait for the rate limit need not wait long
    List<Result> results = new ArrayList<>();
    // they hold also while the merchant moves from cell to cell
    try (MovingMerchant moving = JudgedServer.get().moving()) {
      long t = System.nanoTime();
      results.addAll(run(others, SHORT_PACE));
      System.out.println("SUITE " + (System.nanoTime() - t) / 1000000 + " moves " + moving.moves());
    }
    results.addAll(run(paced, JudgedServer.PACE));

    assertThat(results).hasSameSizeAs(Suite.rules());
    assertThat(results)
        .filteredOn(result -> result.outcome() != Outcome.HOLDS)
        .extracting(result -> result.rule().id() + ": " + result.reason() + "\n" + result.answer())
        .isEmpty();
  }

  private static boolean isAboutThePace(Rule rule) {
    return rule.needs().contains(Need.PACE);
  }

  private static List<Result> run(List<Rule> rules, Duration pace) {
    return quickly(JudgedServer.get().paced(pace), rules);
  }

  private static List<Result> quickly(Target target, List<Rule> rules) {
    try (HttpTransport wire = new HttpTransport(target.baseUrl())) {
      return Suite.run(target, rules, _ -> {}, wire, new LeapingSeconds());
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
  void writesOnlyToTheGivenProducts() {
    Target target = JudgedServer.get().quick();
    Set<String> written = new TreeSet<>();
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

      var _ = Suite.run(target, Suite.rules(), _ -> {}, watching, new LeapingSeconds());
    }

    assertThat(written)
        .containsExactlyElementsOf(
            target.products().stream().map(String::valueOf).sorted().toList());
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

    List<Result> results = quickly(bare, Suite.rules());

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
