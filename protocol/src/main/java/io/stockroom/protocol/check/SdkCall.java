package io.stockroom.protocol.check;

import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.ImportReader;
import io.stockroom.protocol.request.RequestContent;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Writes a call as a statement for the Java SDK. */
final class SdkCall {
  private static final String UNREADABLE = "List.of(/* the body is not a list of objects yet */)";

  private static final String WEBHOOK_ID = "wh_[0-9a-f]{32}";

  private SdkCall() {}

  static String of(Endpoint endpoint, String target, String body) {
    return switch (endpoint) {
      case PRODUCT_LIST ->
          "System.out.println(client.productPage(%s, StockFilter.%s));"
              .formatted(
                  field(target, body, "page", "1"), filter(field(target, body, "stock", "")));
      case STOCK_LIST ->
          "client.stock(%s).forEach(System.out::println);"
              .formatted(field(target, body, "productid", "1"));
      case PRODUCT_DETAIL ->
          "System.out.println(client.detail(%s).product());".formatted(pid(target, body));
      case USAGE ->
          "System.out.println(client.usage(%s));".formatted(field(target, body, "page", "1"));
      case STOCK_CREATE -> "System.out.println(client.createStock(%s));".formatted(groups(body));
      case CHANGES -> changes(cursor(target, body), field(target, body, "wait", "0"));
      case STOCK_SNAPSHOT -> "client.snapshot().products().forEach(System.out::println);";
      case STOCK_DIGEST -> "System.out.println(client.digest());";
      case STOCK_IMPORT ->
          "System.out.println(client.imports().start(Path.of(\"stock.csv\"), ImportMode.%s, %s));"
              .formatted(mode(target), field(target, "", "apply", "false"));
      case IMPORT_STATUS ->
          job("System.out.println(client.imports().status(\"%s\"));", target, body);
      case IMPORT_APPLY -> job("client.imports().apply(\"%s\");", target, body);
      case IMPORT_CANCEL -> job("client.imports().cancel(\"%s\");", target, body);
      case IMPORT_UNDO -> job("System.out.println(client.imports().undo(\"%s\"));", target, body);
      case STOCK_ADJUST -> "System.out.println(client.adjust(%s));".formatted(adjustments(body));
      case STOCK_BATCH ->
          "System.out.println(client.stockBatch(List.of(%s)));"
              .formatted(
                  all(target, body, "productid").stream()
                      .map(SdkCall::number)
                      .collect(Collectors.joining(", ")));
      case STOCK_REMOVE -> "System.out.println(client.removeStock(%s));".formatted(removals(body));
      case PRODUCT_FIND ->
          "client.catalogue().find(%s).products().forEach(System.out::println);"
              .formatted(query(target, body));
      case PRODUCT_SAVE ->
          "System.out.println(client.catalogue().save(%s));".formatted(drafts(body));
      case PRODUCT_ARCHIVE ->
          "System.out.println(client.catalogue().archive(%s));".formatted(names(body));
      case PRODUCT_RESTORE ->
          "System.out.println(client.catalogue().restore(%s));".formatted(names(body));
      case WEBHOOK_UPDATE ->
          "client.webhooks().update(\"%s\", %s);".formatted(idInBody(body), url(body));
      case WEBHOOK_CREATE ->
          "System.out.println(client.webhooks().create(%s).secret());".formatted(url(body));
      case WEBHOOK_LIST -> "client.webhooks().list().forEach(System.out::println);";
      case WEBHOOK_DELETE -> webhook("delete", target, body);
      case WEBHOOK_TEST -> webhook("test", target, body);
      case WEBHOOK_ENABLE -> webhook("enable", target, body);
      case WEBHOOK_DISABLE -> webhook("disable", target, body);
      case WEBHOOK_ROTATE ->
          "System.out.println(client.webhooks().rotate(\"%s\").secret());"
              .formatted(webhookId(target, body));
      case WEBHOOK_REPLAY ->
          "client.webhooks().replay(\"%s\", \"%s\");"
              .formatted(webhookId(target, body), cursor(target, body));
      case WEBHOOK_DELIVERIES ->
          "client.webhooks().deliveries(\"%s\").forEach(System.out::println);"
              .formatted(webhookId(target, body));
      case PUBLISH_RESULTS -> "System.out.println(client.publish(%s));".formatted(results(body));
    };
  }

  private static String mode(String target) {
    String mode = value(target, "", "mode");
    return (mode != null && ImportReader.MODES.contains(mode) ? mode : ImportReader.MODES.get(0))
        .toUpperCase(Locale.ROOT);
  }

  private static String job(String statement, String target, String body) {
    return statement.formatted(field(target, body, "job", "1"));
  }

