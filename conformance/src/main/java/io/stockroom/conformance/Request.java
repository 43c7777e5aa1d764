package io.stockroom.conformance;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request to send.
 *
 * @param query with its question mark; empty if there is none
 */
record Request(String method, String path, String query, List<Header> headers, byte[] body) {
  record Header(String name, String value) {}

  /** The first value of a header; empty if it is not sent. */
  String header(String name) {
    return headers.stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(Header::value)
        .findFirst()
        .orElse("");
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The raw request, with a long body clipped. */
  String shown() {
    String lines =
        headers.stream()
            .map(header -> header.name() + ": " + header.value())
            .collect(Collectors.joining("\n"));
    return method + " " + path + query + "\n" + lines + Answer.cut(body.length, text());
  }
}
