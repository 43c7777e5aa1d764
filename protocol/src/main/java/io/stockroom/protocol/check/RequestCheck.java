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
    Check check = new Check(request, known);
    RULES.forEach(rule -> rule.apply(check));
    return new Report(check.problems(), unchecked(check));
  }

  private static List<Unchecked> unchecked(Check check) {
    List<Unchecked> unchecked = new ArrayList<>();
    Known known = check.known();
    if (known.secret() == null) {
      unchecked.add(Unchecked.SIGNATURE);
    }
    if (known.clock() == null) {
      unchecked.add(Unchecked.TIME);
    }
    if (known.accesstoken() == null && known.token() == null) {
      unchecked.add(Unchecked.TOKEN);
    }
    if (check.request().body() == null) {
      unchecked.add(Unchecked.BODY);
    }
    return unchecked;
  }
}
