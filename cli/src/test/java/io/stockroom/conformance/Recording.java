package io.stockroom.conformance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records the requests and responses of every rule with the correct server. A broken server can
 * change the outcome of a rule only if it changes one of them, so only these rules run again.
 */
final class Recording {
  private record Said(Request request, Answer answer) {}

  private final Map<Rule, List<Said>> said = new LinkedHashMap<>();

  Recording(Target target, List<Rule> rules, Transport real) {
    List<Said> heard = new ArrayList<>();
    Transport recording =
        request -> {
          Answer answer = real.send(request);
          heard.add(new Said(request, answer));
          return answer;
        };
    var _ =
        Suite.run(
            target,
            rules,
            result -> {
              said.put(result.rule(), List.copyOf(heard));
              heard.clear();
            },
            recording,
            new LeapingSeconds());
  }

  /** The rules whose requests or responses change when {@code broken} is in front of the server. */
  List<Rule> touchedBy(BrokenServer broken) {
    Deque<Said> current = new ArrayDeque<>();
    List<Request> forwarded = new ArrayList<>();
    Transport bent =
        broken
            .bent()
            .apply(
                request -> {
                  forwarded.add(request);
                  return current.getFirst().answer();
                });
    List<Rule> touched = new ArrayList<>();
    said.forEach(
        (rule, exchanges) -> {
          boolean differs = false;
          for (Said one : exchanges) {
            current.clear();
            current.add(one);
            forwarded.clear();
            Answer answer = bent.send(one.request());
            differs |=
                !answer.equals(one.answer())
                    || forwarded.size() != 1
                    || !isSame(forwarded.getFirst(), one.request());
          }
          if (differs) {
            touched.add(rule);
          }
        });
    // these rules share one fetch, which is recorded for the first of them only
    if (touched.stream().anyMatch(rule -> rule.group().equals("detail"))) {
      said.keySet().stream()
          .filter(rule -> rule.group().equals("detail") && !touched.contains(rule))
          .forEach(touched::add);
    }
    return touched;
  }

  private static boolean isSame(Request one, Request other) {
    return one.method().equals(other.method())
        && one.path().equals(other.path())
        && one.query().equals(other.query())
        && one.headers().equals(other.headers())
        && Arrays.equals(one.body(), other.body());
  }
}
