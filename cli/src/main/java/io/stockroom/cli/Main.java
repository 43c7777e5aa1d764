package io.stockroom.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
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
              "An argument contains characters that the locale does not support. Run again with LC_ALL=C.UTF-8."),
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

  /**
   * Every command, grouped as on the first help page. Picocli reflects on each class at every
   * start, so no field or signature may mention a class of the server.
   */
  private static List<HelpPages.Group> groups(Shell shell) {
    return List.of(
        new HelpPages.Group(
            "Run a server",
            List.of(new DemoCommand(shell), new ServeCommand(shell), new SettingsCommand(shell))),
        new HelpPages.Group(
            "Manage merchants",
            List.of(
                new MerchantCommands(shell),
                new LimitsCommand(shell),
                new ProductCommands(shell),
                new ImportCommands(shell),
                new AppCommands(shell),
                new TokenCommands(shell),
                new PersonCommands(shell))),
        new HelpPages.Group(
            "Maintain the server",
            List.of(
                new BackupCommand(shell),
                new RestoreCommand(shell),
                new CellCommands(shell),
                new MailCommands(shell),
                new KeyCommands(shell),
                new AuditCommands(shell),
                new LogCommands(shell))),
        new HelpPages.Group(
            "Try the interface",
            List.of(
                new SignCommand(shell),
                new CallCommand(shell),
                new CheckCommand(shell),
                new ChangesCommand(shell),
                new WebhookCommands(shell),
                new McpCommand(shell),
                new ProfileCommands(shell),
                new ConformCommand(shell),
                new GenerateCommand(shell))),
        new HelpPages.Group(
            "Get help", List.of(new DocsCommand(shell), new CompletionCommand(shell))));
  }

  /** Like above, but only the named command, so picocli need not reflect on all others. */
  private static List<HelpPages.Group> groups(Shell shell, String[] arguments) {
    String named = arguments.length == 0 ? "" : arguments[0];
    if (named.equals("serve")) {
      // without loading the classes of the others, because servers should start fast
      return List.of(new HelpPages.Group("", List.of(new ServeCommand(shell))));
    }
    if (named.equals("train")) {
      // for the launcher, not for people, so not listed
      return List.of(new HelpPages.Group("", List.of(new TrainCommand(shell))));
    }
    List<HelpPages.Group> all = groups(shell);
    return all.stream()
        .flatMap(group -> group.commands().stream())
        .filter(command -> name(command).equals(named))
        // it completes every command, so it needs all of them
        .filter(command -> !(command instanceof CompletionCommand))
        .findFirst()
        .map(command -> List.of(new HelpPages.Group("", List.of(command))))
        .orElse(all);
  }

  private static String name(Object command) {
    return command.getClass().getAnnotation(Command.class).name();
  }

  private static CommandLine commandLine(List<HelpPages.Group> groups, Shell shell, boolean json) {
    CommandLine root = new CommandLine(new Main());
    groups.forEach(group -> group.commands().forEach(root::addSubcommand));
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
