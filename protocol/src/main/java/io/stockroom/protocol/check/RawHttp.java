package io.stockroom.protocol.check;

import io.stockroom.protocol.check.CapturedRequest.Header;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses raw HTTP: request line, headers, an empty line, the body. */
final class RawHttp {
  private static final Pattern REQUEST_LINE =
      Pattern.compile("(?i)(?:> ?)?([A-Z]+)\\s+(\\S+)(?:\\s+HTTP/[0-9.]+)?\\s*");
  private static final Pattern HEADER = Pattern.compile("(?:> ?)?([^\\s:]+)\\s*:(.*)");

  private RawHttp() {}

  static CapturedRequest read(String text) {
    String[] lines = text.split("\r?\n", -1);
    Matcher first = REQUEST_LINE.matcher(lines[0]);
    boolean target = first.matches() && first.group(2).matches("/.*|https?://.*");
    if (!target) {
      throw new UnreadableCapture(
          "UNKNOWN", lines[0].length() > 60 ? lines[0].substring(0, 60) + "…" : lines[0]);
    }
    List<Header> headers = new ArrayList<>();
    int line = 1;
    while (line < lines.length && !lines[line].replaceFirst("^> ?", "").isBlank()) {
      Matcher header = HEADER.matcher(lines[line]);
      if (!header.matches()) {
        throw new UnreadableCapture("HEADER_LINE", lines[line]);
      }
      headers.add(new Header(header.group(1), header.group(2).strip()));
      line++;
    }
    String body =
        line + 1 < lines.length
            ? String.join("\n", List.of(lines).subList(line + 1, lines.length))
            : "";
    boolean longer = headers.stream().anyMatch(header -> isLength(header) && body.isBlank());
    return new CapturedRequest(
        first.group(1), target(first.group(2)), headers, longer ? null : body.stripTrailing());
  }

  /** A log that shows only the headers still shows that there was a body. */
  private static boolean isLength(Header header) {
    return header.name().equalsIgnoreCase("Content-Length") && !header.value().equals("0");
  }

  /** Path and query of a target that may be a whole URL. */
  static String target(String written) {
    if (!written.contains("://")) {
      return written;
    }
    try {
      URI uri = URI.create(written);
      String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    } catch (IllegalArgumentException broken) {
      String rest = written.substring(written.indexOf("://") + 3);
      int slash = rest.indexOf('/');
      return slash < 0 ? "/" : rest.substring(slash);
    }
  }
}
