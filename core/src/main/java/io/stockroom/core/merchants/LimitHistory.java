package io.stockroom.core.merchants;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who changed which limit when, from the audit log. */
public final class LimitHistory {
  /** The audit log writes this for a limit without a value of its own. */
  private static final String BY_SETTING = "as the setting says";

  private static final int MAX_ENTRIES = 20;

  private static final Pattern CHANGE = Pattern.compile("(limits\\.[a-z-]+): (.+?) → (.+)");

  /** The condition on actions is that of the index. */
  private static final Sql FIND =
      Sql.of(
          """
          select at, actor, details from audit
          where merchant_id = :merchantId and action in ('merchant.limits', 'limits.change')
          order by number desc limit :limit
          """);

  /**
   * One change of one limit.
   *
   * @param actor as in the audit log
   * @param from as settings write it; null: the default applied
   */
  public record Change(
      Instant at, String actor, String limit, @Nullable String from, @Nullable String to) {}

  private record Entry(Instant at, String actor, String details) {}

  private final Cells cells;

  public LimitHistory(Cells cells) {
    this.cells = cells;
  }

  /**
   * The newest changes, newest first.
   *
   * @param merchantId whose limits; {@code Audit.SERVER} for the defaults
   */
  public List<Change> of(int merchantId) throws SQLException {
    List<Entry> entries =
        cells
            .of(merchantId)
            .read(
                connection ->
                    FIND.on(connection)
                        .set("merchantId", merchantId)
                        .set("limit", MAX_ENTRIES)
                        .list(
                            row ->
                                new Entry(
                                    Sql.instant(row, "at"),
                                    row.getString("actor"),
                                    row.getString("details"))));
    List<Change> changes = new ArrayList<>();
    for (Entry entry : entries) {
      for (String part : entry.details.split(", ", -1)) {
        Matcher change = CHANGE.matcher(part);
        if (change.matches()) {
          changes.add(
              new Change(
                  entry.at,
                  entry.actor,
                  change.group(1),
                  value(change.group(2)),
                  value(change.group(3))));
        }
      }
    }
    return changes;
  }

  private static @Nullable String value(String text) {
    return text.equals(BY_SETTING) ? null : text;
  }

  /** Describes changes for the audit log. */
  static String details(Map<String, String> former, Map<String, @Nullable String> changes) {
    return changes.entrySet().stream()
        .map(
            limit ->
                "%s: %s → %s"
                    .formatted(
                        limit.getKey(),
                        former.getOrDefault(limit.getKey(), BY_SETTING),
                        Objects.requireNonNullElse(limit.getValue(), BY_SETTING)))
        .collect(Collectors.joining(", "));
  }
}
