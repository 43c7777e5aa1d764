package io.stockroom.console.account;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The time zones that a person can choose, by region. */
final class ZoneChoices {
  private static final Pattern CITY =
      Pattern.compile(
          "(Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z][A-Za-z_/-]+");

  /**
   * One zone.
   *
   * @param city the id without its region, such as {@code Shanghai}
   * @param offset from UTC at present, such as {@code UTC+08:00}
   */
  public record Choice(String id, String city, String offset) {}

  private ZoneChoices() {}

  static Map<String, List<Choice>> at(Instant now) {
    Map<String, List<Choice>> regions = new TreeMap<>();
    ZoneId.getAvailableZoneIds().stream()
        .filter(id -> CITY.matcher(id).matches())
        .sorted()
        .forEach(
            id -> {
              int slash = id.indexOf('/');
              regions
                  .computeIfAbsent(id.substring(0, slash), _ -> new ArrayList<>())
                  .add(new Choice(id, id.substring(slash + 1).replace('_', ' '), offset(id, now)));
            });
    return regions;
  }

  private static String offset(String id, Instant now) {
    return "UTC" + ZoneId.of(id).getRules().getOffset(now).getId().replace("Z", "+00:00");
  }
}
