package io.stockroom.console.people;

import io.stockroom.protocol.Language;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How a person wants to see the console.
 *
 * @param language null: as the browser asks
 * @param theme {@code auto}, {@code light} or {@code dark}; null: as the browser's cookie says
 * @param zone null: the time zone of the server's limits
 * @param firstStepsHidden whether the person finished or dismissed the checklist of first steps
 */
public record PersonPreferences(
    @Nullable Language language,
    @Nullable String theme,
    @Nullable ZoneId zone,
    boolean firstStepsHidden) {

  static final String COLUMNS =
      """
      p.language, p.theme, p.zone, p.first_steps_hidden_at is not null as first_steps_hidden
      """;

  static PersonPreferences read(ResultSet row) throws SQLException {
    return new PersonPreferences(
        language(row.getString("language")),
        row.getString("theme"),
        zone(row.getString("zone")),
        row.getBoolean("first_steps_hidden"));
  }

  /** The language with this tag; null if there is none. */
  public static @Nullable Language language(@Nullable String tag) {
    return Arrays.stream(Language.values())
        .filter(known -> known.tag().equals(tag))
        .findFirst()
        .orElse(null);
  }

  /** The zone with this id; null if this JDK has none, for example after a downgrade. */
  public static @Nullable ZoneId zone(@Nullable String id) {
    try {
      return id == null ? null : ZoneId.of(id);
    } catch (DateTimeException unknown) {
      return null;
    }
  }
}
