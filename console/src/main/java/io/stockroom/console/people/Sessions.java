package io.stockroom.console.people;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Span;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sessions, shared by all nodes. A session expires when it is idle or old. */
public final class Sessions {
  private static final int BROWSER_CHARACTERS = 200;

  private static final Sql FIND =
      Sql.of(
          """
          select %s, s.last_used_at < now() - interval '30 seconds' as used_again
          from session s
          join person p using (person_id)
          left join merchant m on m.merchant_id = coalesce(p.merchant_id, s.viewed_merchant_id)
          where s.hash = :hash and s.last_used_at > now() - :idle::interval
            and s.created_at > now() - :longest::interval
          """
              .formatted(Person.COLUMNS));

  private static final Sql USE =
      Sql.of("update session set last_used_at = now() where hash = :hash");

  private static final Sql VIEW =
      Sql.of("update session set viewed_merchant_id = :merchantId where hash = :hash");

  private static final Sql BEGIN =
      Sql.of(
          """
          insert into session (hash, person_id, address, browser)
          values (:hash, :personId, :address, :browser)
          """);

  private static final Sql END = Sql.of("delete from session where hash = :hash");

  private static final Sql END_ALL = Sql.of("delete from session where person_id = :personId");

  private static final Sql END_OTHERS =
      Sql.of("delete from session where person_id = :personId and hash <> :current");

  private static final Sql OF_PERSON =
      Sql.of(
          """
          select created_at, last_used_at, address, browser, hash = :current as current
          from session
          where person_id = :personId and last_used_at > now() - :idle::interval
            and created_at > now() - :longest::interval
          order by current desc, last_used_at desc
          limit 50
          """);

  /** Skips locked rows: this cleanup does not lock the person first, so it must not wait. */
  private static final Sql FORGET_SESSIONS =
      Sql.of(
          """
          delete from session where hash in (
            select hash from session
            where last_used_at < now() - :idle::interval or created_at < now() - :longest::interval
            for update skip locked)
          """);

  private static final List<Sql> FORGET_OTHERS =
      List.of(
          Sql.of(
              """
              delete from person_link where hash in (
                select hash from person_link where expires_at < now() for update skip locked)
              """),
          Sql.of(
              """
              delete from sign_in_ticket where hash in (
                select hash from sign_in_ticket where expires_at < now() for update skip locked)
              """),
          Sql.of(
              """
              delete from known_browser where (person_id, hash) in (
                select person_id, hash from known_browser
                where last_used_at < now() - interval '1 year' for update skip locked)
              """));

  /** One browser that a person is signed in with. */
  public record Session(
      Instant createdAt, Instant lastUsedAt, String address, String browser, boolean current) {}

  private final Database database;
  private final Span idle;
  private final Span longest;

  public Sessions(Database database, Span idle, Span longest) {
    this.database = database;
    this.idle = idle;
    this.longest = longest;
  }

  /**
   * The person of a session, and updates its last use; null if the session is unknown or expired.
   */
  public @Nullable Person find(String id) throws SQLException {
    byte[] hash = TokenHash.of(id);
    Found found =
        database.read(
            connection ->
                FIND.on(connection)
                    .set("hash", hash)
                    .set("idle", idle.toString())
                    .set("longest", longest.toString())
                    .first(row -> new Found(Person.read(row), row.getBoolean("used_again"))));
    if (found == null) {
      return null;
    }
    if (found.usedAgain) {
      database.write(connection -> USE.on(connection).set("hash", hash).update());
    }
    return found.person;
  }

  private record Found(Person person, boolean usedAgain) {}

  /** Starts a session in the caller's transaction; returns the id for the cookie. */
  static String begin(Connection connection, int personId, Client client) throws SQLException {
    String id = TokenHash.newToken();
    String browser = client.browser();
    BEGIN
        .on(connection)
        .set("hash", TokenHash.of(id))
        .set("personId", personId)
        .set("address", client.address())
        .set("browser", browser.substring(0, Math.min(browser.length(), BROWSER_CHARACTERS)))
        .update();
    return id;
  }

  public void end(String id) throws SQLException {
    database.write(connection -> END.on(connection).set("hash", TokenHash.of(id)).update());
  }

  /** Shows the session of an operator the console of a merchant; null: no longer. */
  void view(String id, @Nullable Integer merchantId) throws SQLException {
    database.write(
        connection ->
            VIEW.on(connection)
                .set("merchantId", merchantId)
                .set("hash", TokenHash.of(id))
                .update());
  }

  /** Signs a person out everywhere. */
  public void endAll(int personId) throws SQLException {
    database.write(
        connection -> {
          LockedPerson locked = LockedPerson.of(connection, personId);
          endAll(connection, personId);
          return locked;
        });
  }

  /** Ends every session and half-done sign-in. The caller locks the person. */
  static void endAll(Connection connection, int personId) throws SQLException {
    END_ALL.on(connection).set("personId", personId).update();
    SignInTickets.endAll(connection, personId);
  }

  /** Like {@link #endAll(Connection, int)}, but keeps one session. */
  static void endOthers(Connection connection, int personId, String current) throws SQLException {
    END_OTHERS
        .on(connection)
        .set("personId", personId)
        .set("current", TokenHash.of(current))
        .update();
    SignInTickets.endAll(connection, personId);
  }

  /** A person's sessions, most recently used first. */
  public List<Session> of(int personId, String current) throws SQLException {
    return database.read(
        connection ->
            OF_PERSON
                .on(connection)
                .set("current", TokenHash.of(current))
                .set("personId", personId)
                .set("idle", idle.toString())
                .set("longest", longest.toString())
                .list(
                    row ->
                        new Session(
                            Sql.instant(row, "created_at"),
                            Sql.instant(row, "last_used_at"),
                            row.getString("address"),
                            row.getString("browser"),
                            row.getBoolean("current"))));
  }

  /** The CSRF token in every form of the session; other sites cannot read it. */
  public static String formToken(String id) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(TokenHash.of("form " + id));
  }

  /** Deletes expired sessions, links and tickets, and browsers unused for a year. */
  public void forgetOld() throws SQLException {
    database.write(
        connection -> {
          int forgotten =
              FORGET_SESSIONS
                  .on(connection)
                  .set("idle", idle.toString())
                  .set("longest", longest.toString())
                  .update();
          for (Sql sql : FORGET_OTHERS) {
            forgotten += sql.on(connection).update();
          }
          return forgotten;
        });
  }
}
