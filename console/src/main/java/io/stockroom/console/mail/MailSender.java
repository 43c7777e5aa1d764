package io.stockroom.console.mail;

import io.stockroom.protocol.Language;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/** Speaks SMTP to the mail server: one connection for each mail. */
final class MailSender {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int ANSWER_MILLIS = 20_000;

  /** A mail server that answers slowly but steadily is cut off after this time. */
  static final int MAX_SECONDS = 60;

  private static final int MAX_ANSWER = 500;
  private static final int PERMANENT = 500;

  private final MailServer server;
  private final Clock clock;
  private final @Nullable SSLSocketFactory certificates;

  /**
   * @param certificates decides which certificates are trusted; null: those of the Java runtime
   */
  MailSender(MailServer server, Clock clock, @Nullable SSLSocketFactory certificates) {
    this.server = server;
    this.clock = clock;
    this.certificates = certificates;
  }

  /**
   * Sends a mail.
   *
   * @param id makes the Message-ID, so that a mail system can recognize a repeated mail
   * @param record whether to record the dialog
   */
  SendResult send(UUID id, Mail mail, Language language, boolean record) {
    FutureTask<SendResult> work = new FutureTask<>(() -> attempt(id, mail, language, record));
    // interrupting a virtual thread closes the socket that it waits for
    Thread thread = Thread.ofVirtual().name("mail").start(work);
    try {
      return work.get(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException slow) {
      thread.interrupt();
      return SendResult.failed("no end within %d seconds".formatted(MAX_SECONDS));
    } catch (InterruptedException stopped) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return SendResult.failed("interrupted");
    } catch (ExecutionException failure) {
      return SendResult.failed(String.valueOf(failure.getCause()));
    }
  }

  private SendResult attempt(UUID id, Mail mail, Language language, boolean record) {
    ByteArrayOutputStream trace = new ByteArrayOutputStream();
    Session session = Session.getInstance(properties());
    if (record) {
      session.setDebugOut(new PrintStream(trace, true, StandardCharsets.UTF_8));
      session.setDebug(true);
    }
    try (SMTPTransport transport = (SMTPTransport) session.getTransport("smtp")) {
      Message message = message(session, id, mail, language);
      boolean signsIn = !server.username().isEmpty();
      transport.connect(
          server.host(),
          server.port(),
          signsIn ? server.username() : null,
          signsIn ? server.password() : null);
      transport.sendMessage(message, message.getAllRecipients());
      return new SendResult(true, true, line(transport.getLastServerResponse()), dialog(trace));
    } catch (MessagingException failure) {
      return new SendResult(false, isFinal(failure), answer(failure), dialog(trace));
    }
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.put("mail.smtp.localhost", server.ownName());
    properties.put("mail.smtp.connectiontimeout", CONNECT_MILLIS);
    properties.put("mail.smtp.timeout", ANSWER_MILLIS);
    properties.put("mail.smtp.writetimeout", ANSWER_MILLIS);
    properties.put("mail.smtp.quitwait", "false");
    properties.put("mail.smtp.auth", Boolean.toString(!server.username().isEmpty()));
    properties.put("mail.smtp.ssl.checkserveridentity", "true");
    if (certificates != null) {
      properties.put("mail.smtp.ssl.socketFactory", certificates);
    }
    switch (server.security()) {
      case NONE -> {}
      case STARTTLS -> {
        properties.put("mail.smtp.starttls.enable", "true");
        properties.put("mail.smtp.starttls.required", "true");
      }
      case TLS -> properties.put("mail.smtp.ssl.enable", "true");
    }
    return properties;
  }

  private Message message(Session session, UUID id, Mail mail, Language language)
      throws MessagingException {
    InternetAddress from = new InternetAddress(server.from(), true);
    String domain = from.getAddress().substring(from.getAddress().lastIndexOf('@'));
    MimeMessage message =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", "<" + id + domain + ">");
          }
        };
    message.setFrom(from);
    message.setRecipients(Message.RecipientType.TO, new Address[] {recipient(mail.recipient())});
    message.setSubject(mail.subject(), StandardCharsets.UTF_8.name());
    message.setSentDate(Date.from(clock.instant()));
    message.setHeader("Auto-Submitted", "auto-generated");
    if (!mail.unsubscribe().isEmpty()) {
      message.setHeader("List-Unsubscribe", "<" + mail.unsubscribe() + ">");
      message.setHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
    }
    MimeBodyPart plain = new MimeBodyPart();
    plain.setText(mail.text(), StandardCharsets.UTF_8.name());
    MimeBodyPart html = new MimeBodyPart();
    html.setContent(MailHtml.of(mail.text(), language), "text/html; charset=UTF-8");
    message.setContent(new MimeMultipart("alternative", plain, html));
    message.saveChanges();
    return message;
  }

  /** An address with an internationalized domain goes out in its ASCII form. */
  private static InternetAddress recipient(String address) throws MessagingException {
    int at = address.lastIndexOf('@');
    try {
      return new InternetAddress(
          address.substring(0, at + 1) + IDN.toASCII(address.substring(at + 1)), true);
    } catch (IllegalArgumentException impossible) {
      throw new MessagingException("the domain of the recipient is impossible");
    }
  }

  private static boolean isFinal(MessagingException failure) {
    for (Exception each = failure; each != null; each = next(each)) {
      if (each instanceof SMTPAddressFailedException rejected
          && rejected.getReturnCode() >= PERMANENT) {
        return true;
      }
    }
    return false;
  }

  private static String answer(MessagingException failure) {
    Set<String> texts = new LinkedHashSet<>();
    for (Exception each = failure; each != null; each = next(each)) {
      String text = line(each.getMessage());
      boolean saysLittle = each instanceof SendFailedException && next(each) != null;
      if (!text.isEmpty() && !saysLittle) {
        texts.add(text);
      }
    }
    String all = String.join("; ", texts);
    return all.isEmpty() ? failure.getClass().getSimpleName() : all;
  }

  private static @Nullable Exception next(Exception failure) {
    return failure instanceof MessagingException chained ? chained.getNextException() : null;
  }

  private static String line(@Nullable String text) {
    String line = Mail.oneLine(text == null ? "" : text);
    return line.length() > MAX_ANSWER ? line.substring(0, MAX_ANSWER) + "…" : line;
  }

  /** The trace without remarks of the library and without the mail itself. */
  private static List<String> dialog(ByteArrayOutputStream trace) {
    boolean[] isContent = {false};
    return trace
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("DEBUG"))
        .filter(
            line -> {
              boolean shown = !isContent[0] || line.equals(".");
              isContent[0] = line.startsWith("354") || (isContent[0] && !line.equals("."));
              return shown;
            })
        .toList();
  }
}
