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
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import java.time.Clock;
import java.util.List;

/** Sign-in and people; a part of {@link ServerParts}. */
final class PeopleParts {
  final People people;
  final Links links;
  final Mails mails;
  final MailedLinks mailedLinks;
  final FailedAttempts failures;
  final TotpSecrets totpSecrets;
  final SecondFactors secondFactors;
  final SignIn signIn;
  final Sessions sessions;

  PeopleParts(
      Database directory,
      Credentials credentials,
      Audit audit,
      Clock clock,
      Settings settings,
      OpenParts open) {
    Passwords passwords = new Passwords();
    SignInThrottle throttle = new SignInThrottle(clock, settings.get(Settings.FAILED_SIGN_INS));
    people = new People(directory, passwords, throttle, audit);
    links = new Links(directory, people, passwords, audit);
    mails =
        open.add(new Mails(directory, credentials, audit, clock, MailServer.of(settings)).start());
    mailedLinks = open.add(new MailedLinks(directory, links, mails, clock));
    failures = open.add(new FailedAttempts(audit, clock));
    totpSecrets = new TotpSecrets(credentials, clock);
    secondFactors = new SecondFactors(directory, totpSecrets, passwords, throttle, failures, audit);
    signIn = new SignIn(directory, passwords, secondFactors, throttle, failures, audit);
    sessions =
        new Sessions(
            directory, settings.get(Settings.SESSION_IDLE), settings.get(Settings.SESSION_LONGEST));
  }

  /** What the console uses. */
  List<Object> ofConsole() {
    return List.of(people, links, mails, mailedLinks, secondFactors, signIn, sessions);
  }
}
