package io.stockroom.console.explorer;

import static java.util.stream.Collectors.joining;

import io.stockroom.protocol.check.Endpoint;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.ImportReader;
import io.stockroom.protocol.request.RequestContent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Writes a call as a statement for the Java SDK. Whatever is not a plain value stays out of it. */
final class SdkCall {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String UNREADABLE = "List.of(/* the body is not a list of objects yet */)";

  private final FormReader form;
  private final JsonNode body;

  private SdkCall(FormReader form, JsonNode body) {
    this.form = form;
    this.body = body;
  }

  static String of(Endpoint endpoint, String target, String body) {
    String query = target.contains("?") ? target.substring(target.indexOf('?') + 1) : "";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    FormReader form = FormReader.of(RequestContent.of(RequestContent.FORM, query, bytes));
    return new SdkCall(form, json(body)).statement(endpoint);
  }

  private static JsonNode json(String body) {
    try {
      return JSON.readTree(body);
    } catch (JacksonException unreadable) {
      return MissingNode.getInstance();
    }
  }

  private String statement(Endpoint endpoint) {
    return switch (endpoint) {
      case PRODUCT_LIST ->
          print("productPage(%s, StockFilter.%s)", field("page", "1"), stockFilter());
      case STOCK_LIST -> each("stock(%s)", field("productid", "1"));
      case PRODUCT_DETAIL -> print("detail(%s).product()", pid());
      case USAGE -> print("usage(%s)", field("page", "1"));
      case STOCK_CREATE -> print("createStock(%s)", list(SdkCall::group));
      case STOCK_ADJUST -> print("adjust(%s)", list(SdkCall::adjustment));
      case STOCK_BATCH -> print("stockBatch(List.of(%s))", pids());
      case STOCK_REMOVE -> print("removeStock(%s)", list(SdkCall::removal));
      case STOCK_SNAPSHOT -> each("snapshot().products()");
      case STOCK_DIGEST -> print("digest()");
      case PUBLISH_RESULTS -> print("publish(%s)", list(SdkCall::result));
      case PRODUCT_FIND -> each("catalogue().find(%s).products()", query());
      case PRODUCT_PICTURE ->
          print("catalogue().addPicture(Path.of(\"picture.jpg\"), %s)", pictureSpot());
      case PRODUCT_SAVE -> print("catalogue().save(%s)", list(SdkCall::draft));
      case PRODUCT_ARCHIVE -> print("catalogue().archive(%s)", list(SdkCall::product));
      case PRODUCT_RESTORE -> print("catalogue().restore(%s)", list(SdkCall::product));
      case CHANGES -> changes();
      case STOCK_IMPORT ->
          print(
              "imports().start(Path.of(\"stock.csv\"), ImportMode.%s, %s)",
              importMode(), field("apply", "false"));
      case IMPORT_STATUS -> print("imports().status(\"%s\")", field("job", "1"));
      case IMPORT_APPLY -> run("imports().apply(\"%s\")", field("job", "1"));
      case IMPORT_CANCEL -> run("imports().cancel(\"%s\")", field("job", "1"));
      case IMPORT_UNDO -> print("imports().undo(\"%s\")", field("job", "1"));
      case WEBHOOK_CREATE -> print("webhooks().create(%s).secret()", url());
      case WEBHOOK_UPDATE -> run("webhooks().update(\"%s\", %s)", webhookId(), url());
      case WEBHOOK_LIST -> each("webhooks().list()");
      case WEBHOOK_DELETE -> run("webhooks().delete(\"%s\")", webhookId());
      case WEBHOOK_TEST -> run("webhooks().test(\"%s\")", webhookId());
      case WEBHOOK_ENABLE -> run("webhooks().enable(\"%s\")", webhookId());
      case WEBHOOK_DISABLE -> run("webhooks().disable(\"%s\")", webhookId());
      case WEBHOOK_ROTATE -> print("webhooks().rotate(\"%s\").secret()", webhookId());
      case WEBHOOK_REPLAY -> run("webhooks().replay(\"%s\", \"%s\")", webhookId(), cursor());
      case WEBHOOK_DELIVERIES -> each("webhooks().deliveries(\"%s\")", webhookId());
    };
  }

