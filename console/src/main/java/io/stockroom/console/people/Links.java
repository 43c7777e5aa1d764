package io.stockroom.console.people;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One-time links with an expiry: to choose a password, to sign in, or to become the first operator.
 * Opening the page of a link does not use it, because mail programs open links.
 */
public final class Links {
  public static final Duration LIFE = Duration.ofDays(3);

  private static final Sql END_FORMER =
      Sql.of("delete from person_link where person_id = :personId and purpose = :purpose");

  private static final Sql END_ALL = Sql.of("delete from person_link where person_id = :personId");

  private static final Sql FIND =
      Sql.of(
          """
          select l.purpose, %s
          from person_link l
          left join person p on p.person_id = l.person_id
          left join merchant m on m.merchant_id = p.merchant_id
          where l.hash = :hash and l.expires_at > now()
            and (l.person_id is not null
              or not exists (select 1 from person o where o.merchant_id is null))
          """
              .formatted(Person.COLUMNS));

  private static final Sql USE =
      Sql.of("delete from person_link where hash = :hash and expires_at > now()");

  private static final Sql INSERT =
      Sql.of(
          """
          insert into person_link (hash, person_id, purpose, expires_at)
          values (:hash, :personId, :purpose, now() + :life::interval)
          """);

  /** What a link is for. */
  public enum Purpose {
    FIRST_OPERATOR("first-operator"),
    PASSWORD("password"),
    /** Like {@link #PASSWORD}, but requested by somebody who may not be the person. */
    RESET("reset", Duration.ofMinutes(30)),
    SIGN_IN("sign-in");

    private final String word;
    private final Duration life;

    Purpose(String word) {
      this(word, LIFE);
    }

    Purpose(String word, Duration life) {
      this.word = word;
      this.life = life;
    }

    /** How long a link works. */
    public Duration life() {
      return life;
    }

    public String word() {
      return word;
    }
  }

  /**
   * A valid link.
   *
   * @param person null for the first operator's link
   */
  public record Link(Purpose purpose, @Nullable Person person) {}

  private final Database database;
  private final People people;
  private final Passwords passwords;
  private final Audit audit;

  public Links(Database database, People people, Passwords passwords, Audit audit) {
    this.database = database;
    this.people = people;
    this.passwords = passwords;
    this.audit = audit;
  }

  /**
   * Makes a link for a person and returns its path; earlier links with the same purpose stop
   * working.
   */
  public String make(Person person, Purpose purpose, Actor actor) throws SQLException {
    return database.write(connection -> make(connection, person, purpose, actor));
  }

  String make(Connection connection, Person person, Purpose purpose, Actor actor)
      throws SQLException {
    String token = TokenHash.newToken();
    LockedPerson.of(connection, person.personId());
    END_FORMER
        .on(connection)
        .set("personId", person.personId())
        .set("purpose", purpose.word)
        .update();
    insert(connection, token, person.personId(), purpose);
    audit.addFromDirectory(
        connection,
        People.chain(person.merchantId()),
        actor,
        "person.link",
        person.email(),
        purpose.word);
    return path(token);
  }

  /** Makes a link for the first operator and returns its path; null if an operator exists. */
  public @Nullable String makeForFirstOperator() throws SQLException {
    String token = TokenHash.newToken();
    return database.write(
        connection -> {
          if (People.hasOperator(connection)) {
            return null;
          }
          insert(connection, token, null, Purpose.FIRST_OPERATOR);
          return path(token);
        });
  }

  public @Nullable Link find(String token) throws SQLException {
    return database.read(
        connection ->
            FIND.on(connection)
                .set("hash", TokenHash.of(token))
                .first(
                    row ->
                        new Link(
                            purpose(row.getString("purpose")),
                            row.getString("email") == null ? null : Person.read(row))));
  }

  /** Ends every unused link of a person. The caller locks the person. */
  static void endAll(Connection connection, int personId) throws SQLException {
    END_ALL.on(connection).set("personId", personId).update();
  }

  /**
   * Uses a link to sign in; null if it no longer works. A link replaces the password only: a person
   * with a second factor needs a code as well.
   */
  public @Nullable SignInStep signIn(String token, Client client) throws SQLException {
    return use(
        token,
        EnumSet.of(Purpose.SIGN_IN),
        (connection, person) ->
            person == null ? null : SignIn.enter(connection, person, "link", client, audit));
  }

  /** Uses a link to choose a password and sign in; null if it no longer works. */
  public @Nullable SignInStep choosePassword(String token, String password, Client client)
      throws SQLException {
    String hash = passwords.hash(password);
    return use(
        token,
        EnumSet.of(Purpose.PASSWORD, Purpose.RESET),
        (connection, person) -> {
          if (person == null) {
            return null;
          }
          People.setPassword(connection, person.personId(), hash);
          SignInStep step = SignIn.enter(connection, person, "link", client, audit);
          people.auditPassword(connection, person, client);
          return step;
        });
  }

  /** Uses a link to become the first operator; null if it no longer works. */
  public @Nullable SignInStep becomeOperator(
      String token, String email, String password, Client client) throws SQLException {
    String hash = passwords.hash(password);
    Actor actor = Actor.person(email, client.address());
    return use(
        token,
        EnumSet.of(Purpose.FIRST_OPERATOR),
        (connection, _) -> {
          waitForOthers(connection);
          if (People.hasOperator(connection)
              || !people.add(connection, email, null, List.of(Role.OPERATOR), hash, actor)) {
            return null;
          }
          Person person = People.find(connection, email);
          return person == null ? null : SignIn.enter(connection, person, "link", client, audit);
        });
  }

  /** Handles the person of a link that works. */
  private interface Use {
    @Nullable SignInStep run(Connection connection, @Nullable Person person) throws SQLException;
  }

  private @Nullable SignInStep use(String token, Set<Purpose> purposes, Use use)
      throws SQLException {
    Link link = find(token);
    if (link == null || !purposes.contains(link.purpose)) {
      return null;
    }
    Person known = link.person;
    return database.write(
        connection -> {
          LockedPerson locked =
              known == null ? null : LockedPerson.of(connection, known.personId());
          // of two concurrent requests, the second finds nothing to delete
          return USE.on(connection).set("hash", TokenHash.of(token)).update() == 0
              ? null
              : use.run(connection, locked == null ? null : locked.person());
        });
  }

  /**
   * Every node may show a link at its first start; the lock makes sure that only one of them
   * creates an operator.
   */
  private static void waitForOthers(Connection connection) throws SQLException {
    AdvisoryLock.FIRST_OPERATOR.hold(connection);
  }

  private static void insert(
      Connection connection, String token, @Nullable Integer personId, Purpose purpose)
      throws SQLException {
    INSERT
        .on(connection)
        .set("hash", TokenHash.of(token))
        .set("personId", personId)
        .set("purpose", purpose.word)
        .set("life", purpose.life.toString())
        .update();
  }

  private static Purpose purpose(String word) {
    return Arrays.stream(Purpose.values())
        .filter(purpose -> purpose.word.equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static String path(String token) {
    return "/console/link/" + token;
  }
}
