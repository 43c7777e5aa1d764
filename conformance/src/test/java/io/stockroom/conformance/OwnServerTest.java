package io.stockroom.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Our own server keeps every rule, and the suite keeps its promises to whoever runs it. */
class OwnServerTest {
  @Test
  void ourServerKeepsEveryRule() {
    Target target = JudgedServer.get().paced();

    List<Result> results = Suite.run(target, Suite.rules(), _ -> {});

    assertThat(results).hasSameSizeAs(Suite.rules());
    assertThat(results)
        .filteredOn(result -> result.outcome() != Outcome.HOLDS)
        .extracting(result -> result.rule().id() + ": " + result.reason() + "\n" + result.answer())
        .isEmpty();
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