  private static String webhook(String method, String target, String body) {
    return "client.webhooks().%s(\"%s\");".formatted(method, webhookId(target, body));
  }

  private static String url(String body) {
    try {
      return JsonTree.read(body) instanceof Map<?, ?> object
              && object.get("url") instanceof String url
          ? text(url)
          : "\"https://…\"";
    } catch (JacksonException unreadable) {
      return "\"https://…\"";
    }
  }

  private static String query(String target, String body) {
    return "new ProductQuery(List.of(%s), List.of(%s), %s, %s)"
        .formatted(
            texts(all(target, body, "artNo")),
            texts(all(target, body, "barCode")),
            text(value(target, body, "words")),
            text(value(target, body, "changedAfter")));
  }

  private static String texts(List<?> values) {
    return values.stream().map(SdkCall::text).collect(Collectors.joining(", "));
  }

  private static String drafts(String body) {
    return list(
        body,
        product -> {
          StringBuilder draft = new StringBuilder("ProductDraft.of(").append(name(product) + ")");
          field(draft, product, "title", "title(%s)");
          field(draft, product, "description", "description(%s)");
          if (product.get("price") != null) {
            draft.append(".price(new BigDecimal(\"" + price(product.get("price")) + "\"))");
          }
          if (product.get("imgs") instanceof List<?> imgs) {
            draft.append(".imgs(List.of(" + texts(imgs) + "))");
          }
          if (product.containsKey("categoryIdTree") || product.containsKey("categoryNameTree")) {
            draft.append(
                ".category(%s, %s)"
                    .formatted(
                        text(product.get("categoryIdTree")),
                        text(product.get("categoryNameTree"))));
          }
          if (product.get("attributes") instanceof List<?> attributes) {
            draft.append(".attributes(Map.ofEntries(" + entries(attributes) + "))");
          }
          field(draft, product, "video", "video(%s)");
          return draft.toString();
        });
  }

  private static String entries(List<?> attributes) {
    return attributes.stream()
        .filter(Map.class::isInstance)
        .map(one -> (Map<?, ?>) one)
        .map(one -> "Map.entry(%s, %s)".formatted(text(one.get("name")), text(one.get("value"))))
        .collect(Collectors.joining(", "));
  }

  private static void field(StringBuilder to, Map<?, ?> product, String name, String call) {
    if (product.get(name) instanceof String value) {
      to.append('.').append(call.formatted(text(value)));
    }
  }

  private static String price(@Nullable Object price) {
    String text = String.valueOf(price);
    return text.matches("[0-9]{1,10}(\\.[0-9]{1,2})?") ? text : "1.00";
  }

  private static String names(String body) {
    return list(
        body,
        product ->
            product.get("artNo") instanceof String
                ? "ProductName.artNo(%s)".formatted(name(product))
                : "ProductName.pid(%s)".formatted(name(product)));
  }

  private static String name(Map<?, ?> product) {
    return product.get("artNo") instanceof String artNo ? text(artNo) : number(product.get("pid"));
  }

  private static String idInBody(String body) {
    try {
      return JsonTree.read(body) instanceof Map<?, ?> object
              && object.get("id") instanceof String id
              && id.matches(WEBHOOK_ID)
          ? id
          : "wh_…";
    } catch (JacksonException unreadable) {
      return "wh_…";
    }
  }

  private static String webhookId(String target, String body) {
    String id = value(target, body, "id");
    return id != null && id.matches(WEBHOOK_ID) ? id : "wh_…";
  }

  private static String filter(String stock) {
    return switch (stock.toLowerCase(Locale.ROOT)) {
      case "true" -> "WITH_STOCK";
      case "false" -> "WITHOUT_STOCK";
      default -> "ALL";
    };
  }

  private static String pid(String target, String body) {
    if (BodyRules.looksLikeJson(body)) {
      try {
        if (JsonTree.read(body) instanceof Map<?, ?> object && object.get("pid") != null) {
          return number(object.get("pid"));
        }
      } catch (JacksonException unreadable) {
        return "1";
      }
    }
    return field(target, body, "pid", "1");
  }

  private static String changes(String after, String wait) {
    if (after.equals("latest")) {
      return "System.out.println(client.latestCursor());";
    }
    return "client.changes(%s).poll(Duration.ofSeconds(%s)).ifPresent(System.out::println);"
        .formatted(after.isEmpty() ? "" : text(after), wait);
  }

  private static String groups(String body) {
    return list(
        body,
        group ->
            "new ColorGroup(%s, %s, List.of(%s))"
                .formatted(
                    text(group.get("color")), number(group.get("pid")), sizes(group.get("param"))));
  }

  private static String sizes(@Nullable Object param) {
    if (!(param instanceof List<?> sizes)) {
      return "";
    }
    return sizes.stream()
        .filter(Map.class::isInstance)
        .map(size -> size((Map<?, ?>) size))
        .collect(Collectors.joining(", "));
  }

