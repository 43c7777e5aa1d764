package io.stockroom.protocol.check;

import io.stockroom.protocol.request.FormReader;
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
      case CHANGES,
          STOCK_SNAPSHOT,
          STOCK_DIGEST,
          WEBHOOK_CREATE,
          WEBHOOK_LIST,
          WEBHOOK_DELETE,
          WEBHOOK_TEST,
          WEBHOOK_REPLAY,
          WEBHOOK_DELIVERIES,
          WEBHOOK_ROTATE,
          WEBHOOK_ENABLE,
          WEBHOOK_DISABLE ->
          "// The SDK has no method for this call yet; the other languages show it.";
      case PUBLISH_RESULTS -> "System.out.println(client.publish(%s));".formatted(results(body));
    };
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
    String query = target.substring(target.indexOf('?') + 1);
    byte[] form = body.getBytes(StandardCharsets.UTF_8);
    RequestContent content =
        RequestContent.of(RequestContent.FORM, target.contains("?") ? query : "", form);
    String value = FormReader.of(content).get(name);
    return value != null && value.matches("[0-9]{1,10}|(?i:true|false)") ? value : absent;
  }
}
