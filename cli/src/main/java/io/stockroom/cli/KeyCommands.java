package io.stockroom.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
    name = "key",
    description = "Rotate the key that application secrets are stored under.",
    footer = "  stockroom key rotate")
final class KeyCommands {
  private final Shell shell;

  KeyCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "rotate",
      description = {
        "Seal every stored application secret anew, under the new key.",
        "Secrets and tokens stay the same; no application notices."
      },
      footer = {"  stockroom key rotate", "  stockroom key rotate --json"})
  void rotate(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).work("/admin/keys/rotate");
    Output output = operator.output(shell);
    output.show(
        () -> answer,
        () -> {
          long resealed = answer.path("resealed").asLong(0);
          output.line(
              resealed == 1
                  ? "1 secret is sealed under the new key."
                  : resealed + " secrets are sealed under the new key.");
        });
  }
}
