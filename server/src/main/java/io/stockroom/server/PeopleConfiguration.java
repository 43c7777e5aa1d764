package io.stockroom.server;

import io.stockroom.console.mail.MailServer;
import io.stockroom.console.mail.Mails;
import io.stockroom.console.people.Links;
import io.stockroom.console.people.MailedLinks;
import io.stockroom.console.people.Passwords;
import io.stockroom.console.people.People;
import io.stockroom.console.people.SecondFactors;
import io.stockroom.console.people.Sessions;
import io.stockroom.console.people.SignIn;
import io.stockroom.console.people.SignInThrottle;
import io.stockroom.console.people.TotpSecrets;
import io.stockroom.core.access.Credentials;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.FailedAttempts;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires sign-in and people; a part of {@link ServerConfiguration}. */
@Configuration(proxyBeanMethods = false)
class PeopleConfiguration {
  @Bean
  Passwords passwords() {
    return new Passwords();
  }

  @Bean
  People people(Database database, Passwords passwords, SignInThrottle throttle, Audit audit) {
    return new People(database, passwords, throttle, audit);
  }

  @Bean
  Links links(Database database, People people, Passwords passwords, Audit audit) {
    return new Links(database, people, passwords, audit);
  }

  @Bean
  Mails mails(Cells cells, Credentials credentials, Audit audit, Clock clock, Settings settings) {
    return new Mails(cells.directory(), credentials, audit, clock, MailServer.of(settings)).start();
  }

  @Bean
  MailedLinks mailedLinks(Cells cells, Links links, Mails mails, Clock clock) {
    return new MailedLinks(cells.directory(), links, mails, clock);
  }

  @Bean
  FailedAttempts failedAttempts(Audit audit, Clock clock) {
    return new FailedAttempts(audit, clock);
  }

  @Bean
  SignInThrottle signInThrottle(Clock clock, Settings settings) {
    return new SignInThrottle(clock, settings.get(Settings.FAILED_SIGN_INS));
  }

  @Bean
  TotpSecrets totpSecrets(Credentials credentials, Clock clock) {
    return new TotpSecrets(credentials, clock);
  }

  @Bean
  SecondFactors secondFactors(
      Database database,
      TotpSecrets secrets,
      Passwords passwords,
      SignInThrottle throttle,
      FailedAttempts failures,
      Audit audit) {
    return new SecondFactors(database, secrets, passwords, throttle, failures, audit);
  }

  @Bean
  SignIn signIn(
      Database database,
      Passwords passwords,
      SecondFactors secondFactors,
      SignInThrottle throttle,
      FailedAttempts failures,
      Audit audit) {
    return new SignIn(database, passwords, secondFactors, throttle, failures, audit);
  }

  @Bean
  Sessions sessions(Database database, Settings settings) {
    return new Sessions(
        database, settings.get(Settings.SESSION_IDLE), settings.get(Settings.SESSION_LONGEST));
  }
}
