package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import java.util.List;
import java.util.Locale;

/** Paths, methods, content types and response headers. */
final class AddressRules {
  private AddressRules() {}

  static List<Rule> rules() {
    return List.of(
        settled(
            "address.post-only",
            "responds to methods other than POST with 405 and Allow: POST",
            AddressRules::postOnly),
        settled(
            "address.any-case",
            "ignores case in paths",
            probe -> {
              String path = Probe.PRODUCTS.toLowerCase(Locale.ROOT);
              probe.ask(path).form("page=1").send().hasStatus(200);
            }),
        settled(
            "address.unknown",
            "responds to an unknown path with 404",
            probe -> probe.ask("/Stock/Create").json("[]").send().hasStatus(404)),
        owed(
            "type.stock-list",
            "rejects a stock list without Content-Type application/x-www-form-urlencoded with 400",
            probe -> {
              String form = "productid=" + Probe.MISSING;
              probe.ask(Probe.STOCK).form(form).without("Content-Type").send().rejected("none");
              probe.ask(Probe.STOCK).body("text/plain", form).send().rejected("text/plain");
              probe.ask(Probe.STOCK).json("{\"productid\":1}").send().rejected("application/json");
            }),
        owed(
            "type.create",
            "rejects a create without Content-Type application/json with 400",
            probe -> {
              RequestBuilder none =
                  probe.ask(Probe.CREATE).json(Stock.harmless()).without("Content-Type");
              probe.badCreate(none).rejected("none");
              RequestBuilder plain = probe.ask(Probe.CREATE).body("text/plain", Stock.harmless());
              probe.badCreate(plain).rejected("text/plain");
              RequestBuilder form = probe.ask(Probe.CREATE).form(Stock.harmless());
              probe.badCreate(form).rejected("a form");
            }),
        settled(
            "type.utf-8",
            "accepts JSON whose Content-Type names UTF-8, in any case",
            probe -> {
              String type = "Application/JSON; charset=UTF-8";
              probe.create(probe.ask(Probe.CREATE).body(type, Stock.harmless())).hasStatus(200);
            }),
        settled(
            "type.not-utf-8",
            "rejects JSON whose Content-Type names another charset with 400",
            probe ->
                probe
                    .badCreate(
                        probe
                            .ask(Probe.CREATE)
                            .body("application/json; charset=gbk", Stock.harmless()))
                    .rejected()),
        owed(
            "headers.media-type",
            "responds in application/json, for successes and rejections",
            probe -> {
              requireJson(probe.products("page=1"));
              requireJson(probe.products("page=x"));
              requireJson(probe.stock(Probe.MISSING));
            }),
        settled(
            "headers.utf-8",
            "has charset=utf-8 in the Content-Type of responses",
            probe -> {
              Answer answer = probe.products("page=1");
              String type = answer.header("Content-Type").toLowerCase(Locale.ROOT);
              answer.require(
                  type.replace(" ", "").replace("\"", "").contains("charset=utf-8"),
                  "the Content-Type is " + type);
            }),
        settled(
            "headers.date",
            "sends its time in the Date header",
            probe -> {
              Answer answer = probe.products("page=1");
              answer.require(!answer.header("Date").isEmpty(), "the Date header is missing");
            }),
        settled(
            "headers.request-id",
            "gives every response a unique X-Request-Id",
            probe -> {
              String first = probe.products("page=1").header("X-Request-Id");
              Answer answer = probe.products("page=1");
              String second = answer.header("X-Request-Id");
              answer.require(
                  !first.isEmpty() && !second.isEmpty() && !first.equals(second),
                  "the ids of two responses are '%s' and '%s'".formatted(first, second));
            }));
  }

  private static void postOnly(Probe probe) {
    for (String path : Probe.PATHS) {
      for (String method : List.of("GET", "PUT", "DELETE")) {
        Answer answer = probe.ask(path).method(method).send().hasStatus(405);
        answer.require(answer.header("Allow").equals("POST"), "Allow is not POST");
      }
    }
  }

  private static void requireJson(Answer answer) {
    String type = answer.header("Content-Type").toLowerCase(Locale.ROOT);
    answer.require(type.startsWith("application/json"), "the Content-Type is '" + type + "'");
    answer.require(answer.json().isObject(), "the body is not a JSON object");
  }
}
