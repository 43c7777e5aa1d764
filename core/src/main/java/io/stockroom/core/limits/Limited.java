package io.stockroom.core.limits;

import io.stockroom.core.call.Answer;
import io.stockroom.protocol.Language;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** An answer of a limited call, with the headers that tell how much is left. */
public record Limited(Answer answer, Map<String, String> headers) implements Answer {

  public static Limited of(Answer answer, List<Allowance> allowances, Instant now) {
    Map<String, String> headers = new LinkedHashMap<>(answer.headers());
    headers.put(
        "RateLimit-Policy",
        allowances.stream().map(Allowance::policy).collect(Collectors.joining(", ")));
    headers.put(
        "RateLimit", allowances.stream().map(a -> a.state(now)).collect(Collectors.joining(", ")));
    return new Limited(answer, headers);
  }

  public Limited retryAt(Instant now, Instant then) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put("Retry-After", Long.toString(Math.max(1, Allowance.secondsUntil(now, then))));
    return new Limited(answer, more);
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
