package io.stockroom.cli;

import java.util.Iterator;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Print a completion script for bash or zsh.",
    footer = {
      "  source <(stockroom completion)",
      "  stockroom completion bash > /etc/bash_completion.d/stockroom",
      "  echo 'source <(stockroom completion zsh)' >> ~/.zshrc"
    })
final class CompletionCommand implements Runnable {
  private static final List<String> SHELLS = List.of("bash", "zsh");

  private final Shell shell;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SHELL",
      completionCandidates = Shells.class,
      description = "bash or zsh (default: bash).")
  private String kind = "bash";

  CompletionCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (!SHELLS.contains(kind)) {
      throw CommandException.usage("'%s' is not supported; use bash or zsh".formatted(kind));
    }
    String script = AutoComplete.bash(spec.root().name(), spec.root().commandLine());
    if (kind.equals("zsh")) {
      // zsh can run bash completion scripts; initialize completion if that has not happened
      shell
          .out()
          .print(
              "autoload -Uz compinit && compinit -u\nautoload -Uz bashcompinit && bashcompinit\n");
    }
    shell.out().print(script);
  }

  /** The shells for completion. */
  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SHELLS.iterator();
    }
  }
}
