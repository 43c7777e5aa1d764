package io.stockroom.console.mail;

import io.stockroom.core.access.Credentials;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.protocol.Language;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Queues mails, sends them in the background, and tells what became of them. */
public final class Mails implements AutoCloseable {
  private final Database database;
  private final MailQueue queue;
  private final Audit audit;
  private final Clock clock;
  private final @Nullable MailServer server;
  private final @Nullable MailSender sender;
  private final @Nullable MailRunner runner;

  /**
   * @param server null: no mail server is configured, so nothing is sent
   */
  public Mails(
      Database database,
      Credentials credentials,
      Audit audit,
      Clock clock,
      @Nullable MailServer server) {
    this(database, credentials, audit, clock, server, null);
  }

  Mails(
      Database database,
      Credentials credentials,
      Audit audit,
      Clock clock,
      @Nullable MailServer server,
      @Nullable SSLSocketFactory certificates) {
    this.database = database;
    this.queue = new MailQueue(database, credentials);
    this.audit = audit;
    this.clock = clock;
    this.server = server;
    this.sender = server == null ? null : new MailSender(server, clock, certificates);
    this.runner = sender == null ? null : new MailRunner(queue, sender, clock);
  }

  /** Begins to send in the background. */
  public Mails start() {
    if (runner != null) {
      runner.start();
    }
    return this;
  }

  /** Whether a mail server is configured. */
  public boolean isOn() {
    return server != null;
  }

  /** The configured mail server; null if there is none. */
  public @Nullable MailServer server() {
    return server;
  }

  /**
   * The absolute URL of one of our paths; never from a request, whose Host header may be forged.
   */
  public String url(String path) {
    return Objects.requireNonNull(server, "no mail server").baseUrl() + path;
  }

  /** Queues a mail in the transaction of its cause. */
  public void add(Connection connection, MailKind kind, Mail mail, Language language)
      throws SQLException {
    Objects.requireNonNull(server, "no mail server");
    queue.add(connection, kind, mail, language, clock.instant());
  }

  /** How many mails of a kind a recipient got in the last minutes. */
  public int countLately(Connection connection, String recipient, MailKind kind, Duration lately)
      throws SQLException {
    return MailQueue.countSince(connection, recipient, kind, clock.instant().minus(lately));
  }

  /** Sends a test at once and tells exactly what the mail server answered. */
  public SendResult test(String recipient, Language language, Actor actor) throws SQLException {
    SendResult result = attemptTest(recipient, language);
    database.write(
        connection -> {
          audit.addFromDirectory(
              connection,
              Audit.SERVER,
              actor,
              "mail.test",
              recipient,
              result.sent() ? "sent" : "not sent");
          return null;
        });
    return result;
  }

  private SendResult attemptTest(String recipient, Language language) {
    if (sender == null || server == null) {
      return SendResult.failed("mail.host is not set, so the server sends no email");
    }
    MailTexts texts = new MailTexts(language);
    Mail mail =
        new Mail(recipient, texts.text("test.subject"), texts.text("test.text", url("/")), "");
    return sender.send(UUID.randomUUID(), mail, language, true);
  }

  /** The latest mails, newest first. */
  public List<MailStatus> latest(int limit) throws SQLException {
    return queue.latest(limit);
  }

  /** Tries a waiting mail again now; false if it does not wait. */
  public boolean retry(UUID id) throws SQLException {
    return queue.retryNow(id, clock.instant());
  }

  /** Sends everything that is due, for tests; the background does it otherwise. */
  void sendDue() throws SQLException {
    boolean more = runner != null;
    while (more) {
      more = Objects.requireNonNull(runner).sendNext();
    }
  }

  public void deleteOld() throws SQLException {
    queue.deleteOld(clock.instant());
  }

  /** Re-encrypts waiting mails with the newest key. */
  public int reseal(Connection connection) throws SQLException {
    return queue.reseal(connection);
  }

  @Override
  public void close() {
    if (runner != null) {
      runner.close();
    }
  }
}
