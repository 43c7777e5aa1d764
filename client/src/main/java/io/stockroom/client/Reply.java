package io.stockroom.client;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response to one attempt.
 *
 * @param address the URL of the request
 */
record Reply(String address, int status, HttpHeaders headers, BoundedBody.Body body) {
  private static final int SHOWN_CHARACTERS = 200;

  @Nullable String header(String name) {
    return headers.firstValue(name).orElse(null);
  }

  Origin origin(@Nullable String code) {
    return new Origin(status, header("X-Request-Id"), code);
  }

  List<Quota> quotas() {
    return Quota.read(
        String.join(",", headers.allValues("RateLimit-Policy")),
        String.join(",", headers.allValues("RateLimit")));
  }

  /** The server's time, or null if it does not say. */
  @Nullable Instant date() {
    return httpDate(header("Date"));
  }

  /** How long the server asks to wait: in seconds, or until a date of its own clock. */
  @Nullable Duration retryAfter() {
    String text = header("Retry-After");
    if (text != null && text.matches("\\d{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    Instant then = httpDate(text);
    Instant now = date();
    if (then == null || now == null) {
      return null;
    }
    Duration wait = Duration.between(now, then);
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  /** Converts this reply into a failure that says {@code what} is wrong and shows the reply. */
  UnexpectedAnswerException unexpected(String what) {
    return new UnexpectedAnswerException(
        describe(what),
        origin(null),
        header("Content-Type"),
        beginning(),
        isLost(),
        body.end() == BoundedBody.End.TOO_LARGE);
  }

  private boolean isLost() {
    return body.end() == BoundedBody.End.CUT || body.bytes().length == 0;
  }

  String describe(String what) {
    String type = header("Content-Type");
    String location = header("Location");
    String beginning = beginning();
    return "The answer of %s is not one of Stockroom's: %s. It has the status %d, %s%s and %s."
        .formatted(
            address,
            what,
            status,
            type == null ? "no content type" : "the content type " + type,
            location == null ? "" : ", points to " + location,
            beginning.isEmpty() ? "no content" : "begins with: " + beginning);
  }

  /** The first characters of the body, with control characters escaped. */
  String beginning() {
    int bytes = Math.min(body.bytes().length, 4 * SHOWN_CHARACTERS);
    String text = new String(body.bytes(), 0, bytes, StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN_CHARACTERS)
        .map(c -> acts(c) ? ' ' : c)
        .forEach(shown::appendCodePoint);
    return shown.toString().strip();
  }

  private static boolean acts(int c) {
    return Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
  }

  private static @Nullable Instant httpDate(@Nullable String text) {
    try {
      return text == null
          ? null
          : ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException notADate) {
      return null;
    }
  }
}
