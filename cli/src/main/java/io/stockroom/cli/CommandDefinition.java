package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.flag;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/**
 * A command as data: its options, its request, and what it prints. By default its options become
 * the body of the request, or the query of a {@code GET}. {@code --json} prints the answer of the
 * server unchanged. A command that does more names a method.
 */
final class CommandDefinition {
  /** Calls the admin API, if one request with all options is not enough. */
  interface Call {
    JsonNode make(Given given);
  }

  /** Prints the answer, or a part of it, for a person. */
  interface Print {
    void print(JsonNode answer, Given given);
  }

  /** Does everything that the command does, and returns its exit code. */
  interface Run {
    int run(Given given);
  }

  private static final String FORM = "form";
  private static final String JSON = "json";

  private final String name;
  private final String method;
  private final String path;
  private final List<CommandOption> options = new ArrayList<>();
  private final List<Object> mixins = new ArrayList<>();
  private final List<Print> prints = new ArrayList<>();
  private String[] aliases = {};
  private String[] text = {};
  private String[] footer = {};
  private Consumer<Given> check = given -> {};
  private ToIntFunction<JsonNode> exitCode = answer -> 0;
  private String none = "";
  private String noMatch = "";
  private @Nullable Call call;
  private @Nullable Run run;
  private boolean isLocal;
  private String jsonText = "";

  private CommandDefinition(String name, String method, String path) {
    this.name = name;
    this.method = method;
    this.path = path;
  }

  static CommandDefinition get(String name, String path) {
    return new CommandDefinition(name, "GET", path);
  }

  static CommandDefinition post(String name, String path) {
    return new CommandDefinition(name, "POST", path);
  }

  static CommandDefinition patch(String name, String path) {
    return new CommandDefinition(name, "PATCH", path);
  }

  static CommandDefinition delete(String name, String path) {
    return new CommandDefinition(name, "DELETE", path);
  }

  /** A command of operators that does more than one request. */
  static CommandDefinition of(String name, Run run) {
    CommandDefinition command = new CommandDefinition(name, "", "");
    command.run = run;
    return command;
  }

  /** A command that needs no server: its options are those of a mixin. */
  static CommandDefinition local(String name, Run run) {
    CommandDefinition command = of(name, run);
    command.isLocal = true;
    return command;
  }

  /** A call of the merchant's interface, with the credentials of an application and a form. */
  static CommandDefinition signed(String name, String path) {
    return new CommandDefinition(name, FORM, path);
  }

  /** Like {@link #signed}, with a JSON body. */
  static CommandDefinition signedJson(String name, String path) {
    return new CommandDefinition(name, JSON, path);
  }

  CommandDefinition alias(String... others) {
    aliases = others;
    return this;
  }

  /** What the command does; the first line also stands in the list of commands. */
  CommandDefinition does(String... lines) {
    text = lines;
    return this;
  }

  CommandDefinition examples(String... lines) {
    footer = indented(lines);
    return this;
  }

  /** Adds lines below the examples. */
  CommandDefinition notes(String... lines) {
    footer =
        Stream.of(Stream.of(footer), Stream.of(""), Stream.of(lines))
            .flatMap(each -> each)
            .toArray(String[]::new);
    return this;
  }

  CommandDefinition with(CommandOption... more) {
    options.addAll(List.of(more));
    return this;
  }

  /** Adds the annotated options of an object. */
  CommandDefinition mixin(Object annotated) {
    mixins.add(annotated);
    return this;
  }

  /** Adds {@code --json}, as the last option, to a command whose mixins do not have it. */
  CommandDefinition json() {
    return json("Print the result as one JSON object.");
  }

  CommandDefinition json(String text) {
    jsonText = text;
    return this;
  }

  /** Adds {@code --json-stream}. */
  CommandDefinition streams() {
    return with(
        flag(Given.STREAM, "Print one JSON object per line: every step, and finally the result.")
            .local());
  }

  /** Ends the command if the options contradict each other. */
  CommandDefinition checks(Consumer<Given> rule) {
    check = rule;
    return this;
  }

