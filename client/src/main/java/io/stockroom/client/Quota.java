package io.stockroom.client;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The remaining quota of a limit, from the headers of a response.
 *
 * @param name the limit's short name, such as {@code detail-per-day}
 * @param limit how much is allowed in total
 * @param remaining how much is left
 * @param window the length of the limit's window; null if it has none
 * @param resetsIn how long after the response some of it becomes available again; null if unknown
 */
public record Quota(
    String name, long limit, long remaining, @Nullable Duration window, @Nullable Duration resetsIn)
    implements Serializable {
  private static final long serialVersionUID = 1;
  private static final Pattern ITEM =
      Pattern.compile("\"([^\"]{1,100})\"((?:;\\w{1,20}=\\d{1,18})*)");
  private static final Pattern PARAMETER = Pattern.compile(";(\\w{1,20})=(\\d{1,18})");

  /**
   * Parses {@code RateLimit-Policy: "name";q=300;w=86400} together with {@code RateLimit:
   * "name";r=299;t=77106}. Ignores malformed parts: a proxy's header must not break a call.
   */
  static List<Quota> read(String policies, String states) {
    Map<String, Map<String, Long>> policy = items(policies);
    List<Quota> quotas = new ArrayList<>();
    items(states)
        .forEach(
            (name, state) -> {
              Long limit = policy.getOrDefault(name, Map.of()).get("q");
              Long remaining = state.get("r");
              if (limit != null && remaining != null) {
                quotas.add(
                    new Quota(
                        name,
                        limit,
                        remaining,
                        seconds(policy.getOrDefault(name, Map.of()).get("w")),
                        seconds(state.get("t"))));
              }
            });
    return quotas;
  }

  private static @Nullable Duration seconds(@Nullable Long seconds) {
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  private static Map<String, Map<String, Long>> items(String header) {
    Map<String, Map<String, Long>> items = new LinkedHashMap<>();
    Matcher item = ITEM.matcher(header);
    while (item.find()) {
      Map<String, Long> parameters = new LinkedHashMap<>();
      Matcher parameter = PARAMETER.matcher(item.group(2));
      while (parameter.find()) {
        parameters.put(parameter.group(1), Long.valueOf(parameter.group(2)));
      }
      items.put(item.group(1), parameters);
    }
    return items;
  }
}
