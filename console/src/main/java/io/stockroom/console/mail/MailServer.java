package io.stockroom.console.mail;

import io.stockroom.core.settings.MailSecurity;
import io.stockroom.core.settings.MailSettings;
import io.stockroom.core.settings.Settings;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The mail server that the operator configured.
 *
 * @param username empty: no authentication
 * @param baseUrl the public URL of this server, for links
 */
public record MailServer(
    String host,
    int port,
    MailSecurity security,
    String username,
    String password,
    String from,
    String baseUrl) {

  /** Null if no mail server is configured. */
  public static @Nullable MailServer of(Settings settings) {
    String host = settings.get(MailSettings.HOST_NAME);
    if (host.isEmpty()) {
      return null;
    }
    MailSecurity security = settings.get(MailSettings.SECURITY);
    int port = settings.get(MailSettings.PORT);
    return new MailServer(
        host,
        port == 0 ? security.standardPort() : port,
        security,
        settings.get(MailSettings.USERNAME),
        settings.get(MailSettings.PASSWORD),
        settings.get(MailSettings.FROM_ADDRESS),
        settings.baseUrl(0));
  }

  /** The name by which this server introduces itself to the mail server. */
  String ownName() {
    String name = URI.create(baseUrl).getHost();
    return name == null ? "localhost" : name;
  }

  /** Keeps the password out of logs. */
  @Override
  public String toString() {
    return "MailServer[" + host + ":" + port + "]";
  }
}
