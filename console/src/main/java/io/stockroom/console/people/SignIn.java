package io.stockroom.console.people;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Signs people in with a password, and with a code if they have a second factor. An unknown address
 * and a wrong password get the same response after the same work.
 */
public final class SignIn {
  private static final Sql FIND =
      Sql.of(
          """
          select %s, p.password
          from person p left join merchant m using (merchant_id)
          where p.email = :email
          """
              .formatted(Person.COLUMNS));

  /** The result of an attempt. */
  public sealed interface Outcome {
    record Passed(SignInStep step) implements Outcome {}

    record Wrong() implements Outcome {}

    record TooMany(int waitSeconds) implements Outcome {}

    /** The first step has expired; the person must start again. */
    record Expired() implements Outcome {}
  }

  private record Known(Person person, @Nullable String password, @Nullable String mark) {}

  private final Database database;
  private final Passwords passwords;
  private final SecondFactors secondFactors;
  private final SignInThrottle throttle;
  private final FailedAttempts failures;
  private final Audit audit;

  public SignIn(
      Database database,
      Passwords passwords,
      SecondFactors secondFactors,
      SignInThrottle throttle,
      FailedAttempts failures,
      Audit audit) {
    this.database = database;
    this.passwords = passwords;
    this.secondFactors = secondFactors;
    this.throttle = throttle;
    this.failures = failures;
    this.audit = audit;
  }

  public Outcome attempt(String address, String password, Client client) throws SQLException {
    String given = Email.of(address);
    String email = given == null ? "" : given;
    Known known = find(email, client);
    String mark = known == null ? null : known.mark;
    int wait = throttle.charge(email, client.address(), mark);
    if (wait > 0) {
      note(known, client, "too many attempts");
      return new Outcome.TooMany(wait);
    }
    if (!passwords.matches(password, known == null ? null : known.password) || known == null) {
      note(known, client, "wrong password");
      return new Outcome.Wrong();
    }
    SignInStep step = database.write(connection -> enter(connection, known, client));
    if (step == null) {
      note(known, client, "wrong password");
      return new Outcome.Wrong();
    }
    throttle.refund(email, client.address(), mark);
    return new Outcome.Passed(step);
  }

  /** Null if the password changed while this attempt was checked against the old one. */
  private @Nullable SignInStep enter(Connection connection, Known known, Client client)
      throws SQLException {
    LockedPerson locked = LockedPerson.of(connection, known.person.personId());
    return locked == null || !Objects.equals(locked.passwordHash(), known.password)
        ? null
        : enter(connection, locked.person(), "password", client, audit);
  }

  /** Whether this ticket is waiting for a code. */
  public boolean isWaiting(@Nullable String ticket) throws SQLException {
    return ticket != null
        && database.read(connection -> SignInTickets.find(connection, ticket)) != null;
  }

  /** The second step: a code from the app, or a recovery code. */
  public Outcome enterCode(@Nullable String ticket, String code, Client client)
      throws SQLException {
    SignInTickets.Ticket waiting =
        ticket == null ? null : database.read(connection -> SignInTickets.find(connection, ticket));
    if (ticket == null || waiting == null) {
      return new Outcome.Expired();
    }
    return switch (secondFactors.check(waiting.person(), code, client)) {
      case SecondFactors.Check.TooMany(int wait) -> new Outcome.TooMany(wait);
      case SecondFactors.Check.Wrong() -> new Outcome.Wrong();
      case SecondFactors.Check.Right(boolean recovery) -> {
        String method = waiting.method() + (recovery ? " and recovery code" : " and code");
        SignedIn signedIn =
            database.write(
                connection -> {
                  LockedPerson locked = LockedPerson.of(connection, waiting.person().personId());
                  return locked != null && SignInTickets.use(connection, ticket)
                      ? begin(connection, locked.person(), method, client, audit)
                      : null;
                });
        yield signedIn == null ? new Outcome.Expired() : new Outcome.Passed(signedIn);
      }
    };
  }

  /**
   * Completes the first step: starts a session, or issues a ticket if a code is required.
   *
   * @param person read under the lock, so a second factor turned on in the meantime counts
   * @param method how the person passed the step: password or link
   */
  static SignInStep enter(
      Connection connection, Person person, String method, Client client, Audit audit)
      throws SQLException {
    return person.hasSecondFactor()
        ? new CodeRequired(SignInTickets.issue(connection, person, method))
        : begin(connection, person, method, client, audit);
  }

  private static SignedIn begin(
      Connection connection, Person person, String method, Client client, Audit audit)
      throws SQLException {
    SignedIn signedIn = begin(connection, person.personId(), client);
    audit.addFromDirectory(
        connection,
        People.chain(person.merchantId()),
        Actor.person(person.email(), client.address()),
        "person.sign-in",
        person.email(),
        method);
    return signedIn;
  }

  /** Starts a session and remembers the browser. */
  static SignedIn begin(Connection connection, int personId, Client client) throws SQLException {
    String mark = KnownBrowsers.remember(connection, personId, client);
    return new SignedIn(Sessions.begin(connection, personId, client), mark);
  }

  /** Unknown addresses are not logged: one may be a password typed into the wrong field. */
  private void note(@Nullable Known known, Client client, String details) {
    failures.note(
        known == null ? Audit.SERVER : People.chain(known.person.merchantId()),
        client.address(),
        FailedAttempts.SIGN_IN,
        known == null ? "unknown email address" : known.person.email(),
        details);
  }

  private @Nullable Known find(String email, Client client) throws SQLException {
    return database.read(
        connection ->
            FIND.on(connection)
                .set("email", email)
                .first(
                    row -> {
                      Person person = Person.read(row);
                      return new Known(
                          person,
                          row.getString("password"),
                          KnownBrowsers.mark(connection, person.personId(), client));
                    }));
  }
}
