package io.stockroom.console.people;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Two-step verification: setup, use, recovery codes, removal, reset. */
public final class SecondFactors {
  private static final Pattern SEPARATORS = Pattern.compile("[\\s-]+");
  private static final Pattern TIME_BASED = Pattern.compile("[0-9]{" + Totp.DIGITS + "}");

  /** The result of checking a code. */
  public sealed interface Check {
    /**
     * The code is valid and now used.
     *
     * @param recovery whether it was a recovery code
     */
    record Right(boolean recovery) implements Check {}

    record Wrong() implements Check {}

    record TooMany(int waitSeconds) implements Check {}
  }

  /**
   * Whether a person has a second factor.
   *
   * @param pending the secret to be confirmed; null if there is none
   */
  public record State(boolean active, @Nullable String pending, int recoveryCodes) {}

  private final Database database;
  private final TotpSecrets secrets;
  private final Passwords passwords;
  private final SignInThrottle throttle;
  private final FailedAttempts failures;
  private final Audit audit;

  public SecondFactors(
      Database database,
      TotpSecrets secrets,
      Passwords passwords,
      SignInThrottle throttle,
      FailedAttempts failures,
      Audit audit) {
    this.database = database;
    this.secrets = secrets;
    this.passwords = passwords;
    this.throttle = throttle;
    this.failures = failures;
    this.audit = audit;
  }

  public State state(Person person) throws SQLException {
    return database.write(
        connection -> {
          TotpSecrets.Stored stored = secrets.find(connection, person.personId());
          return new State(
              stored != null && stored.confirmed(),
              stored == null || stored.confirmed() ? null : stored.secret(),
              RecoveryCodes.left(connection, person.personId()));
        });
  }

  /** Makes a secret for the person's app. It has no effect until it is confirmed. */
  public void begin(Person person) throws SQLException {
    database.write(
        connection -> {
          secrets.begin(connection, person.personId());
          return person;
        });
  }

  /**
   * Activates the second factor with a first code, and ends every other session, because those
   * started without one. Returns the recovery codes; null if the code is wrong or setup was not
   * started.
   */
  public @Nullable List<String> confirm(Person person, String code, String session, Client client)
      throws SQLException {
    String typed = typed(code);
    return database.write(
        connection -> {
          TotpSecrets.Stored stored = secrets.find(connection, person.personId());
          if (stored == null
              || stored.confirmed()
              || !secrets.use(connection, person.personId(), stored, typed)) {
            return null;
          }
          List<String> codes = RecoveryCodes.renew(connection, person.personId());
          Sessions.endOthers(connection, person.personId(), session);
          add(connection, person, own(person, client), "person.second-factor-on");
          return codes;
        });
  }

  /** Checks a code from the app or a recovery code; either works once. */
  public Check check(Person person, String code, Client client) throws SQLException {
    return check(person, code, client, true);
  }

  private Check check(Person person, String code, Client client, boolean passwordIsRight)
      throws SQLException {
    String mark =
        database.read(connection -> KnownBrowsers.mark(connection, person.personId(), client));
    int wait = throttle.chargeCode(person.personId(), mark);
    if (wait > 0) {
      note(person, client, "too many attempts");
      return new Check.TooMany(wait);
    }
    String typed = typed(code);
    boolean recovery = !TIME_BASED.matcher(typed).matches();
    boolean right =
        passwordIsRight
            && database.write(
                connection ->
                    recovery
                        ? RecoveryCodes.use(connection, person.personId(), typed)
                        : useTimeBased(connection, person, typed));
    if (!right) {
      note(person, client, passwordIsRight ? "wrong code" : "wrong password");
      return new Check.Wrong();
    }
    throttle.refundCode(person.personId(), mark);
    return new Check.Right(recovery);
  }

  private void note(Person person, Client client, String details) {
    failures.note(
        People.chain(person.merchantId()),
        client.address(),
        FailedAttempts.SIGN_IN,
        person.email(),
        details);
  }

  private boolean useTimeBased(Connection connection, Person person, String code)
      throws SQLException {
    TotpSecrets.Stored stored = secrets.find(connection, person.personId());
    return stored != null
        && stored.confirmed()
        && secrets.use(connection, person.personId(), stored, code);
  }

  /** Turns off the second factor after checking the password and a code. */
  public Check disable(Person person, String password, String code, Client client)
      throws SQLException {
    String stored = database.read(connection -> People.password(connection, person.personId()));
    Check check = check(person, code, client, passwords.matches(password, stored));
    if (check instanceof Check.Right) {
      database.write(
          connection ->
              remove(connection, person, own(person, client), "person.second-factor-off"));
    }
    return check;
  }

  /** Replaces the recovery codes. The caller checks a code first. */
  public List<String> renewRecoveryCodes(Person person, Client client) throws SQLException {
    return database.write(
        connection -> {
          LockedPerson.of(connection, person.personId());
          List<String> codes = RecoveryCodes.renew(connection, person.personId());
          add(connection, person, own(person, client), "person.recovery-codes");
          return codes;
        });
  }

  /**
   * Removes a lost second factor and signs the person out everywhere. Returns whether there was
   * one.
   */
  public boolean reset(Person person, Actor actor) throws SQLException {
    return database.write(
        connection -> {
          LockedPerson locked = LockedPerson.of(connection, person.personId());
          if (locked == null || !locked.person().hasSecondFactor()) {
            return false;
          }
          Sessions.endAll(connection, person.personId());
          return remove(connection, person, actor, "person.second-factor-reset");
        });
  }

  private boolean remove(Connection connection, Person person, Actor actor, String action)
      throws SQLException {
    if (!TotpSecrets.delete(connection, person.personId())) {
      return false;
    }
    RecoveryCodes.delete(connection, person.personId());
    add(connection, person, actor, action);
    return true;
  }

  private void add(Connection connection, Person person, Actor actor, String action)
      throws SQLException {
    audit.addFromDirectory(
        connection, People.chain(person.merchantId()), actor, action, person.email(), "");
  }

  private static Actor own(Person person, Client client) {
    return Actor.person(person.email(), client.address());
  }

  private static String typed(String code) {
    return SEPARATORS.matcher(code).replaceAll("");
  }
}
