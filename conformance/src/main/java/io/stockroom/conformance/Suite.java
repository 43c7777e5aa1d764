package io.stockroom.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs all rules against a server. */
public final class Suite {
  private static final List<Rule> RULES =
      Stream.of(
              SigningRules.rules(),
              AddressRules.rules(),
              BodyRules.rules(),
              ProductListRules.rules(),
              StockListRules.rules(),
              CreateRules.rules(),
              CreateFormRules.rules(),
              RateLimitRules.rules(),
              DetailRules.rules(),
              RejectionRules.rules())
          .flatMap(List::stream)
          .toList();

  private Suite() {}

  /** All rules in the order they are checked. */
  public static List<Rule> rules() {
    return RULES;
  }

  /**
   * Checks the rules one after the other and passes on each result.
   *
   * @throws NoAnswer if the server is unreachable
   */
  public static List<Result> run(Target target, List<Rule> rules, Consumer<Result> heard) {
    try (HttpTransport wire = new HttpTransport(target.baseUrl())) {
      return run(target, rules, heard, wire, Seconds.REAL);
    }
  }

  static List<Result> run(
      Target target, List<Rule> rules, Consumer<Result> heard, Transport wire, Seconds seconds) {
    Probe probe = new Probe(target, wire, seconds);
    List<Result> results = new ArrayList<>();
    for (Rule rule : rules) {
      Result result = judge(rule, probe);
      results.add(result);
      heard.accept(result);
    }
    return results;
  }

  private static Result judge(Rule rule, Probe probe) {
    for (Need need : rule.needs()) {
      if (!need.isMetBy(probe.target())) {
        return new Result(rule, Outcome.SKIPPED, need.reason(), "", "", Duration.ZERO);
      }
    }
    probe.forget();
    long start = System.nanoTime();
    Outcome outcome = Outcome.HOLDS;
    String reason = "";
    try {
      rule.check().run(probe);
    } catch (RuleSkipped untested) {
      outcome = Outcome.SKIPPED;
      reason = String.valueOf(untested.getMessage());
    } catch (RuleViolation broken) {
      outcome = Outcome.BROKEN;
      reason = String.valueOf(broken.getMessage());
    } catch (NoAnswer none) {
      if (!none.reached()) {
        throw none;
      }
      outcome = Outcome.BROKEN;
      reason = String.valueOf(none.getMessage());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    @Nullable Exchange last = outcome == Outcome.BROKEN ? probe.last() : null;
    Answer answer = last == null ? null : last.answer();
    return new Result(
        rule,
        outcome,
        probe.target().masked(reason),
        last == null ? "" : probe.target().masked(last.request().shown()),
        answer == null ? "" : probe.target().masked(answer.shown()),
        took);
  }
}
