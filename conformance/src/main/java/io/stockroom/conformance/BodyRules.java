package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import java.util.List;

/**
 * Rules for whole bodies: which are accepted and which are rejected before their fields are
 * checked.
 */
final class BodyRules {
  private static final int MAX_BYTES = 2 * 1024 * 1024;

  private BodyRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "body.not-json",
            "rejects a create whose body is not JSON with 400",
            probe -> {
              probe.badCreate("").rejected("an empty body");
              probe.badCreate("color=red").rejected("a form");
              probe.badCreate("[{\"color\":\"conform\"").rejected("half an array");
            }),
        owed(
            "body.not-array",
            "rejects a create whose body is neither an array nor an object with a list with 400",
            probe -> {
              probe.badCreate(single()).rejected("a bare group");
              probe.badCreate("7").rejected("a number");
            }),
        settled(
            "body.object-place",
            "reports the body, not a field, if an object replaces the array",
            probe -> {
              Answer answer = probe.badCreate(single()).rejected();
              answer.require(
                  answer.errors("at").equals(List.of("")), "errors are at " + answer.errors("at"));
            }),
        settled(
            "body.list-object",
            "accepts an object with the array of a create in list",
            probe -> probe.create("{\"list\":" + Stock.harmless() + "}").hasStatus(200)),
        settled(
            "body.trailing",
            "rejects text after the end of the JSON with 400",
            probe -> probe.badCreate(Stock.harmless() + " []").rejected()),
        settled(
            "body.duplicate-name",
            "rejects an object with a duplicate name with 400",
            probe ->
                probe
                    .badCreate(Stock.harmless().replace("\"color\"", "\"color\":\"x\",\"color\""))
                    .rejected()),
        settled(
            "body.too-deep",
            "rejects JSON that is nested a hundred levels deep with 400",
            probe -> {
              String deep = "[".repeat(100) + "]".repeat(100);
              String body = Stock.list("{\"note\":" + deep + "," + single().substring(1));
              probe.badCreate(body).rejected();
            }),
        settled(
            "body.inside-2-mib",
            "accepts a body of 2 MiB",
            probe -> probe.create(padded(MAX_BYTES)).hasStatus(200)),
        settled(
            "body.outside-2-mib",
            "rejects a body of one byte more than 2 MiB with 400",
            probe -> probe.badCreate(padded(MAX_BYTES + 1)).rejected()),
        settled(
            "body.form-broken",
            "rejects a form with broken percent-encoding with 400",
            probe -> probe.products("page=1&note=%zz").rejected()));
  }

  private static String single() {
    String list = Stock.harmless();
    return list.substring(1, list.length() - 1);
  }

  /** Spaces between JSON elements change only the length. */
  private static String padded(int bytes) {
    String body = Stock.harmless();
    return "[" + " ".repeat(bytes - body.length()) + body.substring(1);
  }
}
