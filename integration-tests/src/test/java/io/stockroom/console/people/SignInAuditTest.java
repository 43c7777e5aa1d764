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
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The audit log entries of sign-ins. */
class SignInAuditTest {
  private static final String PASSWORD = "three words in a row";
  private static final String LI = "li@example.com";
  private static final Client HERE = new Client("192.0.2.1", "a test", null);
  private static final Client ELSEWHERE = new Client("192.0.2.2", "a test", null);

  @Test
  void logsEverySuccessAndSummarizesFailures() throws Exception {
    try (Database database = new Database(OwnDatabase.withTables(), 4, new SimpleMeterRegistry())) {
      Migrations.run(database);
      Audit audit = new Audit(Cells.single(database));
      Clock clock = Clock.systemUTC();
      FailedAttempts failures = new FailedAttempts(audit, clock);
      Passwords passwords = new Passwords();
      People people = new People(database, passwords, new SignInThrottle(clock, 10), audit);
      SignIn signIn = signIn(database, audit, failures, passwords, clock);
      Person person = operator(people);
      people.chooseFirstPassword(person, PASSWORD, HERE);

      for (int i = 0; i < 3; i++) {
        signIn.attempt(LI, "wrong", HERE);
      }
      signIn.attempt(LI, "wrong", ELSEWHERE);
      signIn.attempt("a secret in the wrong field", "wrong", HERE);
      signIn.attempt(LI, PASSWORD, HERE);
      failures.flush();
      failures.flush();

      List<String> rows =
          audit.page(null, 1).entries().stream()
              .filter(row -> row.action().startsWith("person.sign-in"))
              .map(
                  row ->
                      String.join(
                          " | ",
                          row.actor(),
                          row.address(),
                          row.action(),
                          row.subject(),
                          row.details()))
              .toList();
      assertThat(rows)
          .containsExactlyInAnyOrder(
              "person li@example.com | 192.0.2.1 | person.sign-in | li@example.com | password",
              "anonymous | 192.0.2.1 | person.sign-in-failed | li@example.com | wrong password, 3 times",
              "anonymous | 192.0.2.2 | person.sign-in-failed | li@example.com | wrong password",
              "anonymous | 192.0.2.1 | person.sign-in-failed | unknown email address | wrong password");
      assertThat(audit.verify().intact()).isTrue();
    }
  }

  private static SignIn signIn(
      Database database, Audit audit, FailedAttempts failures, Passwords passwords, Clock clock) {
    String key = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32]);
    Credentials credentials =
        new Credentials(
            Cells.single(database), new SecretBox(() -> List.of(key)), Settings.with(Map.of()));
    SignInThrottle throttle = new SignInThrottle(clock, 10);
    SecondFactors factors =
        new SecondFactors(
            database, new TotpSecrets(credentials, clock), passwords, throttle, failures, audit);
    return new SignIn(database, passwords, factors, throttle, failures, audit);
  }

  private static Person operator(People people) throws SQLException {
    return Objects.requireNonNull(
        people.add(LI, null, EnumSet.of(Role.OPERATOR), Actor.operator("127.0.0.1")));
  }
}