  private static String size(Map<?, ?> size) {
    boolean barCode = size.get("barCode") instanceof String code && !code.isEmpty();
    return "SizeItem.of(%s, %s%s)"
        .formatted(
            text(size.get("size")),
            number(size.get("stock")),
            barCode ? ", " + text(size.get("barCode")) : "");
  }

  private static String adjustments(String body) {
    return list(
        body,
        one -> {
          String entry =
              one.get("barCode") instanceof String barCode && !barCode.isEmpty()
                  ? "Adjustment.barCode(%s)".formatted(text(barCode))
                  : "Adjustment.entry(%s, %s, %s)"
                      .formatted(
                          one.get("artNo") instanceof String artNo
                              ? text(artNo)
                              : number(one.get("pid")),
                          text(one.get("color")),
                          one.get("size") instanceof String size
                              ? text(size)
                              : number(one.get("size")));
          String amount =
              one.containsKey("set")
                  ? ".set(%s)".formatted(number(one.get("set")))
                  : ".change(%s)".formatted(number(one.get("change")));
          return entry
              + amount
              + (one.containsKey("expect")
                  ? ".expect(%s)".formatted(number(one.get("expect")))
                  : "");
        });
  }

  private static String removals(String body) {
    return list(
        body,
        one -> {
          if (one.get("barCode") instanceof String barCode && !barCode.isEmpty()) {
            return "Removal.barCode(%s)".formatted(text(barCode));
          }
          String product =
              one.get("artNo") instanceof String
                  ? "ProductName.artNo(%s)".formatted(name(one))
                  : "ProductName.pid(%s)".formatted(name(one));
          Object color = one.get("color");
          Object size = one.get("size");
          if (color == null) {
            return "Removal.size(%s, %s)".formatted(product, sizeText(size));
          }
          return size == null
              ? "Removal.color(%s, %s)".formatted(product, text(color))
              : "Removal.entry(%s, %s, %s)".formatted(product, text(color), sizeText(size));
        });
  }

  private static String sizeText(@Nullable Object size) {
    return Snippet.quoted(size == null ? "" : size.toString());
  }

  private static String results(String body) {
    return list(
        body,
        result -> {
          String pid = number(result.get("pid"));
          return switch (String.valueOf(result.get("result"))) {
            case "published" ->
                "PublishResult.published(%s, %s)".formatted(pid, text(result.get("url")));
            case "withdrawn" -> "PublishResult.withdrawn(%s)".formatted(pid);
            default -> "PublishResult.failed(%s, %s)".formatted(pid, text(result.get("msg")));
          };
        });
  }

  private static String list(String body, Function<Map<?, ?>, String> element) {
    try {
      Object value = JsonTree.read(body);
      if (value instanceof Map<?, ?> object && object.get("list") instanceof List<?> list) {
        value = list;
      }
      if (value instanceof List<?> list && list.stream().allMatch(Map.class::isInstance)) {
        return list.stream()
            .map(each -> "\n            " + element.apply((Map<?, ?>) each))
            .collect(Collectors.joining(",", "List.of(", ")"));
      }
    } catch (JacksonException unreadable) {
      return UNREADABLE;
    }
    return UNREADABLE;
  }

  private static String text(@Nullable Object value) {
    return Snippet.quoted(value instanceof String text ? text : "");
  }

  private static String number(@Nullable Object value) {
    if (value instanceof BigInteger || value instanceof Double) {
      return value instanceof Double number ? Long.toString(number.longValue()) : value.toString();
    }
    return value instanceof String text && text.matches("[0-9]{1,10}") ? text : "1";
  }

  /**
   * Returns a number or word from the form or query string; anything else is left out of the
   * program.
   */
  private static String field(String target, String body, String name, String absent) {
    String value = value(target, body, name);
    return value != null && value.matches("[0-9]{1,10}|(?i:true|false)") ? value : absent;
  }

  /** Returns a cursor, the word "latest", or an empty text. */
  private static String cursor(String target, String body) {
    String value = value(target, body, "after");
    return value != null && value.matches("[A-Za-z0-9_-]{1,64}") ? value : "";
  }

  private static @Nullable String value(String target, String body, String name) {
    return form(target, body).get(name);
  }

  private static List<String> all(String target, String body, String name) {
    return form(target, body).all(name);
  }

  private static FormReader form(String target, String body) {
    String query = target.substring(target.indexOf('?') + 1);
    byte[] form = body.getBytes(StandardCharsets.UTF_8);
    return FormReader.of(
        RequestContent.of(RequestContent.FORM, target.contains("?") ? query : "", form));
  }
}
