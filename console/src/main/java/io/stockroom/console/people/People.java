package io.stockroom.console.people;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The people who may use the console. */
public final class People {
  private static final String SELECT =
      "select " + Person.COLUMNS + " from person p left join merchant m using (merchant_id) ";

  private static final Sql ADD =
      Sql.of(
          """
          insert into person (email, merchant_id, roles, password)
          values (:email, :merchantId, :roles, :password)
          on conflict (email) do nothing
          """);

  private static final Sql FIND_BY_EMAIL = Sql.of(SELECT + "where p.email = :email");

  private static final Sql FIND_BY_ID = Sql.of(SELECT + "where p.person_id = :personId");

  private static final Sql ALL =
      Sql.of(
          SELECT
              + """
                where :merchantId::int is null or p.merchant_id = :merchantId
                order by p.merchant_id nulls first, p.email
                """);

  private static final Sql HAS_OPERATOR =
      Sql.of("select 1 from person where merchant_id is null limit 1");

  private static final Sql LOCK_OPERATORS =
      Sql.of(
          """
          select person_id from person where merchant_id is null
          order by person_id
          for update
          """);

  private static final Sql REMOVE = Sql.of("delete from person where person_id = :personId");

  private static final Sql PASSWORD =
      Sql.of("select password from person where person_id = :personId");

  private static final Sql SET_PASSWORD =
      Sql.of(
          """
          update person
          set password = :hash,
            totp_secret = case when totp_confirmed_at is not null then totp_secret end
          where person_id = :personId
          """);

  private final Database database;
  private final Passwords passwords;
  private final SignInThrottle throttle;
  private final Audit audit;

  public People(Database database, Passwords passwords, SignInThrottle throttle, Audit audit) {
    this.database = database;
    this.passwords = passwords;
    this.throttle = throttle;
    this.audit = audit;
  }

  /**
   * Adds a person; returns null if the address is already in use. The merchant must exist.
   *
   * @param merchantId null for an operator
   */
  public @Nullable Person add(
      String email, @Nullable Integer merchantId, Collection<Role> roles, Actor actor)
      throws SQLException {
    return database.write(
        connection ->
            add(connection, email, merchantId, roles, null, actor)
                ? find(connection, email)
                : null);
  }

  boolean add(
      Connection connection,
      String email,
      @Nullable Integer merchantId,
      Collection<Role> roles,
      @Nullable String hash,
      Actor actor)
      throws SQLException {
    int added =
        ADD.on(connection)
            .set("email", email)
            .set("merchantId", merchantId)
            .set("roles", roles.stream().map(Role::word).toArray(String[]::new))
            .set("password", hash)
            .update();
    if (added == 0) {
      return false;
    }
    String words = roles.stream().map(Role::word).collect(Collectors.joining(" "));
    audit.addFromDirectory(connection, chain(merchantId), actor, "person.add", email, words);
    return true;
  }

  public @Nullable Person find(String email) throws SQLException {
    return database.read(connection -> find(connection, email));
  }

  static @Nullable Person find(Connection connection, String email) throws SQLException {
    return FIND_BY_EMAIL.on(connection).set("email", email).first(Person::read);
  }

  /** All people, operators first; or the people of one merchant. */
  public List<Person> all(@Nullable Integer merchantId) throws SQLException {
    return database.read(
        connection -> ALL.on(connection).set("merchantId", merchantId).list(Person::read));
  }

  public boolean hasOperator() throws SQLException {
    return database.read(People::hasOperator);
  }

  static boolean hasOperator(Connection connection) throws SQLException {
    return HAS_OPERATOR.on(connection).exists();
  }

  /** The result of removing a person. */
  public enum Removal {
    DONE,
    MISSING,
    LAST_OPERATOR
  }

