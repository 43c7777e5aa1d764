package io.stockroom.cli;

import io.stockroom.client.Credentials;
import io.stockroom.conformance.JUnitReport;
import io.stockroom.conformance.NoAnswer;
import io.stockroom.conformance.Outcome;
import io.stockroom.conformance.Result;
import io.stockroom.conformance.Rule;
import io.stockroom.conformance.Suite;
import io.stockroom.conformance.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the selected rules and shows the results. */
final class Conformance {
  private final Output output;
  private final boolean json;
  private final List<Rule> rules;
  private List<Result> results = List.of();

  /** The inputs of the suite from the command line. */
  record Means(
      URI server,
      Credentials credentials,
      List<Integer> products,
      @Nullable Integer foreignProduct,
      @Nullable String foreignToken,
      Duration pace) {}

  Conformance(Given given) {
    this.json = given.has("--json");
    this.output = given.output();
    this.rules = chosen(given.list("--only"), given.orNull("--basis"));
  }

  private static List<Rule> chosen(List<String> only, @Nullable String basis) {
    TreeSet<String> names =
        Suite.rules().stream()
            .flatMap(rule -> Stream.of(rule.id(), rule.group()))
            .collect(Collectors.toCollection(TreeSet::new));
    for (String name : only) {
      if (!names.contains(name)) {
        String meant =
            Suggestion.to(name, names).map("; did you mean '%s'?"::formatted).orElse(".");
        throw CommandException.usage(
            "There is no rule or group '%s'%s See: stockroom conform --list"
                .formatted(name, meant));
      }
    }
    if (basis != null && Suite.rules().stream().noneMatch(r -> r.basis().word().equals(basis))) {
      throw CommandException.usage("--basis is '%s'; pass interface or settled".formatted(basis));
    }
    return Suite.rules().stream()
        .filter(r -> only.isEmpty() || only.contains(r.id()) || only.contains(r.group()))
        .filter(r -> basis == null || r.basis().word().equals(basis))
        .toList();
  }

  void list() {
    Table table = new Table("RULE", "BASIS", "WHAT A SERVER DOES");
    rules.forEach(rule -> table.cells(rule.id(), rule.basis().word(), rule.sentence()));
    output.show(
        () -> {
          ObjectNode object = Json.object();
          ArrayNode array = object.putArray("rules");
          rules.forEach(rule -> put(array.addObject(), rule));
          return object;
        },
        () -> output.table(table));
  }

  void run(Means means, @Nullable Path junit) {
    Target target =
        new Target(
            means.server,
            means.credentials.appid(),
            means.credentials.secret(),
            means.credentials.accesstoken(),
            means.products,
            means.foreignProduct,
            means.foreignToken,
            means.pace);
    if (!json) {
      output.line(
          "Testing %s against %s. %s\n"
              .formatted(
                  means.server,
                  Values.count(rules.size(), "rule", "rules"),
                  promise(means.products)));
    }
    long start = System.nanoTime();
    try {
      results = Suite.run(target, rules, this::show);
    } catch (NoAnswer unreachable) {
      throw CommandException.failed(
          "No server responds at %s. Check --base-url.".formatted(means.server), unreachable);
    }
    if (junit != null) {
      write(junit);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    output.show(() -> asJson(means), () -> conclude(took));
  }

  private static String promise(List<Integer> products) {
    if (products.isEmpty()) {
      return "No stock is written, because no product was given with --pid.";
    }
    List<String> ids = new ArrayList<>(products.stream().map(String::valueOf).toList());
    String last = ids.removeLast();
    return ids.isEmpty()
        ? "Stock is written only to product " + last + "."
        : "Stock is written only to products %s and %s.".formatted(String.join(", ", ids), last);
  }

  private void show(Result result) {
    if (json) {
      return;
    }
    output.line(
        "%-8s %-27s %s"
            .formatted(
                result.outcome() == Outcome.BROKEN ? "BROKEN" : result.outcome().word(),
                result.rule().id(),
                result.rule().sentence()));
    switch (result.outcome()) {
      case HOLDS -> {}
      case SKIPPED -> output.line(" ".repeat(9) + result.reason());
      case BROKEN -> {
        output.line(" ".repeat(9) + result.reason());
        indented("> ", result.request());
        indented("< ", result.answer());
      }
    }
  }

  private void indented(String mark, String text) {
    text.lines().forEach(line -> output.line(" ".repeat(11) + mark + line));
  }

  private void conclude(Duration took) {
    output.line(
        "\n%s, %s, %s, in %d s."
            .formatted(
                Values.count(count(Outcome.HOLDS), "rule holds", "rules hold"),
                Values.count(count(Outcome.BROKEN), "is broken", "are broken"),
                Values.count(count(Outcome.SKIPPED), "was skipped", "were skipped"),
                took.toSeconds()));
  }

  int exitCode(boolean allowSkipped) {
    if (count(Outcome.BROKEN) > 0) {
      return 1;
    }
    if (count(Outcome.SKIPPED) > 0 && !allowSkipped) {
      output.problem(
          "Some rules were skipped, so the test did not pass. Provide what is missing, or pass"
              + " --allow-skipped.");
      return 1;
    }
    return 0;
  }

  private long count(Outcome outcome) {
    return results.stream().filter(result -> result.outcome() == outcome).count();
  }

  private void write(Path junit) {
    try {
      JUnitReport.write(junit, results);
    } catch (IOException e) {
      throw CommandException.failed(
          "The results could not be written to %s: %s".formatted(junit, e.getMessage()), e);
    }
  }

  private ObjectNode asJson(Means means) {
    ObjectNode object = Json.object();
    object.put("server", means.server.toString());
    ArrayNode writesTo = object.putArray("writesTo");
    means.products.forEach(writesTo::add);
    for (Outcome outcome : Outcome.values()) {
      object.put(outcome.word(), count(outcome));
    }
    ArrayNode array = object.putArray("rules");
    for (Result result : results) {
      ObjectNode row = array.addObject();
      put(row, result.rule());
      row.put("outcome", result.outcome().word());
      row.put("millis", result.took().toMillis());
      if (result.outcome() != Outcome.HOLDS) {
        row.put("reason", result.reason());
      }
      if (result.outcome() == Outcome.BROKEN) {
        row.put("request", result.request());
        row.put("answer", result.answer());
      }
    }
    return object;
  }

  private static void put(ObjectNode row, Rule rule) {
    row.put("rule", rule.id());
    row.put("basis", rule.basis().word());
    row.put("sentence", rule.sentence());
  }
}
