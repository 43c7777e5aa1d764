package io.stockroom.core.settings;

import static io.stockroom.core.settings.SettingTypes.bounded;
import static io.stockroom.core.settings.SettingTypes.secret;
import static io.stockroom.core.settings.SettingTypes.setting;
import static io.stockroom.core.settings.SettingTypes.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The settings of the mail server that delivers our emails. */
public final class MailSettings {
  /** {@code stock@example.com} or {@code Stockroom <stock@example.com>}. */
  private static final Pattern FROM =
      Pattern.compile(
          "[^<>@,;\\s\\p{Cntrl}]+@[A-Za-z0-9.-]+|[^<>@\\p{Cntrl}]* <[^<>@,;\\s\\p{Cntrl}]+@[A-Za-z0-9.-]+>");

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.-]*|\\[[0-9A-Fa-f:.]+\\]");

  public static final Setting<String> HOST_NAME =
      setting(
          "mail.host",
          "",
          "a host name such as smtp.example.com, without a port",
          "Mail server (SMTP) for invitations, forgotten passwords and digests; empty: no email."
              + " Needs mail.from and base-url.",
          text -> matching(HOST, text));
  public static final Setting<Integer> PORT =
      setting(
          "mail.port",
          "auto",
          "auto, or a port from 1 to 65535",
          "Port of the mail server; auto: 587 for starttls, 465 for tls, 25 for none.",
          text -> text.strip().equals("auto") ? 0 : bounded(text, 1, 65535));
  public static final Setting<String> USERNAME =
      text("mail.username", "", "User at the mail server; empty: no authentication.");
  public static final Setting<String> PASSWORD = secret("mail.password", "Password of that user.");
  public static final Setting<String> FROM_ADDRESS =
      setting(
          "mail.from",
          "",
          "an email address such as stock@example.com or Stockroom <stock@example.com>",
          "Sender of our emails.",
          text -> text.isBlank() ? "" : matching(FROM, text));
  public static final Setting<MailSecurity> SECURITY =
      setting(
          "mail.security",
          "starttls",
          "none, starttls or tls",
          "Encryption of the connection to the mail server; none only inside your own network.",
          MailSecurity::parse);

  static final List<Setting<?>> ALL =
      List.of(HOST_NAME, PORT, USERNAME, PASSWORD, FROM_ADDRESS, SECURITY);

  private MailSettings() {}

  private static String matching(Pattern pattern, String text) {
    String stripped = text.strip();
    if (!pattern.matcher(stripped).matches()) {
      throw new IllegalArgumentException("malformed");
    }
    return stripped;
  }

  /** What is wrong with the settings of mail together. */
  static List<String> problems(Settings settings) {
    List<String> problems = new ArrayList<>();
    boolean user = !settings.get(USERNAME).isEmpty();
    boolean password = !settings.get(PASSWORD).isEmpty();
    if (user != password) {
      problems.add(
          "mail.username and mail.password must be set together; only %s is set."
              .formatted(user ? "mail.username" : "mail.password"));
    }
    if (settings.get(HOST_NAME).isEmpty()) {
      return problems;
    }
    if (settings.get(FROM_ADDRESS).isEmpty()) {
      problems.add(
          "mail.from is empty: with mail.host, it must be " + FROM_ADDRESS.expected() + ".");
    }
    if (settings.get(Settings.BASE_URL).isEmpty()) {
      problems.add(
          "base-url is empty: with mail.host, it must be the public URL of the server, because"
              + " emails contain links to it.");
    }
    return problems;
  }
}
