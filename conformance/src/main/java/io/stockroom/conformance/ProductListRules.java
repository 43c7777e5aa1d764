package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** {@code POST /Stock/Product}. */
final class ProductListRules {
  private static final int MAX_PAGES = 5;
  private static final int SAMPLE = 3;

  private ProductListRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "products.shape",
            "returns success, totalPages and data with id, artNo and pic of each product",
            ProductListRules::shape),
        settled(
            "products.fields",
            "returns exactly these fields, in this order",
            probe -> {
              Answer answer = probe.products("page=1").succeeds();
              answer.require(
                  Answer.names(answer.json()).equals(List.of("success", "totalPages", "data")),
                  "the fields are " + Answer.names(answer.json()));
              for (JsonNode product : answer.data()) {
                answer.require(
                    Answer.names(product).equals(List.of("id", "artNo", "pic")),
                    "the fields of a product are " + Answer.names(product));
              }
            }),
        owed(
            "products.page-missing",
            "rejects a product list without a page with 400",
            probe -> {
              probe.products("").rejected("no page");
              probe.products("page=").rejected("an empty page");
            }),
        owed(
            "products.page-bad",
            "rejects a page that is not a whole number from 1 with 400",
            probe -> {
              for (String page : List.of("0", "-1", "x", "1.5", "2147483648")) {
                probe.products("page=" + page).rejected("page " + page);
              }
            }),
        owed(
            "products.page-in-query",
            "accepts the page from the query string, with no body and no Content-Type",
            probe -> {
              Answer answer = probe.ask(Probe.PRODUCTS).query("page=1").send().succeeds();
              answer.require(
                  answer.body().equals(probe.products("page=1").body()),
                  "it differs from the response to the same page in the form");
            }),
        settled(
            "products.page-conflict",
            "rejects different pages in query string and form with 400",
            probe -> probe.ask(Probe.PRODUCTS).query("page=1").form("page=2").send().rejected()),
        settled(
            "products.field-repeated",
            "rejects a repeated field with 400",
            probe -> probe.products("page=1&page=1").rejected()),
        settled(
            "products.field-unknown",
            "ignores unknown fields",
            probe -> probe.products("page=1&conform=1").succeeds()),
        owed(
            "products.last-page",
            "has products on the page that totalPages names",
            probe -> {
              int total = total(probe, "");
              require(probe, total);
              Answer answer = probe.products("page=" + total).succeeds();
              answer.require(!answer.data().isEmpty(), "page " + total + " is empty");
            }),
        settled(
            "products.beyond-end",
            "responds to a page beyond the end with success, empty data and the same totalPages",
            probe -> {
              int total = total(probe, "");
              Answer answer = probe.products("page=" + (total + 1)).succeeds();
              answer.require(answer.data().isEmpty(), "data is not empty");
              answer.require(
                  answer.get("totalPages").asInt(-1) == total,
                  "totalPages is not " + total + ", as on page 1");
            }),
        settled(
            "products.order",
            "lists products in id order over all pages, without duplicates",
            ProductListRules::order),
        owed(
            "products.stock-true",
            "lists only products with stock added for stock=true",
            probe -> filtered(probe, true)),
        owed(
            "products.stock-false",
            "lists only products without stock added for stock=false",
            probe -> filtered(probe, false)),
        owed(
            "products.stock-all",
            "lists as many products for stock=true and stock=false together as without the filter",
            probe -> {
              int all = count(probe, "");
              int stocked = count(probe, "&stock=true");
              int bare = count(probe, "&stock=false");
              if (all != stocked + bare) {
                throw new RuleViolation(
                    "%d with and %d without stock, but %d in total".formatted(stocked, bare, all));
              }
            }),
        settled(
            "products.stock-any-case",
            "accepts stock=TRUE like stock=true",
            probe -> same(probe, "page=1&stock=TRUE", "page=1&stock=true")),
        settled(
            "products.stock-empty",
            "treats an empty stock as omitted",
            probe -> same(probe, "page=1&stock=", "page=1")),
        owed(
            "products.stock-bad",
            "rejects a stock that is neither true nor false with 400",
            probe -> {
              probe.products("page=1&stock=yes").rejected("yes");
              probe.products("page=1&stock=1").rejected("1");
            }));
  }

  private static void shape(Probe probe) {
    Answer answer = probe.products("page=1").succeeds();
    answer.require(answer.get("totalPages").isInt(), "totalPages is not a whole number");
    for (JsonNode product : answer.data()) {
      answer.require(product.path("id").isInt(), "an id is not a whole number");
      answer.require(product.path("artNo").isString(), "an artNo is not a string");
      answer.require(product.path("pic").isString(), "a pic is not a string");
    }
  }

  private static void order(Probe probe) {
    List<List<JsonNode>> pages = probe.pages("", MAX_PAGES);
    List<Integer> ids = new ArrayList<>();
    pages.forEach(page -> page.forEach(product -> ids.add(product.path("id").asInt(0))));
    if (pages.size() < 2) {
      throw new RuleSkipped("the merchant has no second page of products");
    }
    for (int i = 1; i < ids.size(); i++) {
      if (ids.get(i - 1) >= ids.get(i)) {
        throw new RuleViolation("product %d comes before %d".formatted(ids.get(i - 1), ids.get(i)));
      }
    }
  }

  private static void filtered(Probe probe, boolean stocked) {
    List<JsonNode> products = probe.products("page=1&stock=" + stocked).succeeds().data();
    if (products.isEmpty()) {
      throw new RuleSkipped(
          "the merchant has no product " + (stocked ? "with" : "without") + " stock");
    }
    for (JsonNode product : products.subList(0, Math.min(SAMPLE, products.size()))) {
      Answer answer = probe.stock(product.path("id").asInt(0)).hasStatus(200);
      answer.require(
          answer.get("success").asBoolean(false) == stocked,
          "product %s is listed under stock=%s".formatted(product.path("id"), stocked));
    }
  }

  /** Counts the full pages and the products of the last page. */
  private static int count(Probe probe, String filter) {
    Answer first = probe.products("page=1" + filter).succeeds();
    int total = first.get("totalPages").asInt(0);
    if (total <= 1) {
      return first.data().size();
    }
    int last = probe.products("page=" + total + filter).succeeds().data().size();
    return (total - 1) * first.data().size() + last;
  }

  private static int total(Probe probe, String filter) {
    return probe.products("page=1" + filter).succeeds().get("totalPages").asInt(0);
  }

  private static void require(Probe probe, int total) {
    if (total == 0 && probe.target().products().isEmpty()) {
      throw new RuleSkipped("the merchant has no products");
    }
  }

  private static void same(Probe probe, String form, String other) {
    Answer expected = probe.products(other).succeeds();
    Answer answer = probe.products(form).succeeds();
    answer.require(
        answer.body().equals(expected.body()), "it differs from the response to " + other);
  }
}
