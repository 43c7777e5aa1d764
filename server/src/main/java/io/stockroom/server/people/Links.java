package io.stockroom.server.people;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.AdvisoryLock;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Links that work once, for a limited time: to choose a password, to sign in, or to become the
 * first operator. Only opening the page behind one does not use it up, since mail programs do that.
 */
public final class Links {
  public static final Duration LIFE = Duration.ofDays(3);

  /** What a link is for. */
  public enum Purpose {
    FIRST_OPERATOR("first-operator"),
    PASSWORD("password"),
    SIGN_IN("sign-in");

    private final String word;

    Purpose(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /**
   * A link that still works.
   *
   * @param person null where it makes the first operator
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

  /** The path of a new link for a person; links of the same kind made before stop working. */
  public String make(Person person, Purpose purpose, Actor actor) throws SQLException {
    String token = Opaque.fresh();
    return database.write(
        connection -> {
          try (PreparedStatement former =
              connection.prepareStatement(
                  "delete from person_link where person_id = ? and purpose = ?")) {
            former.setInt(1, person.personId());
            former.setString(2, purpose.word);
            former.executeUpdate();
          }
          insert(connection, token, person.personId(), purpose);
          audit.add(
              connection,
              People.chain(person.merchantId()),
              actor,
              "person.link",
              person.email(),
              purpose.word);
          return path(token);
        });
  }

  /** The path of a link that makes the first operator; null where there is an operator already. */
  public @Nullable String makeForFirstOperator() throws SQLException {
    String token = Opaque.fresh();
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
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select l.purpose, %s
                  from person_link l
                  left join person p on p.person_id = l.person_id
                  left join merchant m on m.merchant_id = p.merchant_id
                  where l.hash = ? and l.expires_at > now()
                    and (l.person_id is not null
                      or not exists (select 1 from person o where o.merchant_id is null))
                  """
                      .formatted(Person.COLUMNS))) {
            statement.setBytes(1, Opaque.hash(token));
            try (ResultSet row = statement.executeQuery()) {
              if (!row.next()) {
                return null;
              }
              Person person = row.getString("email") == null ? null : Person.read(row);
              return new Link(purpose(row.getString("purpose")), person);
            }
          }
        });
  }

  /**
   * Uses a link to sign in; null where it does not work (any more). A link replaces the password
   * only: who has a second factor needs a code as well.
   */
  public @Nullable SignInStep signIn(String token, Client client) throws SQLException {
    return use(
        token,
        Purpose.SIGN_IN,
        (connection, person) ->
            person == null ? null : SignIn.enter(connection, person, "link", client, audit));
  }

  /** Uses a link to choose a password and sign in; null where it does not work (any more). */
  public @Nullable SignInStep choosePassword(String token, String password, Client client)
      throws SQLException {
    String hash = passwords.hash(password);
    return use(
        token,
        Purpose.PASSWORD,
        (connection, person) -> {
          if (person == null) {
            return null;
          }
          people.setPassword(connection, person, hash, client);
          return SignIn.enter(connection, person, "link", client, audit);
        });
  }

  /** Uses a link to become the first operator; null where it does not work (any more). */
  public @Nullable SignInStep becomeOperator(
      String token, String email, String password, Client client) throws SQLException {
    String hash = passwords.hash(password);
    Actor actor = Actor.person(email, client.address());
    return use(
        token,
        Purpose.FIRST_OPERATOR,
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

  /** What is done with the person of a link that works. */
  private interface Use {
    @Nullable SignInStep run(Connection connection, @Nullable Person person) throws SQLException;
  }

  private @Nullable SignInStep use(String token, Purpose purpose, Use use) throws SQLException {
    Link link = find(token);
    if (link == null || link.purpose != purpose) {
      return null;
    }
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "delete from person_link where hash = ? and expires_at > now()")) {
            statement.setBytes(1, Opaque.hash(token));
            // of two who come at once, one finds nothing to delete
            return statement.executeUpdate() == 0 ? null : use.run(connection, link.person);
          }
        });
  }

  /** Several nodes may have shown a link each; only the first that is used makes an operator. */
  private static void waitForOthers(Connection connection) throws SQLException {
    AdvisoryLock.FIRST_OPERATOR.hold(connection);
  }

  private static void insert(
      Connection connection, String token, @Nullable Integer personId, Purpose purpose)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into person_link (hash, person_id, purpose, expires_at)
            values (?, ?, ?, now() + ?::interval)
            """)) {
      statement.setBytes(1, Opaque.hash(token));
      statement.setObject(2, personId);
      statement.setString(3, purpose.word);
      statement.setString(4, LIFE.toString());
      statement.executeUpdate();
    }
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
