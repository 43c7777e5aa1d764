package io.stockroom.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
    name = "key",
    description = "Rotate the key that encrypts the applications' secrets.",
    footer = "  stockroom key rotate")
final class KeyCommands {
  private final Shell shell;

  KeyCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "rotate",
      description = {
        "Encrypt every stored secret with the new key.",
        "Secrets and tokens do not change, and applications are not affected."
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
              Counts.of(resealed, "secret is", "secrets are") + " encrypted with the new key.");
        });
  }
}
