package io.stockroom.protocol.check;

import io.stockroom.protocol.check.CapturedRequest.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/**
 * Parses a request written as JSON: a HAR file as browsers and proxies save it (its first call to
 * the interface), one HAR entry, or an object with {@code method}, {@code url} or {@code path},
 * {@code headers} and {@code body}.
 */
final class JsonCapture {
  private JsonCapture() {}

  static CapturedRequest read(String text) {
    Object value;
    try {
      value = JsonTree.read(text);
    } catch (JacksonException broken) {
      TokenStreamLocation at = broken.getLocation();
      String where = at == null ? "" : at.getLineNr() + ":" + at.getColumnNr();
      throw new UnreadableCapture("JSON", where);
    }
    Map<?, ?> request = request(value);
    if (request == null) {
      throw new UnreadableCapture("JSON_SHAPE", "");
    }
    return captured(request);
  }

  private static @Nullable Map<?, ?> request(Object value) {
    if (!(value instanceof Map<?, ?> object)) {
      return null;
    }
    if (object.get("log") instanceof Map<?, ?> log
        && log.get("entries") instanceof List<?> entries) {
      return first(entries);
    }
    if (object.get("request") instanceof Map<?, ?> request) {
      return request;
    }
    boolean addressed =
        object.containsKey("url") || object.containsKey("path") || object.containsKey("headers");
    return addressed ? object : null;
  }

  /** Skips the images and scripts in a browser's HAR file. */
  private static @Nullable Map<?, ?> first(List<?> entries) {
    Map<?, ?> fallback = null;
    for (Object entry : entries) {
      if (entry instanceof Map<?, ?> map && map.get("request") instanceof Map<?, ?> request) {
        fallback = fallback == null ? request : fallback;
        if (AddressRules.meant(RawHttp.target(text(request, "url")).split("\\?", 2)[0]) != null) {
          return request;
        }
      }
    }
    return fallback;
  }

  private static CapturedRequest captured(Map<?, ?> request) {
    String address = text(request, "url");
    String target = RawHttp.target(address.isEmpty() ? text(request, "path") : address);
    String method = text(request, "method");
    return new CapturedRequest(
        method.isEmpty() ? "POST" : method, target, headers(request.get("headers")), body(request));
  }

  private static List<Header> headers(@Nullable Object value) {
    List<Header> headers = new ArrayList<>();
    if (value instanceof Map<?, ?> object) {
      object.forEach(
          (name, values) -> {
            for (Object each : values instanceof List<?> list ? list : List.of(values)) {
              headers.add(new Header(name.toString(), plain(each)));
            }
          });
    } else if (value instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> header) {
          headers.add(new Header(text(header, "name"), text(header, "value")));
        }
      }
    }
    return headers;
  }

  private static @Nullable String body(Map<?, ?> request) {
    if (request.get("postData") instanceof Map<?, ?> posted) {
      return text(posted, "text");
    }
    for (String name : List.of("body", "data")) {
      if (request.get(name) instanceof String text) {
        return text;
      }
    }
    boolean shown = request.containsKey("bodySize") || request.containsKey("body");
    return shown && !(request.get("body") instanceof Map) && !(request.get("body") instanceof List)
        ? ""
        : null;
  }

  private static String text(Map<?, ?> object, String name) {
    Object value = object.get(name);
    return value == null ? "" : plain(value);
  }

  private static String plain(Object value) {
    return value.equals(JsonTree.NULL) ? "" : value.toString();
  }
}
