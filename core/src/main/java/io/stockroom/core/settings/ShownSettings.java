package io.stockroom.core.settings;

import io.stockroom.core.database.DatabaseAddress;
import java.util.List;

/** The values of settings as they may be shown, and which of them were given in the open. */
public final class ShownSettings {
  private ShownSettings() {}

  /** The value without secrets: none of a secret setting, and no password within an address. */
  public static String text(Settings settings, Setting<?> setting) {
    String text = settings.origin(setting).text();
    if (setting.secret()) {
      return text.isEmpty() ? "" : "(not shown)";
    }
    return setting.equals(Settings.DATABASE_URL) ? DatabaseAddress.shown(text) : text;
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
