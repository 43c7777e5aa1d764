package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the calls that find, save, archive and restore products. */
public final class ProductsReader {
  /** How many products one call saves, archives or restores. */
  public static final int MAX_PRODUCTS = 100;

  /** How many item numbers, and how many barcodes, one search may name. */
  public static final int MAX_NAMES = 300;

  public static final int WORDS_CHARACTERS = 200;

  private static final String PID = "pid";
  private static final String ART_NO = "artNo";
  private static final List<String> NAMES = List.of(PID, ART_NO);

  /** The fields of a product that is saved. */
  public static final List<String> FIELDS =
      List.of(
          PID,
          ART_NO,
          "title",
          "description",
          "price",
          "imgs",
          "categoryIdTree",
          "categoryNameTree",
          "attributes",
          "video");

  /**
   * A request of {@code /Product/Find}. A product is found if it has one of the item numbers, one
   * of the barcodes, all words, and a change after the cursor; what is empty does not matter.
   *
   * @param after what the last page returned as {@code next}; empty for the first page
   */
  public record FindRequest(
      List<String> artNos,
      List<String> barCodes,
      String words,
      String changedAfter,
      String after,
      int limit) {}

  private final JsonReader json;
  private final Problems problems;

  private ProductsReader(JsonReader json) {
    this.json = json;
    this.problems = json.problems();
  }

  /** {@code /Product/Find}: a form, or the query string alone. */
  public static FindRequest find(RequestContent content) throws InvalidRequest {
    FormReader.requireFormOrNoBody(content);
    FormReader form = FormReader.of(content);
    Problems problems = form.problems();
    List<String> artNos = names(form, ART_NO, Text::artNo);
    List<String> barCodes = names(form, "barCode", Text::barCode);
    String words = form.get("words");
    String line =
        words == null ? "" : problems.check("words", () -> Text.line(words, WORDS_CHARACTERS));
    String changedAfter = FeedReader.cursor(form, "changedAfter");
    String after = FeedReader.cursor(form, "after");
    int limit = form.within("limit", 1, FeedReader.MAX_PRODUCTS, FeedReader.DEFAULT_PRODUCTS);
    problems.throwIfAny();
    return new FindRequest(artNos, barCodes, line == null ? "" : line, changedAfter, after, limit);
  }

  private static List<String> names(
      FormReader form, String name, Function<String, String> normalized) {
    List<String> sent = form.all(name).stream().filter(value -> !value.isEmpty()).toList();
    if (sent.size() > MAX_NAMES) {
      form.problems().add(name, ErrorCode.LIST_TOO_LONG, sent.size(), MAX_NAMES);
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (String value : sent) {
      String kept = form.problems().check(name, () -> normalized.apply(value));
      if (kept != null) {
        names.add(kept);
      }
    }
    return names;
  }

  /** {@code /Product/Archive} and {@code /Product/Restore}: products by id or item number. */
  public static List<NamedProduct> named(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.JSON);
    return JsonReader.read(content.body(), json -> new ProductsReader(json).named());
  }

