package io.stockroom.console.people;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Language;
import java.sql.Connection;
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

  // the digest that is already planned keeps its time
  private static final Sql FOLLOW =
      Sql.of(
          """
          update notification_preference
          set language = coalesce(:language::text, language), zone = coalesce(:zone::text, zone)
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

  /**
   * Replaces language, theme and time zone; the daily email follows.
   *
   * @param zone null for the server's
   */
  public void set(
      int personId, Language language, String theme, @Nullable ZoneId zone, String serverZone)
      throws SQLException {
    database.write(
        connection -> {
          SET.on(connection)
              .set("language", language.tag())
              .set("theme", theme)
              .set("zone", zone == null ? null : zone.getId())
              .set("personId", personId)
              .update();
          follow(connection, personId, language, zone == null ? serverZone : zone.getId());
          return null;
        });
  }

  private static void follow(
      Connection connection, int personId, @Nullable Language language, @Nullable String zone)
      throws SQLException {
    FOLLOW
        .on(connection)
        .set("language", language == null ? null : language.tag())
        .set("zone", zone)
        .set("personId", personId)
        .update();
  }

  /** Replaces the language, the theme or both; null keeps what is stored. The email follows. */
  public void change(int personId, @Nullable Language language, @Nullable String theme)
      throws SQLException {
    database.write(
        connection -> {
          SWITCH
              .on(connection)
              .set("language", language == null ? null : language.tag())
              .set("theme", theme)
              .set("personId", personId)
              .update();
          if (language != null) {
            follow(connection, personId, language, null);
          }
          return null;
        });
  }

  /** Hides the checklist of first steps for good. */
  public void hideFirstSteps(int personId) throws SQLException {
    database.write(
        connection -> HIDE_FIRST_STEPS.on(connection).set("personId", personId).update());
  }
}
