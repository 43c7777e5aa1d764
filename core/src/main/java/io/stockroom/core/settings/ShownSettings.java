package io.stockroom.core.settings;

import java.util.List;
import java.util.regex.Pattern;

/** The values of settings as they may be shown, and which of them were given in the open. */
public final class ShownSettings {
  /** As in {@code postgresql://user:password@host/name}. */
  private static final Pattern PASSWORD_OF_USER = Pattern.compile("(?<=://)([^/?#@:]*:)[^/?#@]+@");

  /** As in {@code jdbc:postgresql://host/name?password=…}. */
  private static final Pattern PASSWORD_IN_QUERY =
      Pattern.compile("([?&](?:ssl)?password=)[^&#]+", Pattern.CASE_INSENSITIVE);

  private ShownSettings() {}

  /** The value without secrets: none of a secret setting, and no password within an address. */
  public static String text(Settings settings, Setting<?> setting) {
    String text = settings.origin(setting).text();
    if (setting.secret()) {
      return text.isEmpty() ? "" : "(not shown)";
    }
    if (!setting.equals(Settings.DATABASE_URL)) {
      return text;
    }
    String named = PASSWORD_OF_USER.matcher(text).replaceAll("$1…@");
    return PASSWORD_IN_QUERY.matcher(named).replaceAll("$1…");
  }

  /**
   * Settings that hold a secret and came from the command line, which every user of the machine can
   * read while the process runs.
   */
  public static List<Setting<?>> secretsInArguments(Settings settings) {
    return Settings.ALL.stream()
        .filter(setting -> settings.origin(setting).source().equals(SettingsReader.ARGUMENT))
        .filter(setting -> !text(settings, setting).equals(settings.origin(setting).text()))
        .toList();
  }
}
