package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.settled;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** The content and language of rejections. */
final class RejectionRules {
  private RejectionRules() {}

  static List<Rule> rules() {
    return List.of(
        settled(
            "refusal.shape",
            "responds 400 with success false, msg, and errors with at, code and msg each",
            probe -> {
              Answer answer = bad(probe, "en").rejected();
              answer.require(!answer.get("success").asBoolean(true), "success is not false");
              answer.require(!answer.msg().isBlank(), "msg is empty");
              answer.require(!answer.errors("at").isEmpty(), "errors is empty");
              for (JsonNode error : answer.get("errors")) {
                answer.require(
                    Answer.names(error).equals(List.of("at", "code", "msg")),
                    "the fields of an error are " + Answer.names(error));
              }
            }),
        settled(
            "refusal.place",
            "names the location and the value of an error",
            probe -> {
              Answer answer = bad(probe, "en").rejected();
              answer.require(
                  answer.errors("at").contains("productid"), "errors does not name productid");
              answer.require(
                  answer.msg().contains("12three"), "msg does not show the value 12three");
            }),
        settled(
            "refusal.every-fault",
            "lists every error of a create at once, each with its location in the body",
            probe -> {
              String body =
                  Stock.list(
                      Stock.group(Probe.MISSING, "conform", "36.5", 1),
                      Stock.group(Probe.MISSING, "", "36", 1),
                      Stock.group(Probe.MISSING, "conform", "36", -1));
              Answer answer = probe.badCreate(body).rejected();
              List<String> expected =
                  List.of("[0].param[0].size", "[1].color", "[2].param[0].stock");
              answer.require(
                  answer.errors("at").equals(expected),
                  "expected the locations " + expected + ", got " + answer.errors("at"));
            }),
        settled(
            "refusal.not-found-shape",
            "gives 404 and 405 the same body as a 400",
            probe -> {
              requireShape(probe.ask("/Stock/Create").json("[]").send());
              requireShape(probe.ask(Probe.STOCK).method("GET").send());
            }),
        settled(
            "refusal.no-secret",
            "repeats neither secret nor access token in a rejection",
            probe -> {
              Answer answer =
                  probe.ask(Probe.STOCK).form("productid=x").header("sign", "x").send().rejected();
              String said = answer.body();
              answer.require(
                  !said.contains(probe.target().token()) && !said.contains(probe.target().secret()),
                  "the rejection repeats a secret");
            }),
        settled(
            "language.chinese",
            "responds in Simplified Chinese to Accept-Language: zh-CN",
            probe -> {
              Answer answer = bad(probe, "zh-CN").rejected();
              answer.require(hasHan(answer.msg()), "msg has no Chinese character");
            }),
        settled(
            "language.english",
            "responds in English to Accept-Language: en",
            probe -> {
              Answer answer = bad(probe, "en").rejected();
              answer.require(!hasHan(answer.msg()), "msg has Chinese characters");
            }),
        settled(
            "language.same-codes",
            "returns the same codes and locations in both languages",
            probe -> {
              Answer english = bad(probe, "en").rejected();
              Answer chinese = bad(probe, "zh-CN").rejected();
              chinese.require(
                  chinese.errors("code").equals(english.errors("code"))
                      && chinese.errors("at").equals(english.errors("at")),
                  "in English they are " + english.errors("code") + english.errors("at"));
            }));
  }

  private static Answer bad(Probe probe, String language) {
    return probe
        .ask(Probe.STOCK)
        .form("productid=12three")
        .header("Accept-Language", language)
        .send();
  }

  private static void requireShape(Answer answer) {
    answer.require(
        Answer.names(answer.json()).equals(List.of("success", "msg", "errors")),
        "the fields are " + Answer.names(answer.json()));
  }

  private static boolean hasHan(String text) {
    return text.codePoints()
        .anyMatch(c -> Character.UnicodeScript.of(c) == Character.UnicodeScript.HAN);
  }
}
