package io.stockroom.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Print a script that completes commands in bash and zsh.",
    footer = {
      "  source <(stockroom completion)",
      "  stockroom completion > /etc/bash_completion.d/stockroom"
    })
final class CompletionCommand implements Runnable {
  private final Shell shell;

  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    shell.out().print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
  }
}
