package io.stockroom.cli;

import io.stockroom.core.settings.Setting;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.settings.ShownSettings;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom settings}. */
final class SettingsCommand {
  private SettingsCommand() {}

  static CommandSpec make(Shell shell) {
    ServeOptions options = new ServeOptions();
    return CommandDefinition.local("settings", given -> run(options, given))
        .does(
            "Show every setting with its value, source and meaning.",
            "Settings come from stockroom.yaml in the data folder, then the environment, then"
                + " --set.")
        .examples(
            "stockroom settings",
            "stockroom settings --data /var/lib/stockroom --set page-size=100 --json")
        .mixin(options)
        .json()
        .spec(shell);
  }

  private static int run(ServeOptions options, Given given) {
    Shell shell = given.shell();
    Settings settings = ServerProcess.settings(options.folder(shell, "data"), options.all(), shell);
    given.output().show(() -> json(settings), () -> print(settings, given.output()));
    return 0;
  }

  private static JsonNode json(Settings settings) {
    ObjectNode all = Json.object();
    ArrayNode array = all.putArray("settings");
    for (Setting<?> setting : Settings.ALL) {
      array
          .addObject()
          .put("name", setting.name())
          .put("value", setting.secret() ? null : ShownSettings.text(settings, setting))
          .put("source", settings.origin(setting).source())
          .put("variable", setting.variable())
          .put("meaning", setting.meaning());
    }
    return all;
  }

  private static void print(Settings settings, Output output) {
    for (Setting<?> setting : Settings.ALL) {
      String value = ShownSettings.text(settings, setting);
      String source = "  (%s)".formatted(settings.origin(setting).source());
      output.line(setting.name() + " = " + value + (source.equals("  (default)") ? "" : source));
      output.line("    " + setting.meaning());
    }
  }
}
