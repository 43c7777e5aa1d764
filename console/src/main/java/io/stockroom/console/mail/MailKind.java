package io.stockroom.console.mail;

import java.time.Duration;
import java.util.Locale;

/** What a mail is for. */
public enum MailKind {
  INVITATION(Duration.ofDays(1)),
  /** Expires with its link. */
  RESET(Duration.ofMinutes(30)),
  DIGEST(Duration.ofDays(1));

  private final Duration life;

  MailKind(Duration life) {
    this.life = life;
  }

  /** How long it is tried before it is given up. */
  public Duration life() {
    return life;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
