package io.stockroom.core.settings;

import java.util.Arrays;
import java.util.Locale;

/** How the connection to the mail server is encrypted. */
public enum MailSecurity {
  NONE(25),
  STARTTLS(587),
  TLS(465);

  private final int standardPort;

  MailSecurity(int standardPort) {
    this.standardPort = standardPort;
  }

  /** The port of mail servers that use it. */
  public int standardPort() {
    return standardPort;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static MailSecurity parse(String text) {
    return Arrays.stream(values())
        .filter(security -> security.word().equals(text.strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown security"));
  }
}
