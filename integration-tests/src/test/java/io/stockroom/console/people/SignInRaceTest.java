package io.stockroom.console.people;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.settings.Span;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.TestPerson;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sign-ins that race with a change of the same person. */
class SignInRaceTest {
  private static final String PASSWORD = TestPerson.PASSWORD;
  private static final Client HERE = new Client("192.0.2.1", "a test", null);
  private static final Actor ACTOR = Actor.operator("127.0.0.1");
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static final Sql TURN_ON_SECOND_FACTOR =
      Sql.of(
          """
          update person set totp_secret = ''::bytea, totp_confirmed_at = now()
          where person_id = :personId
          """);
  private static final Sql SESSIONS =
      Sql.of("select count(*) from session where person_id = :personId");
  private static final Sql WAITING =
      Sql.of(
          """
          select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
          """);
  private static final Sql TABLES_WRITTEN_BY_WAITING =
      Sql.of(
          """
          select distinct c.relname
          from pg_stat_activity a
          join pg_locks l using (pid)
          join pg_class c on c.oid = l.relation and c.relkind = 'r'
          where a.datname = current_database() and a.wait_event_type = 'Lock'
            and l.mode = 'RowExclusiveLock'
          """);

  private static final Database DATABASE =
      new Database(OwnDatabase.withTables(), 8, new SimpleMeterRegistry());
  private static final Passwords PASSWORDS = new Passwords();
  private static final Audit AUDIT = new Audit(Cells.single(DATABASE));
  private static final SignInThrottle THROTTLE = new SignInThrottle(Clock.systemUTC(), 100);
  private static final People PEOPLE = new People(DATABASE, PASSWORDS, THROTTLE, AUDIT);
  private static final Links LINKS = new Links(DATABASE, PEOPLE, PASSWORDS, AUDIT);
  private static final SecondFactors FACTORS = factors();
  private static final SignIn SIGN_IN =
      new SignIn(DATABASE, PASSWORDS, FACTORS, THROTTLE, failures(), AUDIT);

