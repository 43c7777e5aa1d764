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

/** Our own server keeps every rule, and the suite keeps its promises to whoever runs it. */
class OwnServerTest {
  private static final Duration SHORT_PACE = Duration.ofMillis(20);

  @Test
  void ourServerKeepsEveryRuleWhereCreatesHaveAPace() {
    List<Rule> paced = Suite.rules().stream().filter(OwnServerTest::isAboutThePace).toList();
    List<Rule> others = Suite.rules().stream().filter(rule -> !isAboutThePace(rule)).toList();

    // creates that only wait for their turn need not wait long
    List<Result> results = new ArrayList<>(run(others, SHORT_PACE));
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
    return Suite.run(JudgedServer.get().paced(pace), rules, _ -> {});
  }

  @Test
  void writesOnlyToTheProductsItWasGiven() {
    Target target = JudgedServer.get().quick();
    Set<String> written = new TreeSet<>();
    try (HttpWire http = new HttpWire(target.baseUrl())) {
      Wire watching =
          request -> {
            Answer answer = http.send(request);
            if (request.path().equals(Probe.CREATE) && answer.body().contains("\"success\":true")) {
              Answer.parse(request.text())
                  .valueStream()
                  .forEach(group -> written.add(group.path("pid").asString()));
            }
            return answer;
          };

      var _ = Suite.run(target, Suite.rules(), _ -> {}, watching);
    }

    assertThat(written)
        .containsExactlyElementsOf(
            target.products().stream().map(String::valueOf).sorted().toList());
  }

  @Test
  void skipsWithAReasonWhatItWasNotGivenTheMeansFor() {
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

    List<Result> results = Suite.run(bare, Suite.rules(), _ -> {});

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
  void saysAtOnceThatNoServerAnswers() {
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
