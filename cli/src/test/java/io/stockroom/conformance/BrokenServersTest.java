package io.stockroom.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The suite detects a server that violates a rule, and reports only that rule. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenServersTest {
  private static final List<Rule> PACED =
      Suite.rules().stream().filter(rule -> rule.needs().contains(Need.PACE)).toList();
  private static final List<Rule> UNPACED =
      Suite.rules().stream().filter(rule -> !PACED.contains(rule)).toList();

  private final Target recorded = JudgedServer.get().quick();
  private final HttpTransport wire = new HttpTransport(recorded.baseUrl());
  private final Recording recording = new Recording(recorded, UNPACED, wire);

  @AfterAll
  void close() {
    wire.close();
  }

  List<Named<Integer>> brokenServers() {
    return numbered(new BrokenServers(recorded).all());
  }

  List<Named<Integer>> brokenPaces() {
    return numbered(new BrokenCreates(recorded).paced());
  }

  private static List<Named<Integer>> numbered(List<BrokenServer> servers) {
    return IntStream.range(0, servers.size())
        .mapToObj(i -> Named.of(servers.get(i).rule(), i))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("brokenServers")
  void reportsOnlyTheBrokenRule(int number) {
    List<Rule> touched = recording.touchedBy(new BrokenServers(recorded).all().get(number));
    Target target = JudgedServer.get().quick();
    judge(new BrokenServers(target).all().get(number), target, touched);
  }

  @ParameterizedTest
  @MethodSource("brokenPaces")
  void reportsOnlyTheBrokenRateLimitRule(int number) {
    Target target = JudgedServer.get().paced(JudgedServer.PACE);
    judge(new BrokenCreates(target).paced().get(number), target, PACED);
  }

  @Test
  void everyRuleHasABrokenServer() {
    Set<String> broken =
        Stream.concat(brokenServers().stream(), brokenPaces().stream())
            .map(Named::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(broken)
        .containsExactlyElementsOf(
            Suite.rules().stream().map(Rule::id).sorted().distinct().toList());
  }

  private void judge(BrokenServer broken, Target target, List<Rule> rules) {
    List<Result> results =
        Suite.run(target, rules, _ -> {}, broken.bent().apply(wire), new LeapingSeconds()).stream()
            .filter(result -> result.outcome() != Outcome.HOLDS)
            .toList();

    assertThat(results)
        .filteredOn(result -> result.rule().id().equals(broken.rule()))
        .as("%s is broken", broken.rule())
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.outcome()).isEqualTo(Outcome.BROKEN);
              assertThat(result.reason()).isNotBlank();
              assertThat(result.request()).contains(" /").doesNotContain(target.token());
              assertThat(result.answer()).isNotBlank().doesNotContain(target.token());
            });
    if (!broken.also().contains(BrokenServer.ANYTHING)) {
      assertThat(results)
          .extracting(result -> result.rule().id() + " " + result.reason())
          .filteredOn(said -> !said.startsWith(broken.rule() + " "))
          .allMatch(said -> broken.also().contains(said.substring(0, said.indexOf(' '))));
    }
  }
}
