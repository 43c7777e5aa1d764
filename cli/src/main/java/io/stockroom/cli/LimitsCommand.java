package io.stockroom.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "limits",
    description = {
      "Show or set the limits of all merchants.",
      "What is set applies on every node within a second, without a restart. Without --set and"
          + " --unset nothing changes. For one merchant: stockroom merchant limits"
    },
    footer = {
      "  stockroom limits",
      "  stockroom limits --set create-interval='5 seconds' --set adjust-per-second='20 per second'",
      "  stockroom limits --unset create-interval"
    })
final class LimitsCommand implements Runnable {
  private final Shell shell;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Set a limit for all merchants; may be given several times.")
  private @Nullable List<String> set;

  @Option(
      names = "--unset",
      paramLabel = "NAME",
      description = "Use the server's setting again; may be given several times.")
  private @Nullable List<String> unset;

  @Mixin private OperatorOptions operator = new OperatorOptions();

  LimitsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    LimitChanges changes =
        new LimitChanges(set == null ? List.of() : set, unset == null ? List.of() : unset);
    AdminApi api = operator.connect(shell);
    JsonNode answer =
        changes.isEmpty() ? api.get("/admin/limits") : api.put("/admin/limits", changes.json());
    Output output = operator.output(shell);
    output.show(() -> answer, () -> LimitChanges.show(answer.path("limits"), output));
  }
}
