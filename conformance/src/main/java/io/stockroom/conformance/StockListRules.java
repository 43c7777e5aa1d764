package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import io.stockroom.protocol.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** {@code POST /Stock/List}. */
final class StockListRules {
  private StockListRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "stock.shape",
            "returns guid (32 hexadecimal characters), barCode, color, size and stock of each entry",
            StockListRules::shape,
            Need.PRODUCT),
        settled(
            "stock.fields",
            "returns exactly these fields in this order, between success and msg",
            probe -> {
              probe.haveStock();
              Answer answer = probe.stock(probe.product()).succeeds();
              answer.require(
                  Answer.names(answer.json()).equals(List.of("success", "data", "msg")),
                  "the fields are " + Answer.names(answer.json()));
              List<String> expected = List.of("guid", "barCode", "color", "size", "stock");
              for (JsonNode entry : answer.data()) {
                answer.require(
                    Answer.names(entry).equals(expected),
                    "the fields of an entry are " + Answer.names(entry));
              }
            },
            Need.PRODUCT),
        settled(
            "stock.size-number",
            "returns a whole-number size as a JSON number, and every other one as a string",
            probe -> {
              probe.haveStock();
              Answer answer = probe.stock(probe.product()).succeeds();
              answer
                  .data()
                  .forEach(
                      e ->
                          answer.require(
                              e.path("size").isInt() == size(e).number().isPresent(),
                              "a size is " + e.path("size")));
            },
            Need.PRODUCT),
        settled(
            "stock.order",
            "lists colors in order of creation, and the sizes of each ascending",
            StockListRules::order,
            Need.PRODUCT),
        owed(
            "stock.not-added",
            "responds to a product without stock with success false, data \"\" and a message",
            probe -> {
              List<JsonNode> bare = probe.products("page=1&stock=false").succeeds().data();
              if (bare.isEmpty()) {
                throw new RuleSkipped("the merchant has no product without stock");
              }
              requireNoData(probe.stock(bare.getFirst().path("id").asInt(0)));
            }),
        owed(
            "stock.missing",
            "responds to a product that does not exist with success false, data \"\" and a message",
            probe -> requireNoData(probe.stock(Probe.MISSING))),
        settled(
            "stock.foreign",
            "responds to another merchant's product exactly as to one that does not exist",
            probe -> {
              int foreign = Objects.requireNonNull(probe.target().foreignProduct());
              String missing = unnumbered(probe.stock(Probe.MISSING), Probe.MISSING);
              Answer answer = probe.stock(foreign);
              answer.require(
                  unnumbered(answer, foreign).equals(missing), "the response should be " + missing);
            },
            Need.FOREIGN_PRODUCT),
        owed(
            "stock.productid-bad",
            "rejects a productid that is missing or not a whole number from 1 with 400",
            probe -> {
              for (String form : List.of("", "productid=", "productid=x", "productid=0")) {
                probe.ask(Probe.STOCK).form(form).send().rejected("'" + form + "'");
              }
            }));
  }

  /** Status and body without the product's id. */
  static String unnumbered(Answer answer, int pid) {
    return answer.status() + " " + answer.body().replace(Integer.toString(pid), "N");
  }

  private static void requireNoData(Answer answer) {
    answer.fails();
    answer.require(
        answer.get("data").isString() && answer.get("data").asString().isEmpty(),
        "data is not an empty string");
  }

  private static void shape(Probe probe) {
    probe.haveStock();
    Answer answer = probe.stock(probe.product()).succeeds();
    answer.require(answer.get("msg").asString("?").isEmpty(), "msg is not empty");
    answer.require(!answer.data().isEmpty(), "the product has stock, but data is empty");
    for (JsonNode entry : answer.data()) {
      String guid = entry.path("guid").asString("");
      answer.require(guid.matches("[0-9a-fA-F]{32}"), "a guid is '" + guid + "'");
      JsonNode barCode = entry.path("barCode");
      answer.require(barCode.isNull() || barCode.isString(), "a barCode is " + barCode);
      answer.require(entry.path("color").isString(), "a color is not a string");
      answer.require(
          Size.find(entry.path("size").asString("")).isPresent(),
          "a size is " + entry.path("size"));
      answer.require(entry.path("stock").isInt(), "a stock is not a whole number");
    }
  }

  private static Size size(JsonNode entry) {
    String text = entry.path("size").asString("");
    return Size.find(text).orElseThrow(() -> new RuleViolation("a size is '" + text + "'"));
  }

  private static void order(Probe probe) {
    probe.haveStock();
    int pid = probe.product();
    probe.create(Stock.list(Stock.group(pid, Stock.AFTER, "38-39", probe.quantity()))).succeeds();
    List<String> colors = new ArrayList<>();
    Size size = Size.of(0);
    for (JsonNode entry : probe.entries(pid)) {
      String color = entry.path("color").asString("");
      if (colors.isEmpty() || !colors.getLast().equals(color)) {
        if (colors.contains(color)) {
          throw new RuleViolation("the entries of color " + color + " are not consecutive");
        }
        colors.add(color);
      } else if (size(entry).compareTo(size) <= 0) {
        throw new RuleViolation("the sizes of color " + color + " do not ascend");
      }
      size = size(entry);
    }
    if (colors.indexOf(Stock.BEFORE) > colors.indexOf(Stock.AFTER)) {
      throw new RuleViolation("'%s' came before '%s'".formatted(Stock.BEFORE, Stock.AFTER));
    }
  }
}
