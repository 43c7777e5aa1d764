package io.stockroom.cli;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lays out every help page in the same way: usage, purpose, options, examples. */
final class HelpPages {
  /** Related commands on the first page. */
  record Group(String title, List<CommandSpec> commands) {}

  /** The first page starts with the commands, which a newcomer looks for. */
  private static final List<String> FIRST_PAGE =
      List.of(
          UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST,
          UsageMessageSpec.SECTION_KEY_FOOTER_HEADING,
          UsageMessageSpec.SECTION_KEY_FOOTER);

  private HelpPages() {}

  static void arrange(CommandLine root, List<Group> groups) {
    arrangeEach(root);
    root.getCommandSpec().usageMessage().customSynopsis("stockroom COMMAND [OPTIONS]");
    // not root.setHelpSectionKeys, which would remove the arguments from every other page
    root.getCommandSpec().usageMessage().sectionKeys(FIRST_PAGE);
    root.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> groupedCommands(help, groups));
  }

  private static void arrangeEach(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis(synopsis(spec))
        .descriptionHeading("%n")
        .parameterListHeading("%nArguments:%n")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n")
        .footerHeading("%nExamples:%n");
    command.getSubcommands().values().forEach(HelpPages::arrangeEach);
  }

  /** Spells out required options; optional ones are listed below. */
  private static String synopsis(CommandSpec spec) {
    if (!spec.subcommands().isEmpty()) {
      return spec.qualifiedName() + " COMMAND [OPTIONS]";
    }
    Stream<String> options =
        spec.options().stream()
            .filter(ArgSpec::required)
            .map(option -> option.longestName() + " " + option.paramLabel());
    Stream<String> arguments = spec.positionalParameters().stream().map(HelpPages::argument);
    return Stream.of(Stream.of(spec.qualifiedName()), options, arguments, Stream.of("[OPTIONS]"))
        .flatMap(part -> part)
        .collect(Collectors.joining(" "));
  }

  private static String argument(PositionalParamSpec argument) {
    String repeated = argument.isMultiValue() ? "...]" : "]";
    return argument.required() ? argument.paramLabel() : "[" + argument.paramLabel() + repeated;
  }

  private static String groupedCommands(Help help, List<Group> groups) {
    StringBuilder page = new StringBuilder();
    for (Group group : groups) {
      page.append("%n%s:%n".formatted(group.title()));
      Help.TextTable table = table(help);
      for (CommandSpec spec : group.commands()) {
        table.addRowValues("  " + spec.name(), spec.usageMessage().description()[0]);
      }
      page.append(table);
    }
    return page.toString();
  }

  private static Help.TextTable table(Help help) {
    int nameWidth = 14;
    return Help.TextTable.forColumns(
        help.colorScheme(),
        new Help.Column(nameWidth, 0, Help.Column.Overflow.SPAN),
        new Help.Column(
            help.commandSpec().usageMessage().width() - nameWidth, 0, Help.Column.Overflow.WRAP));
  }
}
