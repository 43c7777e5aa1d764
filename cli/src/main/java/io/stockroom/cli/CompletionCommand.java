package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Model.CommandSpec;

/** {@code stockroom completion}. */
final class CompletionCommand {
  private static final List<String> SHELLS = List.of("bash", "zsh");

  /** zsh can run bash completion scripts; initializes completion if that has not happened. */
  private static final String ZSH =
      "autoload -Uz compinit && compinit -u\nautoload -Uz bashcompinit && bashcompinit\n";

  private CompletionCommand() {}

  static CommandSpec make(Shell shell) {
    return CommandDefinition.local("completion", CompletionCommand::run)
        .does("Print a completion script for bash or zsh.")
        .examples(
            "source <(stockroom completion)",
            "stockroom completion bash > /etc/bash_completion.d/stockroom",
            "echo 'source <(stockroom completion zsh)' >> ~/.zshrc")
        .with(argument("SHELL", "bash or zsh (default: bash).").optional().offers(SHELLS))
        .spec(shell);
  }

  private static int run(Given given) {
    String kind = given.has("SHELL") ? given.text("SHELL") : "bash";
    if (!SHELLS.contains(kind)) {
      throw CommandException.usage("'%s' is not supported; use bash or zsh".formatted(kind));
    }
    CommandSpec program = given.program();
    String script = AutoComplete.bash(program.name(), program.commandLine());
    given.shell().out().print((kind.equals("zsh") ? ZSH : "") + script);
    return 0;
  }
}
