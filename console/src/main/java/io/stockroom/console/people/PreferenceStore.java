package io.stockroom.console.people;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Language;
import java.sql.SQLException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Stores people's preferences with their accounts, so that every browser shows the same. */
public final class PreferenceStore {
  private static final Sql SET =
      Sql.of(
          """
          update person set language = :language, theme = :theme, zone = :zone
          where person_id = :personId
          """);

  private static final Sql SWITCH =
      Sql.of(
          """
          update person
          set language = coalesce(:language::text, language), theme = coalesce(:theme::text, theme)
          where person_id = :personId
          """);

  private static final Sql HIDE_FIRST_STEPS =
      Sql.of(
          """
          update person set first_steps_hidden_at = now()
          where person_id = :personId and first_steps_hidden_at is null
          """);

  private final Database database;

  public PreferenceStore(Database database) {
    this.database = database;
  }

  /** Replaces language, theme and time zone. */
  public void set(int personId, Language language, String theme, @Nullable ZoneId zone)
      throws SQLException {
    database.write(
        connection ->
            SET.on(connection)
                .set("language", language.tag())
                .set("theme", theme)
                .set("zone", zone == null ? null : zone.getId())
                .set("personId", personId)
                .update());
  }

  /** Replaces the language, the theme or both; null keeps what is stored. */
  public void change(int personId, @Nullable Language language, @Nullable String theme)
      throws SQLException {
    database.write(
        connection ->
            SWITCH
                .on(connection)
                .set("language", language == null ? null : language.tag())
                .set("theme", theme)
                .set("personId", personId)
                .update());
  }

  /** Hides the checklist of first steps for good. */
  public void hideFirstSteps(int personId) throws SQLException {
    database.write(
        connection -> HIDE_FIRST_STEPS.on(connection).set("personId", personId).update());
  }
}
