package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * {@code POST /Product/Detail}. Fetches count against a limit, so most rules share one response.
 */
final class DetailRules {
  private static final Pattern LEFT = Pattern.compile("\"detail-per-day\";r=(\\d+)");
  private static final List<String> FIELDS =
      List.of(
          "categoryIdTree",
          "categoryNameTree",
          "description",
          "imgs",
          "price",
          "outerId",
          "picUrl",
          "attributes",
          "skus",
          "storeUrl",
          "storeName",
          "title",
          "video");

  private DetailRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "detail.shape",
            "returns success and data with every required field in its type",
            DetailRules::shape,
            Need.PRODUCT),
        settled(
            "detail.fields",
            "returns exactly the documented fields, in their order",
            probe -> {
              Answer answer = probe.detail().succeeds();
              answer.require(
                  Answer.names(answer.json()).equals(List.of("success", "msg", "data")),
                  "the fields are " + Answer.names(answer.json()));
              answer.require(
                  Answer.names(answer.get("data")).equals(FIELDS),
                  "the fields of data are " + Answer.names(answer.get("data")));
            },
            Need.PRODUCT),
        settled(
            "detail.price",
            "returns the price as a number with two decimal places",
            probe -> {
              Answer answer = probe.detail().succeeds();
              JsonNode price = answer.get("data").path("price");
              answer.require(
                  price.isNumber() && price.decimalValue().scale() == 2, "price is " + price);
            },
            Need.PRODUCT),
        owed(
            "detail.outer-id",
            "builds outerId from storeUrl, item number and price, separated by /",
            probe -> {
              Answer answer = probe.detail().succeeds();
              JsonNode data = answer.get("data");
              String outerId = data.path("outerId").asString("");
              String store = data.path("storeUrl").asString("") + "/";
              int last = outerId.lastIndexOf('/');
              answer.require(
                  outerId.startsWith(store)
                      && last > store.length()
                      && isPrice(outerId.substring(last + 1), data.path("price")),
                  "outerId is " + outerId);
            },
            Need.PRODUCT),
        owed(
            "detail.picture",
            "returns the first of imgs as picUrl",
            probe -> {
              Answer answer = probe.detail().succeeds();
              JsonNode data = answer.get("data");
              String first = data.path("imgs").path(0).asString("");
              answer.require(
                  data.path("picUrl").asString("?").equals(first), "the first image is " + first);
            },
            Need.PRODUCT),
        owed(
            "detail.skus",
            "lists sizes and quantities of every color of the stock list, at matching positions",
            DetailRules::skus,
            Need.PRODUCT),
        settled(
            "detail.any-form",
            "accepts pid from the query string, and from JSON as number or string",
            probe -> {
              int pid = probe.product();
              probe.ask(Probe.DETAIL).query("pid=" + pid).send().succeeds();
              probe.ask(Probe.DETAIL).json("{\"pid\":" + pid + "}").send().succeeds();
              probe.ask(Probe.DETAIL).json("{\"pid\":\"" + pid + "\"}").send().succeeds();
            },
            Need.PRODUCT),
        owed(
            "detail.pid-bad",
            "rejects a pid that is missing or not a whole number from 1 with 400",
            probe -> {
              for (String form : List.of("", "pid=", "pid=x", "pid=0")) {
                probe.ask(Probe.DETAIL).form(form).send().rejected("'" + form + "'");
              }
            }),
        settled(
            "detail.missing",
            "responds to a product that does not exist with success false, a message and data \"\"",
            probe -> {
              Answer answer = missing(probe).fails();
              answer.require(
                  answer.get("data").isString() && answer.get("data").asString().isEmpty(),
                  "data is not an empty string");
            }),
        settled(
            "detail.foreign",
            "responds to another merchant's product exactly as to one that does not exist",
            probe -> {
              int foreign = Objects.requireNonNull(probe.target().foreignProduct());
              String expected = StockListRules.unnumbered(missing(probe), Probe.MISSING);
              Answer answer = probe.ask(Probe.DETAIL).form("pid=" + foreign).send();
              answer.require(
                  StockListRules.unnumbered(answer, foreign).equals(expected),
                  "the response should be " + expected);
            },
            Need.FOREIGN_PRODUCT),
        settled(
            "detail.limit-headers",
            "sends the limits in RateLimit-Policy and what is left in RateLimit",
            probe -> {
              Answer answer = probe.detail();
              String policy = answer.header("RateLimit-Policy");
              answer.require(
                  policy.matches(".*\"detail-per-day\";q=\\d+;w=86400.*"),
                  "RateLimit-Policy is '" + policy + "'");
              var _ = left(answer);
            },
            Need.PRODUCT),
        settled(
            "detail.counted",
            "counts every detail it returns, including repeats",
            probe -> {
              long before = left(probe.fetchDetail());
              Answer answer = probe.fetchDetail();
              answer.require(left(answer) < before, "the remaining quota did not decrease");
            },
            Need.PRODUCT),
        settled(
            "detail.failure-free",
            "does not count a product that does not exist",
            probe -> {
              long before = left(missing(probe));
              Answer answer = missing(probe);
              answer.require(
                  left(answer) == before, "before this failure %d were left".formatted(before));
            }));
  }

  private static boolean isPrice(String text, JsonNode price) {
    return text.matches("\\d+(\\.\\d+)?")
        && price.isNumber()
        && new BigDecimal(text).compareTo(price.decimalValue()) == 0;
  }

  private static Answer missing(Probe probe) {
    return probe.ask(Probe.DETAIL).form("pid=" + Probe.MISSING).send();
  }

  private static long left(Answer answer) {
    Matcher left = LEFT.matcher(answer.header("RateLimit"));
    answer.require(left.find(), "RateLimit is '" + answer.header("RateLimit") + "'");
    return Long.parseLong(left.group(1));
  }

  private static void shape(Probe probe) {
    Answer answer = probe.detail().succeeds();
    answer.require(answer.get("msg").asString("").isEmpty(), "msg is not empty");
    JsonNode data = answer.get("data");
    for (String name :
        List.of("description", "outerId", "picUrl", "storeUrl", "storeName", "title")) {
      answer.require(data.path(name).isString(), name + " is not a string");
    }
    answer.require(data.path("price").isNumber(), "price is not a number");
    answer.require(data.path("imgs").isArray(), "imgs is not an array");
    data.path("imgs").forEach(img -> answer.require(img.isString(), "an image is not a string"));
    answer.require(data.path("skus").isArray(), "skus is not an array");
    for (JsonNode sku : data.path("skus")) {
      answer.require(sku.path("color").isString(), "the color of a sku is not a string");
      answer.require(sku.path("size").isString(), "the size of a sku is not a string");
    }
    for (JsonNode attribute : data.path("attributes")) {
      answer.require(
          attribute.path("name").isString() && attribute.path("value").isString(),
          "an attribute lacks name or value");
    }
  }

  private static void skus(Probe probe) {
    Map<String, Map<String, String>> expected = new LinkedHashMap<>();
    probe.haveStock();
    Answer answer = probe.fetchDetail().succeeds();
    for (JsonNode entry : probe.entries(probe.product())) {
      expected
          .computeIfAbsent(entry.path("color").asString(""), _ -> new LinkedHashMap<>())
          .put(entry.path("size").asString(""), entry.path("stock").asString(""));
    }
    Map<String, Map<String, String>> found = new LinkedHashMap<>();
    for (JsonNode sku : answer.get("data").path("skus")) {
      List<String> sizes = Arrays.asList(sku.path("size").asString("").split(",", -1));
      List<String> stock = Arrays.asList(sku.path("stockNum").asString("").split(",", -1));
      String color = sku.path("color").asString("");
      answer.require(
          sizes.size() == stock.size(), "size and stockNum of " + color + " differ in length");
      Map<String, String> entries = new LinkedHashMap<>();
      for (int i = 0; i < sizes.size(); i++) {
        entries.put(sizes.get(i), stock.get(i));
      }
      found.put(color, entries);
    }
    answer.require(
        found.equals(expected), "the detail says %s, the stock list %s".formatted(found, expected));
  }
}
