package io.stockroom.server.testing;

import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.server.SMTPServer;

/** A real mail server on a loopback port, which keeps what it accepts. */
public final class MailReceiver implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static MailReceiver shared;

  /** A mail that arrived. */
  public record Received(String to, MimeMessage message) {
    public String header(String name) {
      try {
        return String.join(
            "|", message.getHeader(name) == null ? new String[0] : message.getHeader(name));
      } catch (MessagingException e) {
        throw new IllegalStateException(e);
      }
    }

    public String subject() {
      try {
        return message.getSubject();
      } catch (MessagingException e) {
        throw new IllegalStateException(e);
      }
    }

    public String text() {
      return part(0);
    }

    public String html() {
      return part(1);
    }

    private String part(int index) {
      try {
        Part part = ((MimeMultipart) message.getContent()).getBodyPart(index);
        return part.getContent().toString().replace("\r\n", "\n");
      } catch (MessagingException | IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final List<Received> mails = new CopyOnWriteArrayList<>();
  private final SMTPServer server;

  public MailReceiver() {
    this(builder -> builder);
  }

  /** With other properties, such as STARTTLS. */
  public MailReceiver(UnaryOperator<SMTPServer.Builder> more) {
    server =
        more.apply(
                SMTPServer.port(0)
                    .bindAddress(InetAddress.getLoopbackAddress())
                    .hostName("mail.example.com")
                    .messageHandler((_, _, to, data) -> take(to, data)))
            .build();
    server.start();
  }

  /** The one that all servers of {@link #server} use; it ends with the JVM. */
  public static synchronized MailReceiver shared() {
    if (shared == null) {
      shared = new MailReceiver();
    }
    return shared;
  }

  /** A server of the shared database that sends its mails here. */
  public static TestServer server() {
    return TestServer.with(
        Map.of(
            "limits.create-interval", "PT0S",
            "mail.host", "localhost",
            "mail.port", Integer.toString(shared().port()),
            "mail.security", "none",
            "mail.from", "Stockroom <stock@example.com>",
            "base-url", "http://stockroom.example"));
  }

  private void take(String to, byte[] data) throws RejectException {
    if (to.startsWith("rejected")) {
      throw new RejectException(554, "5.7.1 no such content");
    }
    try {
      mails.add(
          new Received(
              to,
              new MimeMessage(
                  Session.getInstance(new Properties()), new ByteArrayInputStream(data))));
    } catch (MessagingException e) {
      throw new IllegalStateException(e);
    }
  }

  public int port() {
    return server.getPortAllocated();
  }

  /** What arrived for a recipient until now. */
  public List<Received> of(String recipient) {
    List<Received> found = new ArrayList<>(mails);
    found.removeIf(mail -> !mail.to.equals(recipient));
    return found;
  }

  /** Waits until this many mails arrived for a recipient, and returns the last one. */
  public Received await(String recipient, int count) {
    if (!Eventually.within(PATIENCE, () -> of(recipient).size() >= count)) {
      throw new AssertionError("no mail %d for %s".formatted(count, recipient));
    }
    return of(recipient).get(count - 1);
  }

  @Override
  public void close() {
    server.stop();
  }
}
