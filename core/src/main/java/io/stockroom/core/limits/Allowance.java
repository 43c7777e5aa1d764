package io.stockroom.core.limits;

import io.stockroom.core.call.Answer;
import io.stockroom.protocol.Language;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The usage of one limit, for headers, messages and reports.
 *
 * @param name the limit's short name
 * @param limit the allowed amount
 * @param used the used amount
 * @param windowSeconds the length of the limit's window; 0 if it has none
 * @param resetsAt when some of it becomes available again; null if nothing is used or the time is
 *     unknown
 */
public record Allowance(
    String name, long limit, long used, long windowSeconds, @Nullable Instant resetsAt) {
  /** The answer to a limited call, with headers that show the remaining amount. */
  public record Limited(Answer answer, Map<String, String> headers) implements Answer {

    public static Limited of(Answer answer, List<Allowance> allowances, Instant now) {
      Map<String, String> headers = new LinkedHashMap<>(answer.headers());
      headers.put(
          "RateLimit-Policy",
          allowances.stream().map(Allowance::policy).collect(Collectors.joining(", ")));
      headers.put(
          "RateLimit",
          allowances.stream().map(a -> a.state(now)).collect(Collectors.joining(", ")));
      return new Limited(answer, headers);
    }

    public Limited retryAt(Instant now, Instant then) {
      Map<String, String> more = new LinkedHashMap<>(headers);
      more.put("Retry-After", Long.toString(Math.max(1, Allowance.secondsUntil(now, then))));
      return new Limited(answer, more);
    }

    @Override
    public String code() {
      return answer.code();
    }

    @Override
    public int status() {
      return answer.status();
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      answer.write(out, language);
    }
  }

  public long remaining() {
    return Math.max(0, limit - used);
  }

  /** Its part of the {@code RateLimit-Policy} header. */
  String policy() {
    String window = windowSeconds == 0 ? "" : ";w=" + windowSeconds;
    return '"' + name + "\";q=" + limit + window;
  }

  /** Its part of the {@code RateLimit} header. */
  String state(Instant now) {
    Instant reset = resetsAt;
    String wait = reset == null ? "" : ";t=" + secondsUntil(now, reset);
    return '"' + name + "\";r=" + remaining() + wait;
  }

  /** Whole seconds, rounded up: after them, the time has come. */
  static long secondsUntil(Instant now, Instant then) {
    return Math.max(0, (then.toEpochMilli() - now.toEpochMilli() + 999) / 1000);
  }
}
