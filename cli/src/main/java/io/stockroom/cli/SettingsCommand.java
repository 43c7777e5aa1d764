package io.stockroom.cli;

import io.stockroom.core.settings.Settings;
import io.stockroom.core.settings.ShownSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "settings",
    description = {
      "Show every setting with its value, source and meaning.",
      "Settings come from stockroom.yaml in the data folder, then the environment, then --set."
    },
    footer = {
      "  stockroom settings",
      "  stockroom settings --data /var/lib/stockroom --set page-size=100 --json"
    })
final class SettingsCommand implements Runnable {
  private final Shell shell;

  @Mixin private ServeOptions options = new ServeOptions();

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  SettingsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var settings = ServerProcess.settings(options.folder(shell, "data"), options.all(), shell);
    Output output = new Output(shell, json);
    output.show(
        () -> {
          var list = Json.object();
          var array = list.putArray("settings");
          for (var setting : Settings.ALL) {
            var origin = settings.origin(setting);
            array
                .addObject()
                .put("name", setting.name())
                .put("value", setting.secret() ? null : ShownSettings.text(settings, setting))
                .put("source", origin.source())
                .put("variable", setting.variable())
                .put("meaning", setting.meaning());
          }
          return list;
        },
        () -> {
          for (var setting : Settings.ALL) {
            var origin = settings.origin(setting);
            output.line(
                "%s = %s  (%s)"
                    .formatted(
                        setting.name(), ShownSettings.text(settings, setting), origin.source())
                    .replace("  (default)", ""));
            output.line("    " + setting.meaning());
          }
        });
  }
}
