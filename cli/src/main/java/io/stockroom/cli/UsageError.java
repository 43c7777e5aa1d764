package io.stockroom.cli;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains in one sentence what is wrong with a command line, with a suggestion. */
final class UsageError {
  private UsageError() {}

  static String of(ParameterException wrong) {
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    String help = " Help: " + command.qualifiedName() + " --help";
    List<String> unknown = unknown(wrong);
    if (!unknown.isEmpty()) {
      return unknown(unknown.getFirst(), command) + help;
    }
    String message = String.valueOf(wrong.getMessage());
    if (isMissingCommand(wrong)) {
      return "'%s' needs a command: %s."
              .formatted(command.qualifiedName(), choice(command.subcommands().keySet()))
          + help;
    }
    return message.replaceFirst("\\.?$", ".") + help;
  }

  /** The names as a list: {@code create, list or show}. */
  private static String choice(Set<String> names) {
    return String.join(", ", names).replaceFirst(", ([^,]*)$", " or $1");
  }

  static boolean isMissingCommand(ParameterException wrong) {
    return String.valueOf(wrong.getMessage()).startsWith("Missing required subcommand");
  }

  /**
   * If a required option is mistyped, picocli reports only that it is missing; the mistyped name is
   * more helpful.
   */
  private static List<String> unknown(ParameterException wrong) {
    return switch (wrong) {
      case UnmatchedArgumentException unmatched -> unmatched.getUnmatched();
      case MissingParameterException _ ->
          wrong.getCommandLine().getUnmatchedArguments().stream()
              .filter(argument -> argument.startsWith("-"))
              .toList();
      default -> List.of();
    };
  }

  private static String unknown(String argument, CommandSpec command) {
    if (argument.startsWith("-") && argument.length() > 1) {
      String name = argument.replaceFirst("=.*", "");
      return "'%s' has no option '%s'%s"
          .formatted(
              command.qualifiedName(),
              name,
              Suggestion.to(name, command.optionsMap().keySet())
                  .map(nearest -> "; did you mean '" + nearest + "'?")
                  .orElse("."));
    }
    if (command.subcommands().isEmpty()) {
      return "'%s' is an unexpected argument for '%s'."
          .formatted(argument, command.qualifiedName());
    }
    return "'%s' has no command '%s'%s"
        .formatted(
            command.qualifiedName(),
            argument,
            Suggestion.to(argument, command.subcommands().keySet())
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("."));
  }
}