  CommandDefinition calls(Call other) {
    call = other;
    return this;
  }

  CommandDefinition exits(ToIntFunction<JsonNode> code) {
    exitCode = code;
    return this;
  }

  /** Prints the fields of the answer, one per line. */
  CommandDefinition prints(Columns columns) {
    return prints((answer, given) -> given.output().fields(answer, columns));
  }

  /** Prints a sentence. */
  CommandDefinition says(String sentence) {
    return prints((answer, given) -> given.output().line(sentence));
  }

  CommandDefinition prints(Print print) {
    prints.add(print);
    return this;
  }

  /** Prints a list of the answer as a table. */
  CommandDefinition lists(String field, Columns columns) {
    return prints(
        (answer, given) -> {
          String sentence = given.query().isEmpty() ? none : noMatch;
          if (answer.path(field).isEmpty() && !sentence.isEmpty()) {
            given.output().line(sentence);
          } else {
            given.output().table(Table.of(answer.path(field), columns));
          }
        });
  }

  /** The sentence for an empty list. */
  CommandDefinition none(String sentence) {
    none = sentence;
    noMatch = noMatch.isEmpty() ? sentence : noMatch;
    return this;
  }

  /** The sentence for an empty list that options limit. */
  CommandDefinition noMatch(String sentence) {
    noMatch = sentence;
    return this;
  }

  private int runSigned(Given given, InterfaceOptions access) {
    InterfaceApi api = access.connect(given.shell());
    return show(
        method.equals(JSON) ? api.json(path, given.body()) : api.form(path, given.body()), given);
  }

  private int run(Given given) {
    check.accept(given);
    if (run != null) {
      return run.run(given);
    }
    return show(call == null ? request(given) : call.make(given), given);
  }

  private int show(JsonNode answer, Given given) {
    given.output().show(() -> answer, () -> prints.forEach(print -> print.print(answer, given)));
    return exitCode.applyAsInt(answer);
  }

  private JsonNode request(Given given) {
    String address = given.address(path);
    return switch (method) {
      case "GET" -> given.api().get(address + given.query());
      case "DELETE" -> given.api().delete(address);
      case "PATCH" -> given.api().patch(address, given.body());
      default -> given.api().post(address, given.body());
    };
  }

  CommandSpec spec(Shell shell) {
    boolean isSigned = method.equals(FORM) || method.equals(JSON);
    OperatorOptions operator = new OperatorOptions();
    InterfaceOptions access = new InterfaceOptions();
    Given given = new Given(options, operator, shell);
    Callable<Integer> body = () -> isSigned ? runSigned(given, access) : run(given);
    CommandSpec spec = CommandSpec.wrapWithoutInspection(body).name(name).aliases(aliases);
    spec.usageMessage().description(text).footer(footer);
    options.forEach(option -> option.addTo(spec));
    mixins.forEach(mixin -> mixIn(mixin, spec));
    if (!isLocal) {
      mixIn(isSigned ? access : operator, spec);
    }
    if (!jsonText.isEmpty()) {
      flag("--json", jsonText).addTo(spec);
    }
    given.of(spec);
    return spec;
  }

  private static void mixIn(Object annotated, CommandSpec spec) {
    spec.addMixin(annotated.getClass().getSimpleName(), CommandSpec.forAnnotatedObject(annotated));
  }

  private static String[] indented(String... lines) {
    return Arrays.stream(lines).map(line -> "  " + line).toArray(String[]::new);
  }

  /** Commands about one thing: {@code stockroom app create}, {@code stockroom app list}. */
  static CommandSpec group(
      Shell shell, String name, String text, List<String> examples, CommandDefinition... commands) {
    CommandSpec group = CommandSpec.create().name(name);
    group.usageMessage().description(text).footer(indented(examples.toArray(String[]::new)));
    for (CommandDefinition command : commands) {
      group.addSubcommand(command.name, command.spec(shell));
    }
    return group;
  }
}