  /** {@code /Product/Save}. */
  public static List<SavedProduct> save(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.JSON);
    return JsonReader.read(content.body(), json -> new ProductsReader(json).saved());
  }

  private List<NamedProduct> named() {
    List<NamedProduct> products = new ArrayList<>();
    json.list(
        "an array of products",
        MAX_PRODUCTS,
        at -> {
          Element element = element(at, NAMES);
          if (element != null && element.product != null) {
            products.add(element.product);
          }
        });
    rejectRepeated(products);
    return products;
  }

  private List<SavedProduct> saved() {
    List<SavedProduct> products = new ArrayList<>();
    json.list(
        "an array of products",
        MAX_PRODUCTS,
        at -> {
          Element element = element(at, FIELDS);
          if (element != null && element.product != null) {
            products.add(element.saved(element.product));
          }
        });
    rejectRepeated(products.stream().map(SavedProduct::product).toList());
    return products;
  }

  private void rejectRepeated(List<NamedProduct> products) {
    Map<Object, JsonPath> places = new HashMap<>();
    for (NamedProduct product : products) {
      JsonPath earlier = places.putIfAbsent(product.name(), product.element());
      if (earlier != null) {
        problems.add(product.at(), ErrorCode.PRODUCT_REPEATED, product.name(), earlier);
      }
    }
  }

  /** What an element of the array says. */
  private static final class Element {
    private @Nullable NamedProduct product;
    private @Nullable String title;
    private @Nullable String description;
    private @Nullable BigDecimal price;
    private @Nullable List<String> imgs;
    private @Nullable String categoryIdTree;
    private @Nullable String categoryNameTree;
    private @Nullable List<String> attributeNames;
    private @Nullable List<String> attributeValues;
    private @Nullable String video;

    private SavedProduct saved(NamedProduct named) {
      return new SavedProduct(
          named,
          title,
          description,
          price,
          imgs,
          categoryIdTree,
          categoryNameTree,
          attributeNames,
          attributeValues,
          video);
    }
  }

  private @Nullable Element element(JsonPath at, List<String> known) {
    if (!json.isObject(at, "a product {…}")) {
      return null;
    }
    Element element = new Element();
    JsonReader.Fields fields = json.fields(at);
    Integer pid = null;
    String artNo = null;
    for (String name = fields.next(); name != null; name = fields.next()) {
      JsonPath place = at.field(name);
      if (!known.contains(name)) {
        fields.skipUnknown(name, known);
      } else if (json.isNull()) {
        fields.ignore(name);
      } else {
        switch (name) {
          case PID -> pid = json.number(place, 1);
          case ART_NO -> artNo = text(place, Text::artNo);
          default -> field(element, name, place);
        }
      }
    }
    fields.requireOneOf(PID, ART_NO);
    sameLength(at, element);
    if (pid != null || artNo != null) {
      element.product = new NamedProduct(at, pid, artNo);
    }
    return element;
  }

  private void field(Element element, String name, JsonPath at) {
    switch (name) {
      case "title" ->
          element.title = text(at, text -> Text.name(text, ProductText.TITLE_CHARACTERS));
      case "description" ->
          element.description =
              text(at, text -> Text.block(text, ProductText.DESCRIPTION_CHARACTERS));
      case "price" -> element.price = price(at);
      case "imgs" -> element.imgs = addresses(at);
      case "categoryIdTree" -> element.categoryIdTree = category(at);
      case "categoryNameTree" -> element.categoryNameTree = category(at);
      case "attributes" -> attributes(at, element);
      case "video" -> element.video = address(at);
      default -> throw new IllegalStateException("not a field of a product: " + name);
    }
  }

  private @Nullable String text(JsonPath at, Function<String, String> rule) {
    String text = json.text(at);
    return text == null ? null : problems.check(at, () -> rule.apply(text));
  }

  private @Nullable String category(JsonPath at) {
    return text(at, text -> Text.line(text, ProductText.CATEGORY_CHARACTERS));
  }

  private @Nullable BigDecimal price(JsonPath at) {
    String text = json.decimal(at, "a number with at most two decimals, such as 59.00");
    BigDecimal price = text == null ? null : ProductText.price(text);
    if (text != null && price == null) {
      problems.add(at, ErrorCode.CELL_FORMAT, text, ProductText.PRICE_RULE);
    }
    return price;
  }

  /** An empty address removes the video. */
  private @Nullable String address(JsonPath at) {
    String sent = json.text(at);
    String text = sent == null ? null : sent.strip();
    if (text == null || text.isEmpty() || ProductText.isWebAddress(text)) {
      return text;
    }
    problems.add(at, ErrorCode.CELL_FORMAT, text, ProductText.ADDRESS_RULE);
    return null;
  }

  private @Nullable List<String> addresses(JsonPath at) {
    List<String> addresses = new ArrayList<>();
    boolean isArray =
        json.arrayOrEmpty(
            at,
            "an array of addresses",
            ProductText.MAX_IMAGES,
            element -> {
              String address = address(element);
              if (address != null && address.isEmpty()) {
                problems.add(element, ErrorCode.TEXT_EMPTY);
              } else if (address != null) {
                addresses.add(address);
              }
            });
    return isArray ? addresses : null;
  }

  private void attributes(JsonPath at, Element to) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    boolean isArray =
        json.arrayOrEmpty(
            at,
            "an array of attributes",
            ProductText.MAX_ATTRIBUTES,
            element -> attribute(element, names, values));
    if (isArray) {
      to.attributeNames = names;
      to.attributeValues = values;
    }
  }

  private void attribute(JsonPath at, List<String> names, List<String> values) {
    if (!json.isObject(at, "an attribute {…}")) {
      return;
    }
    JsonReader.Fields fields = json.fields(at);
    String name = null;
    String value = "";
    for (String field = fields.next(); field != null; field = fields.next()) {
      switch (field) {
        case "name" ->
            name =
                text(
                    at.field(field),
                    text -> Text.name(text, ProductText.ATTRIBUTE_NAME_CHARACTERS));
        case "value" ->
            value =
                text(
                    at.field(field),
                    text -> Text.line(text, ProductText.ATTRIBUTE_VALUE_CHARACTERS));
        default -> fields.skipUnknown(field, List.of("name", "value"));
      }
    }
    fields.require("name");
    if (name != null && value != null) {
      names.add(name);
      values.add(value);
    }
  }

  /** If both trees are given, they must have the same number of parts. */
  private void sameLength(JsonPath at, Element element) {
    String ids = element.categoryIdTree;
    String names = element.categoryNameTree;
    if (ids == null || names == null || ids.isEmpty() || names.isEmpty()) {
      return;
    }
    int parts = names.split(",", -1).length;
    int wanted = ids.split(",", -1).length;
    if (parts != wanted) {
      problems.add(
          at.field("categoryNameTree"),
          ErrorCode.PARTS_DIFFER,
          names,
          parts,
          "categoryIdTree",
          wanted);
    }
  }
}
