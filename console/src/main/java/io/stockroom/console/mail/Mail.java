package io.stockroom.console.mail;

import java.util.regex.Pattern;

/**
 * An email. Its parts contain no line breaks that could add a header.
 *
 * @param recipient one email address
 * @param subject control characters become spaces
 * @param text the plain text; {@link MailHtml} derives the HTML from it
 * @param unsubscribe the address that ends mails of this kind; empty: none
 */
public record Mail(String recipient, String subject, String text, String unsubscribe) {
  private static final int MAX_SUBJECT = 200;
  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s@<>,;:()\\[\\]\"\\p{Cntrl}]+@[^\\s@<>,;:()\"\\p{Cntrl}]+");
  private static final Pattern URL = Pattern.compile("(?:https?://[!-;=?-~]+)?");

  public Mail {
    if (!isAddress(recipient)) {
      throw new IllegalArgumentException("not an email address");
    }
    if (!URL.matcher(unsubscribe).matches()) {
      throw new IllegalArgumentException("not a URL");
    }
    subject = oneLine(subject);
    if (subject.length() > MAX_SUBJECT) {
      subject = subject.substring(0, MAX_SUBJECT - 1).strip() + "…";
    }
  }

  /** Whether a mail can be sent to it. */
  public static boolean isAddress(String text) {
    return ADDRESS.matcher(text).matches();
  }

  /** The text without line breaks and other control characters, for a header or a line. */
  public static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029\\s]+", " ").strip();
  }

  /** Keeps links that work once out of logs. */
  @Override
  public String toString() {
    return "Mail[" + recipient + "]";
  }
}