  private static String print(String call, Object... values) {
    return "System.out.println(client.%s);".formatted(call.formatted(values));
  }

  private static String each(String call, Object... values) {
    return run(call + ".forEach(System.out::println)", values);
  }

  private static String run(String call, Object... values) {
    return "client.%s;".formatted(call.formatted(values));
  }

  private String pid() {
    return body.has("pid") ? number(body.get("pid")) : field("pid", "1");
  }

  private String pids() {
    return form.all("productid").stream()
        .map(pid -> pid.matches("[0-9]{1,10}") ? pid : "1")
        .collect(joining(", "));
  }

  private String stockFilter() {
    return switch (field("stock", "").toLowerCase(Locale.ROOT)) {
      case "true" -> "WITH_STOCK";
      case "false" -> "WITHOUT_STOCK";
      default -> "ALL";
    };
  }

  private String importMode() {
    String mode = form.get("mode");
    return (mode != null && ImportReader.MODES.contains(mode)
            ? mode
            : ImportReader.MODES.getFirst())
        .toUpperCase(Locale.ROOT);
  }

  private String pictureSpot() {
    String artNo = form.get("artNo");
    String pid = field("pid", "");
    if (artNo == null && pid.isEmpty()) {
      return "PictureSpot.NONE";
    }
    String product = pid.isEmpty() ? "artNo(" + quoted(artNo) + ")" : "pid(" + pid + ")";
    String color = form.get("color");
    String position = field("position", "");
    return "PictureSpot.of(ProductName.%s)%s%s"
        .formatted(
            product,
            color == null ? "" : ".color(" + quoted(color) + ")",
            position.isEmpty() ? "" : ".position(" + position + ")");
  }

  private String query() {
    return "new ProductQuery(List.of(%s), List.of(%s), %s, %s)"
        .formatted(
            form.all("artNo").stream().map(SdkCall::quoted).collect(joining(", ")),
            form.all("barCode").stream().map(SdkCall::quoted).collect(joining(", ")),
            quoted(form.get("words")),
            quoted(form.get("changedAfter")));
  }

  private String changes() {
    String after = cursor();
    if (after.equals("latest")) {
      return print("latestCursor()");
    }
    String from = after.isEmpty() ? "" : quoted(after);
    return run(
        "changes(%s).poll(Duration.ofSeconds(%s)).ifPresent(System.out::println)",
        from, field("wait", "0"));
  }

  private String webhookId() {
    String field = form.get("id");
    String id = field == null ? body.path("id").stringValue("") : field;
    return id.matches("wh_[0-9a-f]{32}") ? id : "wh_…";
  }

  private String url() {
    return quoted(body.path("url").stringValue("https://…"));
  }

  /** A cursor, the word "latest", or an empty text. */
  private String cursor() {
    String after = form.get("after");
    return after != null && after.matches("[A-Za-z0-9_-]{1,64}") ? after : "";
  }

  /** A number or a truth value from the form or the query string. */
  private String field(String name, String absent) {
    String value = form.get(name);
    return value != null && value.matches("[0-9]{1,10}|(?i:true|false)") ? value : absent;
  }

  private String list(Function<JsonNode, String> element) {
    JsonNode list = body.path("list").isArray() ? body.get("list") : body;
    return list.isArray() && elements(list).allMatch(JsonNode::isObject)
        ? elements(list)
            .map(each -> "\n            " + element.apply(each))
            .collect(joining(",", "List.of(", ")"))
        : UNREADABLE;
  }

  private static String group(JsonNode group) {
    String sizes = elements(group.path("param")).map(SdkCall::size).collect(joining(", "));
    return "new ColorGroup(%s, %s, List.of(%s))"
        .formatted(text(group.path("color")), number(group.path("pid")), sizes);
  }

  private static String size(JsonNode size) {
    return "SizeItem.of(%s, %s%s)"
        .formatted(
            text(size.path("size")),
            number(size.path("stock")),
            hasBarCode(size) ? ", " + text(size.path("barCode")) : "");
  }

