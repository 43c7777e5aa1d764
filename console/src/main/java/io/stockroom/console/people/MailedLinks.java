package io.stockroom.console.people;

import io.stockroom.console.mail.Mail;
import io.stockroom.console.mail.MailKind;
import io.stockroom.console.mail.MailTexts;
import io.stockroom.console.mail.Mails;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.database.Database;
import io.stockroom.protocol.Language;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends links by email: invitations, and links for people who forgot their password. */
public final class MailedLinks implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MailedLinks.class);

  /** How often a visitor may ask for the same address in 15 minutes; ten times as often in all. */
  private static final int MAX_REQUESTS = 5;

  /** The maximum number of mails to a person in 15 minutes, over all visitors and nodes. */
  private static final int MAX_MAILS = 3;

  private static final Duration LATELY = Duration.ofMinutes(15);
  private static final int MAX_PENDING = 1_000;

  private final Database database;
  private final Links links;
  private final Mails mails;
  private final SignInThrottle throttle;

  /** Finds the person after the response, so that its timing does not tell whether there is one. */
  private final ThreadPoolExecutor background =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MAX_PENDING),
          Thread.ofPlatform().daemon().name("password-reset").factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  public MailedLinks(Database database, Links links, Mails mails, Clock clock) {
    this.database = database;
    this.links = links;
    this.mails = mails;
    this.throttle = new SignInThrottle(clock, MAX_REQUESTS);
  }

  /** Whether a mail server is configured. */
  public boolean isOn() {
    return mails.isOn();
  }

  /** Makes a link for choosing a password and mails it. */
  public void invite(Person person, Language language, Actor actor) throws SQLException {
    database.write(
        connection -> {
          String path = links.make(connection, person, Links.Purpose.PASSWORD, actor);
          MailTexts texts = new MailTexts(language);
          String key = person.merchantId() == null ? "invitation.operator" : "invitation.merchant";
          String text =
              texts.text(
                  key,
                  Mail.oneLine(person.merchantName()),
                  person.email(),
                  mails.url(path),
                  Links.LIFE.toDays());
          Mail mail = new Mail(person.email(), texts.text("invitation.subject"), text, "");
          mails.add(connection, MailKind.INVITATION, mail, language);
          return null;
        });
  }

  /**
   * Mails a link to the person with this address, if there is one. The answer is the same if there
   * is none.
   *
   * @return the seconds to wait after too many requests, else 0
   */
  public int requestReset(String email, Language language, Client client) {
    int wait = throttle.charge(email, client.address(), null);
    if (wait == 0) {
      background.execute(() -> reset(email, language, client));
    }
    return wait;
  }

  private void reset(String email, Language language, Client client) {
    try {
      database.write(
          connection -> {
            Person person = People.find(connection, email);
            if (person == null
                || !Mail.isAddress(email)
                || mails.countLately(connection, email, MailKind.RESET, LATELY) >= MAX_MAILS) {
              return null;
            }
            Actor actor = Actor.anonymous(client.address());
            String path = links.make(connection, person, Links.Purpose.RESET, actor);
            MailTexts texts = new MailTexts(language);
            String text =
                texts.text(
                    "reset.text",
                    email,
                    mails.url(path),
                    Links.Purpose.RESET.life().toMinutes(),
                    client.address());
            mails.add(
                connection,
                MailKind.RESET,
                new Mail(email, texts.text("reset.subject"), text, ""),
                language);
            return null;
          });
    } catch (SQLException | RuntimeException failure) {
      log.warn("a request for a new password failed: {}", failure.getMessage());
    }
  }

  @Override
  public void close() {
    background.shutdownNow();
  }
}
