package io.stockroom.protocol.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks a captured request like a server and finds the likely cause of each problem. */
public final class RequestCheck {
  private static final List<Rule> RULES =
      Stream.of(
              AddressRules.ALL,
              HeaderRules.ALL,
              TimeRules.ALL,
              SignatureRules.ALL,
              TokenRules.ALL,
              BodyRules.ALL)
          .flatMap(List::stream)
          .toList();

  private RequestCheck() {}

  public static Report check(CapturedRequest request, Known known) {
    CheckInput facts = CheckInput.of(request, known);
    CheckProblems problems = new CheckProblems();
    RULES.forEach(rule -> rule.look(facts, problems));
    return new Report(problems.inOrder(), unchecked(facts));
  }

  private static List<Unchecked> unchecked(CheckInput facts) {
    List<Unchecked> unchecked = new ArrayList<>();
    Known known = facts.known();
    if (known.secret() == null) {
      unchecked.add(Unchecked.SIGNATURE);
    }
    if (known.clock() == null) {
      unchecked.add(Unchecked.TIME);
    }
    if (known.accesstoken() == null && known.token() == null) {
      unchecked.add(Unchecked.TOKEN);
    }
    if (facts.request().body() == null) {
      unchecked.add(Unchecked.BODY);
    }
    return unchecked;
  }
}