  /**
   * Like {@link #remove}, but keeps the last operator, because no one else could add a new one in
   * the console.
   */
  public Removal removeButTheLastOperator(int personId, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          Person person = FIND_BY_ID.on(connection).set("personId", personId).first(Person::read);
          if (person == null) {
            return Removal.MISSING;
          }
          if (person.is(Role.OPERATOR) && lockOperators(connection) < 2) {
            return Removal.LAST_OPERATOR;
          }
          remove(connection, person, actor);
          return Removal.DONE;
        });
  }

  /** Locks all operators until the transaction ends; returns how many there are. */
  private static int lockOperators(Connection connection) throws SQLException {
    return LOCK_OPERATORS.on(connection).list(row -> row.getInt("person_id")).size();
  }

  /** Signs another person out everywhere. */
  public void signOut(Person person, Actor actor) throws SQLException {
    database.write(
        connection -> {
          LockedPerson locked = LockedPerson.of(connection, person.personId());
          Sessions.endAll(connection, person.personId());
          audit.addFromDirectory(
              connection, chain(person.merchantId()), actor, "person.sign-out", person.email(), "");
          return locked;
        });
  }

  /** Removes a person with every session and link; returns false if there is none. */
  public boolean remove(String email, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          Person person = find(connection, email);
          if (person == null) {
            return false;
          }
          remove(connection, person, actor);
          return true;
        });
  }

  private void remove(Connection connection, Person person, Actor actor) throws SQLException {
    REMOVE.on(connection).set("personId", person.personId()).update();
    audit.addFromDirectory(
        connection, chain(person.merchantId()), actor, "person.remove", person.email(), "");
  }

  /**
   * Changes a person's own password and ends every session; returns null if the old one is wrong.
   *
   * @throws SignInThrottle.Exceeded after too many wrong attempts, so a person at an unattended
   *     session cannot guess the password
   */
  public @Nullable SignedIn changePassword(
      Person person, String former, String password, Client client) throws SQLException {
    int personId = person.personId();
    String mark = database.read(connection -> KnownBrowsers.mark(connection, personId, client));
    int wait = throttle.chargeCode(personId, mark);
    if (wait > 0) {
      throw new SignInThrottle.Exceeded(wait);
    }
    String stored = database.read(connection -> password(connection, personId));
    if (!passwords.matches(former, stored)) {
      return null;
    }
    throttle.refundCode(personId, mark);
    return replacePassword(person, stored, password, client);
  }

  /**
   * Sets the first password of a person who signed in with a link, and ends every session; returns
   * null if the person already has a password.
   */
  public @Nullable SignedIn chooseFirstPassword(Person person, String password, Client client)
      throws SQLException {
    return replacePassword(person, null, password, client);
  }

  /** Replaces the password unless it has changed in the meantime. */
  private @Nullable SignedIn replacePassword(
      Person person, @Nullable String expectedHash, String password, Client client)
      throws SQLException {
    String hash = passwords.hash(password);
    return database.write(
        connection -> {
          LockedPerson locked = LockedPerson.of(connection, person.personId());
          if (locked == null || !Objects.equals(locked.passwordHash(), expectedHash)) {
            return null;
          }
          setPassword(connection, person.personId(), hash);
          SignedIn signedIn = SignIn.begin(connection, person.personId(), client);
          auditPassword(connection, person, client);
          return signedIn;
        });
  }

  /**
   * Sets a password and invalidates everything older: sessions, half-done sign-ins, unused links,
   * and an unconfirmed second factor. The caller locks the person.
   */
  static void setPassword(Connection connection, int personId, String hash) throws SQLException {
    SET_PASSWORD.on(connection).set("hash", hash).set("personId", personId).update();
    Sessions.endAll(connection, personId);
    Links.endAll(connection, personId);
  }

  void auditPassword(Connection connection, Person person, Client client) throws SQLException {
    audit.addFromDirectory(
        connection,
        chain(person.merchantId()),
        Actor.person(person.email(), client.address()),
        "person.password",
        person.email(),
        "");
  }

  static @Nullable String password(Connection connection, int personId) throws SQLException {
    return PASSWORD
        .on(connection)
        .set("personId", personId)
        .<String>first(row -> row.getString("password"));
  }

  /** The audit log keeps operators in the server's own chain. */
  static int chain(@Nullable Integer merchantId) {
    return merchantId == null ? Audit.SERVER : merchantId;
  }
}
