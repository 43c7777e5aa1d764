package io.stockroom.server.people;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The people who may use the console. */
public final class People {
  private static final String SELECT =
      "select " + Person.COLUMNS + " from person p left join merchant m using (merchant_id) ";

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
   * Adds a person; gives null where the address is in use already. The merchant must exist.
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
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into person (email, merchant_id, roles, password) values (?, ?, ?, ?)
            on conflict (email) do nothing
            """)) {
      statement.setString(1, email);
      statement.setObject(2, merchantId);
      statement.setObject(3, roles.stream().map(Role::word).toArray(String[]::new));
      statement.setString(4, hash);
      if (statement.executeUpdate() == 0) {
        return false;
      }
    }
    String words = roles.stream().map(Role::word).collect(Collectors.joining(" "));
    audit.add(connection, chain(merchantId), actor, "person.add", email, words);
    return true;
  }

  public @Nullable Person find(String email) throws SQLException {
    return database.read(connection -> find(connection, email));
  }

  static @Nullable Person find(Connection connection, String email) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT + "where p.email = ?")) {
      statement.setString(1, email);
      List<Person> found = read(statement);
      return found.isEmpty() ? null : found.getFirst();
    }
  }

  /** Everybody, operators first; or the people of one merchant. */
  public List<Person> all(@Nullable Integer merchantId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  SELECT
                      + """
                        where ?::int is null or p.merchant_id = ?
                        order by p.merchant_id nulls first, p.email
                        """)) {
            statement.setObject(1, merchantId);
            statement.setObject(2, merchantId);
            return read(statement);
          }
        });
  }

  public boolean hasOperator() throws SQLException {
    return database.read(People::hasOperator);
  }

  static boolean hasOperator(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                "select exists (select 1 from person where merchant_id is null)");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /** What came of taking a person away. */
  public enum Removal {
    DONE,
    MISSING,
    LAST_OPERATOR
  }

  /** As {@link #remove}, but the last operator stays: nobody could undo that in the console. */
  public Removal removeButTheLastOperator(int personId, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          Person person = find(connection, personId);
          if (person == null) {
            return Removal.MISSING;
          }
          if (person.is(Role.OPERATOR) && holdOperators(connection) < 2) {
            return Removal.LAST_OPERATOR;
          }
          remove(connection, person, actor);
          return Removal.DONE;
        });
  }

  /** How many operators there are; none comes or goes until the caller's transaction ends. */
  private static int holdOperators(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                """
                select person_id from person where merchant_id is null
                order by person_id for update
                """);
        ResultSet row = statement.executeQuery()) {
      int operators = 0;
      while (row.next()) {
        operators++;
      }
      return operators;
    }
  }

  /** Signs a person out everywhere, on somebody else's behalf. */
  public void signOut(Person person, Actor actor) throws SQLException {
    database.write(
        connection -> {
          int ended = Sessions.endAll(connection, person.personId());
          audit.add(
              connection, chain(person.merchantId()), actor, "person.sign-out", person.email(), "");
          return ended;
        });
  }

  /** Takes a person away, with every session and link; gives false where there is none. */
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
    try (PreparedStatement statement =
        connection.prepareStatement("delete from person where person_id = ?")) {
      statement.setInt(1, person.personId());
      statement.executeUpdate();
    }
    audit.add(connection, chain(person.merchantId()), actor, "person.remove", person.email(), "");
  }

  private static @Nullable Person find(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(SELECT + "where p.person_id = ?")) {
      statement.setInt(1, personId);
      List<Person> found = read(statement);
      return found.isEmpty() ? null : found.getFirst();
    }
  }

  /**
   * Changes a person's own password and ends every session; gives null where the old one is wrong.
   *
   * @throws SignInThrottle.Exceeded where it was wrong too often: whoever found an open session
   *     must not find out the password as well
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
    String hash = passwords.hash(password);
    return database.write(
        connection -> {
          setPassword(connection, person, hash, client);
          return SignIn.begin(connection, person.personId(), client);
        });
  }

  /**
   * Sets the first password of a person who came by a link, and ends every session; gives null
   * where there is a password already.
   */
  public @Nullable SignedIn chooseFirstPassword(Person person, String password, Client client)
      throws SQLException {
    String hash = passwords.hash(password);
    return database.write(
        connection -> {
          if (!holdWithoutPassword(connection, person.personId())) {
            return null;
          }
          setPassword(connection, person, hash, client);
          return SignIn.begin(connection, person.personId(), client);
        });
  }

  private static boolean holdWithoutPassword(Connection connection, int personId)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select 1 from person where person_id = ? and password is null for update")) {
      statement.setInt(1, personId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Sets a password and signs the person out everywhere. */
  void setPassword(Connection connection, Person person, String hash, Client client)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("update person set password = ? where person_id = ?")) {
      statement.setString(1, hash);
      statement.setInt(2, person.personId());
      statement.executeUpdate();
    }
    Sessions.endAll(connection, person.personId());
    SignInTickets.endAll(connection, person.personId());
    audit.add(
        connection,
        chain(person.merchantId()),
        Actor.person(person.email(), client.address()),
        "person.password",
        person.email(),
        "");
  }

  static @Nullable String password(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select password from person where person_id = ?")) {
      statement.setInt(1, personId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  /** Operators stand in the server's own chain of the trail. */
  static int chain(@Nullable Integer merchantId) {
    return merchantId == null ? Audit.SERVER : merchantId;
  }

  private static List<Person> read(PreparedStatement statement) throws SQLException {
    List<Person> people = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        people.add(Person.read(row));
      }
    }
    return people;
  }
}