  @BeforeAll
  static void migrate() throws SQLException {
    Migrations.run(DATABASE);
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void rejectsAPasswordThatChangesDuringTheSignIn() throws Exception {
    Person person = person();

    SignIn.Outcome outcome =
        during(
            person,
            connection ->
                People.setPassword(connection, person.personId(), PASSWORDS.hash("another one")),
            () -> SIGN_IN.attempt(person.email(), PASSWORD, HERE));

    assertThat(outcome).isEqualTo(new SignIn.Outcome.Wrong());
    assertThat(sessions(person)).isZero();
  }

  @Test
  void rejectsAPasswordChangeWithAPasswordThatChangesMeanwhile() throws Exception {
    Person person = person();

    SignedIn signedIn =
        during(
            person,
            connection ->
                People.setPassword(connection, person.personId(), PASSWORDS.hash("another one")),
            () -> PEOPLE.changePassword(person, PASSWORD, "a third one", HERE));

    assertThat(signedIn).isNull();
    assertThat(SIGN_IN.attempt(person.email(), "another one", HERE))
        .isInstanceOf(SignIn.Outcome.Passed.class);
  }

  @Test
  void aPasswordNeedsACodeIfTheSecondFactorIsTurnedOnMeanwhile() throws Exception {
    Person person = person();

    SignIn.Outcome outcome =
        during(
            person,
            connection -> turnOnSecondFactor(connection, person),
            () -> SIGN_IN.attempt(person.email(), PASSWORD, HERE));

    assertThat(((SignIn.Outcome.Passed) outcome).step()).isInstanceOf(CodeRequired.class);
    assertThat(sessions(person)).isZero();
  }

  @Test
  void aLinkNeedsACodeIfTheSecondFactorIsTurnedOnMeanwhile() throws Exception {
    Person person = person();
    String token = token(LINKS.make(person, Links.Purpose.SIGN_IN, ACTOR));

    SignInStep step =
        during(
            person,
            connection -> turnOnSecondFactor(connection, person),
            () -> LINKS.signIn(token, HERE));

    assertThat(step).isInstanceOf(CodeRequired.class);
    assertThat(sessions(person)).isZero();
  }

  /**
   * All changes use one lock order: while waiting for the person, a transaction has written to no
   * other table.
   */
  @Test
  void everyChangeLocksThePersonBeforeItWritesAnythingElse() throws Exception {
    Person person = person();
    Sessions sessions = new Sessions(DATABASE, Span.parse("PT1H"), Span.parse("P1D"));
    String signIn = token(LINKS.make(person, Links.Purpose.SIGN_IN, ACTOR));
    String choose = token(LINKS.make(person, Links.Purpose.PASSWORD, ACTOR));
    Map<String, Callable<Object>> changes = new LinkedHashMap<>();
    changes.put("sign in", () -> SIGN_IN.attempt(person.email(), PASSWORD, HERE));
    changes.put("sign in by link", () -> String.valueOf(LINKS.signIn(signIn, HERE)));
    changes.put(
        "choose a password", () -> String.valueOf(LINKS.choosePassword(choose, PASSWORD, HERE)));
    changes.put(
        "change the password",
        () -> String.valueOf(PEOPLE.changePassword(person, PASSWORD, "another one", HERE)));
    changes.put("make a link", () -> LINKS.make(person, Links.Purpose.PASSWORD, ACTOR));
    changes.put("new recovery codes", () -> FACTORS.renewRecoveryCodes(person, HERE));
    changes.put("reset", () -> FACTORS.reset(person, ACTOR));
    changes.put("sign out", () -> signOut(person));
    changes.put("sign out oneself", () -> endAll(sessions, person));
    changes.put("remove", () -> PEOPLE.remove(person.email(), ACTOR));

    for (Map.Entry<String, Callable<Object>> change : changes.entrySet()) {
      during(
          person,
          connection ->
              assertThat(TABLES_WRITTEN_BY_WAITING.on(connection).list(row -> row.getString(1)))
                  .as(change.getKey())
                  .isSubsetOf("person"),
          change.getValue(),
          true);
    }
  }

  private interface Change {
    void run(Connection connection) throws SQLException;
  }

  /**
   * Makes the change while the action waits for the person's lock, and returns the action's result.
   */
  private static <T> T during(Person person, Change change, Callable<T> other) throws Exception {
    return during(person, change, other, false);
  }

  private static <T> T during(
      Person person, Change change, Callable<T> other, boolean changeWhenWaiting) throws Exception {
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        Connection connection = DATABASE.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      LockedPerson.of(connection, person.personId());
      if (!changeWhenWaiting) {
        change.run(connection);
      }
      Future<T> result = executor.submit(other);
      assertThat(Eventually.within(Duration.ofMinutes(1), SignInRaceTest::isAnyoneWaiting))
          .isTrue();
      if (changeWhenWaiting) {
        change.run(connection);
      }
      connection.commit();
      connection.setAutoCommit(true);
      return result.get();
    }
  }

  private static boolean isAnyoneWaiting() {
    try {
      return DATABASE.read(connection -> WAITING.on(connection).exists());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void turnOnSecondFactor(Connection connection, Person person) throws SQLException {
    TURN_ON_SECOND_FACTOR.on(connection).set("personId", person.personId()).update();
  }

  private static String signOut(Person person) throws SQLException {
    PEOPLE.signOut(person, ACTOR);
    return "";
  }

  private static String endAll(Sessions sessions, Person person) throws SQLException {
    sessions.endAll(person.personId());
    return "";
  }

  private static int sessions(Person person) throws SQLException {
    return DATABASE.read(
        connection ->
            SESSIONS.on(connection).set("personId", person.personId()).one(row -> row.getInt(1)));
  }

  private static String token(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** An operator with a password, without sessions. */
  private static Person person() throws SQLException {
    String email = "person%d@example.com".formatted(NUMBERS.incrementAndGet());
    Person added =
        Objects.requireNonNull(PEOPLE.add(email, null, EnumSet.of(Role.OPERATOR), ACTOR));
    DATABASE.write(
        connection -> {
          People.setPassword(connection, added.personId(), TestPerson.CHEAP_HASH);
          return null;
        });
    return Objects.requireNonNull(PEOPLE.find(email));
  }

  private static SecondFactors factors() {
    String key = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32]);
    Credentials credentials =
        new Credentials(
            Cells.single(DATABASE), new SecretBox(() -> List.of(key)), Settings.with(Map.of()));
    TotpSecrets secrets = new TotpSecrets(credentials, Clock.systemUTC());
    return new SecondFactors(DATABASE, secrets, PASSWORDS, THROTTLE, failures(), AUDIT);
  }

  private static FailedAttempts failures() {
    return new FailedAttempts(AUDIT, Clock.systemUTC());
  }
}
