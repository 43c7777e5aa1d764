package io.stockroom.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The program {@code stockroom}: its command tree, and its exit codes. */
@Command(
    name = "stockroom",
    description = "Serve the merchant stock and product interface of a wholesale marketplace.",
    versionProvider = Version.class,
    footer = {
      "  stockroom demo",
      "  stockroom serve --data /var/lib/stockroom",
      "  stockroom merchant create --name 'Yiwu Shoes' --store-url yiwu \\",
      "      --store-name 'Yiwu Shoes Flagship'",
      "  stockroom product import --merchant 1 products.csv",
      "  stockroom token issue --help",
      "",
      "Exit codes: 0 success, 1 failure, 2 wrong usage. STOCKROOM_DEBUG=1 prints stack traces."
    })
public final class Main {
  private static final Set<String> JSON_OPTIONS = Set.of("--json", "--json-stream");

  /** The exit code after SIGPIPE, as shells report it: 128 plus the signal number 13. */
  private static final int READER_GONE = 141;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(Shell.ofProcess(), arguments));
  }

  /** Runs one command line in this process and returns its exit code. */
  static int run(
      String[] arguments,
      InputStream stdin,
      PrintStream stdout,
      PrintStream stderr,
      Map<String, String> environment) {
    Shell shell = new Shell(stdin, stdout, stderr, environment, Shell.installedIn(), false, false);
    return run(shell, arguments);
  }

  static int run(Shell shell, String... arguments) {
    boolean json = Arrays.stream(arguments).anyMatch(JSON_OPTIONS::contains);
    if (Arrays.stream(arguments).anyMatch(argument -> argument.indexOf('\uFFFD') >= 0)) {
      // Java has already lost the characters; continuing would store damaged text
      return fail(
          CommandException.usage(
              "An argument contains characters that the locale does not support. Run again with"
                  + " LC_ALL=C.UTF-8."),
          json,
          shell);
    }
    String[] spelledOut = spelledOut(arguments);
    int exitCode = commandLine(groups(shell, spelledOut), shell, json).execute(spelledOut);
    if (shell.out() instanceof StandardOutput out && out.isReaderGone()) {
      return exitCode == 0 ? READER_GONE : exitCode;
    }
    if (shell.out().checkError()) {
      shell.err().println("The result could not be written to standard output.");
      return exitCode == 0 ? 1 : exitCode;
    }
    return exitCode;
  }

  /** Turns {@code help merchant}, which many people try first, into {@code merchant --help}. */
  private static String[] spelledOut(String[] arguments) {
    if (arguments.length == 0 || !arguments[0].equals("help")) {
      return arguments;
    }
    String[] spelledOut = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
    spelledOut[arguments.length - 1] = "--help";
    return spelledOut;
  }

  /** A command by its name, made only when it is needed. */
  private record Entry(String name, Function<Shell, CommandSpec> maker) {}

  /** Related commands, as on the first help page. */
  private record Section(String title, Entry... entries) {}

  private static final List<Section> SECTIONS =
      List.of(
          new Section(
              "Run a server",
              new Entry("demo", DemoCommand::make),
              new Entry("serve", ServeCommand::make),
              new Entry("settings", SettingsCommand::make)),
          new Section(
              "Manage merchants",
              new Entry("merchant", MerchantCommands::group),
              new Entry("limits", LimitCommands::all),
              new Entry("product", ProductCommands::group),
              new Entry("import", ImportCommands::group),
              new Entry("app", AppCommands::group),
              new Entry("token", TokenCommands::group),
              new Entry("person", PersonCommands::group)),
          new Section(
              "Maintain the server",
              new Entry("backup", BackupCommand::make),
              new Entry("restore", RestoreCommand::make),
              new Entry("cell", CellCommands::group),
              new Entry("mail", MaintenanceCommands::mail),
              new Entry("pictures", PictureCommands::group),
              new Entry("key", MaintenanceCommands::key),
              new Entry("audit", AuditCommands::group),
              new Entry("logs", LogCommands::group)),
          new Section(
              "Try the interface",
              new Entry("sign", SignCommand::make),
              new Entry("call", CallCommand::make),
              new Entry("check", CheckCommand::make),
              new Entry("changes", ChangesCommand::make),
              new Entry("webhook", WebhookCommands::group),
              new Entry("mcp", McpCommand::make),
              new Entry("profile", ProfileCommands::group),
              new Entry("conform", ConformCommand::make),
              new Entry("generate", GenerateCommand::make)),
          new Section(
              "Get help",
              new Entry("docs", DocsCommand::make),
              new Entry("completion", CompletionCommand::make)));

  /** For the launcher, not for people, so not listed. */
  private static final Entry TRAIN = new Entry("train", TrainCommand::make);

  /** Only the named command if there is one, so that the others cost no time. */
  private static List<HelpPages.Group> groups(Shell shell, String[] arguments) {
    String named = arguments.length == 0 ? "" : arguments[0];
    return Stream.concat(
            SECTIONS.stream().flatMap(section -> Stream.of(section.entries())), Stream.of(TRAIN))
        .filter(entry -> entry.name().equals(named))
        // it completes every command, so it needs all of them
        .filter(entry -> !named.equals("completion"))
        .findFirst()
        .map(entry -> List.of(new HelpPages.Group("", List.of(entry.maker().apply(shell)))))
        .orElseGet(() -> SECTIONS.stream().map(section -> group(section, shell)).toList());
  }

  private static HelpPages.Group group(Section section, Shell shell) {
    return new HelpPages.Group(
        section.title(),
        Stream.of(section.entries()).map(entry -> entry.maker().apply(shell)).toList());
  }

  private static CommandLine commandLine(List<HelpPages.Group> groups, Shell shell, boolean json) {
    CommandLine root = new CommandLine(new Main());
    groups.stream()
        .flatMap(group -> group.commands().stream())
        .forEach(command -> root.addSubcommand(command));
    HelpPages.arrange(root, groups);
    Help.Ansi ansi = shell.wantsColor() ? Help.Ansi.ON : Help.Ansi.OFF;
    return root.setOut(new PrintWriter(shell.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(Help.defaultColorScheme(ansi))
        .setExpandAtFiles(false)
        .setParameterExceptionHandler((wrong, _) -> refuse(wrong, json, shell))
        .setExecutionExceptionHandler((failure, _, _) -> fail(failure, json, shell));
  }

  private static int refuse(ParameterException wrong, boolean json, Shell shell) {
    if (wrong.getCommandLine().getParent() == null && UsageError.isMissingCommand(wrong)) {
      wrong.getCommandLine().usage(wrong.getCommandLine().getOut());
      return 0;
    }
    return fail(CommandException.usage(UsageError.of(wrong)), json, shell);
  }

  private static int fail(Exception failure, boolean json, Shell shell) {
    CommandException reported =
        failure instanceof CommandException known
            ? known
            : CommandException.failed(
                "The command failed unexpectedly (%s). Run it again with STOCKROOM_DEBUG=1 for a stack trace."
                    .formatted(failure),
                failure);
    new Output(shell, json).problem(reported.sentence());
    if (json) {
      shell.out().println(Json.line(reported.json()));
    }
    if (shell.wantsDebugging()) {
      failure.printStackTrace(shell.err());
    }
    return reported.exitCode();
  }
}
