package io.stockroom.protocol.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A captured request.
 *
 * @param method the HTTP method
 * @param target path and query string, exactly as sent
 * @param headers all headers in order, including repeated ones
 * @param body the body as text; null if the capture does not show it
 */
public record CapturedRequest(
    String method, String target, List<Header> headers, @Nullable String body) {

  /** A header line. */
  public record Header(String name, String value) {}

  public CapturedRequest {
    headers = List.copyOf(headers);
  }

  /** The target without its query string. */
  public String path() {
    int question = target.indexOf('?');
    return question < 0 ? target : target.substring(0, question);
  }

  /** The query string without the question mark; empty if there is none. */
  public String query() {
    int question = target.indexOf('?');
    return question < 0 ? "" : target.substring(question + 1);
  }

  /** All values of a header; the name is case-insensitive. */
  public List<String> values(String name) {
    return headers.stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(header -> header.value().strip())
        .toList();
  }

  /** The first value of a header; empty if it is missing. */
  public String value(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? "" : values.get(0);
  }

  /** Keeps signatures and tokens out of logs. */
  @Override
  public String toString() {
    return "CapturedRequest[" + method + " " + path() + ", " + headers.size() + " headers]";
  }
}