  private static String adjustment(JsonNode one) {
    JsonNode size = one.path("size");
    String entry =
        hasBarCode(one)
            ? "Adjustment.barCode(%s)".formatted(text(one.path("barCode")))
            : "Adjustment.entry(%s, %s, %s)"
                .formatted(
                    pidOrArtNo(one),
                    text(one.path("color")),
                    size.isString() ? text(size) : number(size));
    String amount = one.has("set") ? "set" : "change";
    String expect = one.has("expect") ? ".expect(%s)".formatted(number(one.path("expect"))) : "";
    return "%s.%s(%s)%s".formatted(entry, amount, number(one.path(amount)), expect);
  }

  private static String removal(JsonNode one) {
    if (hasBarCode(one)) {
      return "Removal.barCode(%s)".formatted(text(one.path("barCode")));
    }
    String size = quoted(one.path("size").asString(""));
    if (!one.has("color")) {
      return "Removal.size(%s, %s)".formatted(product(one), size);
    }
    String color = text(one.path("color"));
    return one.has("size")
        ? "Removal.entry(%s, %s, %s)".formatted(product(one), color, size)
        : "Removal.color(%s, %s)".formatted(product(one), color);
  }

  private static String result(JsonNode result) {
    String pid = number(result.path("pid"));
    return switch (result.path("result").stringValue("")) {
      case "published" ->
          "PublishResult.published(%s, %s)".formatted(pid, text(result.path("url")));
      case "withdrawn" -> "PublishResult.withdrawn(%s)".formatted(pid);
      default -> "PublishResult.failed(%s, %s)".formatted(pid, text(result.path("msg")));
    };
  }

  private static String draft(JsonNode product) {
    StringBuilder draft = new StringBuilder("ProductDraft.of(" + pidOrArtNo(product) + ")");
    for (String name : List.of("title", "description", "video")) {
      if (product.path(name).isString()) {
        draft.append(".%s(%s)".formatted(name, text(product.get(name))));
      }
    }
    if (product.has("price")) {
      String price = product.get("price").asString("");
      boolean plain = price.matches("[0-9]{1,10}(\\.[0-9]{1,2})?");
      draft.append(".price(new BigDecimal(\"%s\"))".formatted(plain ? price : "1.00"));
    }
    if (product.path("imgs").isArray()) {
      String imgs = elements(product.get("imgs")).map(SdkCall::text).collect(joining(", "));
      draft.append(".imgs(List.of(%s))".formatted(imgs));
    }
    if (product.has("categoryIdTree") || product.has("categoryNameTree")) {
      String ids = text(product.path("categoryIdTree"));
      draft.append(".category(%s, %s)".formatted(ids, text(product.path("categoryNameTree"))));
    }
    if (product.path("attributes").isArray()) {
      String entries =
          elements(product.get("attributes")).map(SdkCall::entry).collect(joining(", "));
      draft.append(".attributes(Map.ofEntries(%s))".formatted(entries));
    }
    return draft.toString();
  }

  private static String entry(JsonNode attribute) {
    return "Map.entry(%s, %s)"
        .formatted(text(attribute.path("name")), text(attribute.path("value")));
  }

  private static String product(JsonNode product) {
    String by = product.path("artNo").isString() ? "artNo" : "pid";
    return "ProductName.%s(%s)".formatted(by, pidOrArtNo(product));
  }

  private static String pidOrArtNo(JsonNode product) {
    JsonNode artNo = product.path("artNo");
    return artNo.isString() ? text(artNo) : number(product.path("pid"));
  }

  private static boolean hasBarCode(JsonNode one) {
    return !one.path("barCode").stringValue("").isEmpty();
  }

  private static Stream<JsonNode> elements(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  private static String text(JsonNode value) {
    return quoted(value.stringValue(""));
  }

  private static String quoted(@Nullable String text) {
    return Snippet.quoted(text == null ? "" : text);
  }

  private static String number(JsonNode value) {
    if (value.isNumber()) {
      return value.isIntegralNumber()
          ? value.asString()
          : Long.toString((long) value.doubleValue());
    }
    String text = value.stringValue("");
    return text.matches("[0-9]{1,10}") ? text : "1";
  }
}
