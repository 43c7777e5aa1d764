package io.stockroom.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.node.ObjectNode;

/** What was typed for the options and arguments of a command, and where its output goes. */
final class Given {
  /** Prints every step as well as the result. */
  static final String STREAM = "--json-stream";

  private static final int MAX_BODY_BYTES = 64 << 20;

  private final List<CommandOption> options;
  private final OperatorOptions operator;
  private final Shell shell;
  private @Nullable CommandSpec command;
  private @Nullable Output output;
  private @Nullable AdminApi api;

  Given(List<CommandOption> options, OperatorOptions operator, Shell shell) {
    this.options = options;
    this.operator = operator;
    this.shell = shell;
  }

  void of(CommandSpec spec) {
    command = spec;
  }

  Output output() {
    Output made = output == null ? newOutput() : output;
    output = made;
    return made;
  }

  private Output newOutput() {
    boolean streams = hasOption(STREAM) && has(STREAM);
    boolean json = hasOption("--json") && has("--json");
    return streams ? Output.streaming(shell) : new Output(shell, json);
  }

  Shell shell() {
    return shell;
  }

  /** The server, which the common options of operators name. */
  AdminApi api() {
    AdminApi connected = api == null ? operator.connect(shell) : api;
    api = connected;
    return connected;
  }

  /** The whole program, with all of its commands. */
  CommandSpec program() {
    return Objects.requireNonNull(command).root();
  }

  boolean has(String name) {
    Object value = value(name);
    return value != null && !value.equals(false);
  }

  /** The value of an option or argument; empty if it was not given. */
  String text(String name) {
    Object value = value(name);
    return value == null ? "" : value.toString();
  }

  @Nullable String orNull(String name) {
    return has(name) ? text(name) : null;
  }

  @Nullable Path path(String name) {
    return has(name) ? Path.of(text(name)) : null;
  }

  /** The value of an option with the type {@code Integer}. */
  int number(String name, int absent) {
    return value(name) instanceof Integer number ? number : absent;
  }

  /** The content of the file that an option names; empty without the option. */
  byte[] body(String name) {
    if (!has(name)) {
      return new byte[0];
    }
    try (InputFile input = InputFile.open(Path.of(text(name)), shell)) {
      return input.read(MAX_BODY_BYTES);
    }
  }

  List<String> list(String name) {
    return value(name) instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** The values of an option like {@code NAME=URL}, which may be repeated. */
  Map<String, String> map(String name) {
    Map<String, String> map = new LinkedHashMap<>();
    if (value(name) instanceof Map<?, ?> typed) {
      typed.forEach((key, each) -> map.put(key.toString(), each.toString()));
    }
    return map;
  }

  @Nullable Object value(String name) {
    for (ArgSpec each : Objects.requireNonNull(command).args()) {
      boolean isNamed =
          each instanceof OptionSpec option
              ? List.of(option.names()).contains(name)
              : each.paramLabel().equals(name);
      if (isNamed) {
        return each.getValue();
      }
    }
    throw new IllegalArgumentException("The command has no " + name);
  }

  private boolean hasOption(String name) {
    return Objects.requireNonNull(command).optionsMap().containsKey(name);
  }

  /** The address of a request: {@code /admin/applications/{APPID}}, with the values in it. */
  String address(String template) {
    String address = template;
    for (CommandOption option : options) {
      String place = "{" + option.name() + "}";
      if (address.contains(place)) {
        address = address.replace(place, AdminApi.part(text(option.name())));
      }
    }
    return address;
  }

  /** The options that belong to the request, as the query of an address; may be empty. */
  String query() {
    List<String> parameters = new ArrayList<>();
    for (CommandOption option : options) {
      if (!option.field().isEmpty() && has(option.name())) {
        boolean isList = option.type() == List.class;
        for (String value : isList ? list(option.name()) : List.of(text(option.name()))) {
          parameters.add(option.field() + "=" + AdminApi.parameter(value));
        }
      }
    }
    return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
  }

  /** The options that belong to the request, as JSON. */
  ObjectNode body() {
    ObjectNode body = Json.object();
    for (CommandOption option : options) {
      Object value = option.field().isEmpty() ? null : value(option.name());
      switch (value) {
        case null -> {}
        case List<?> list -> list.forEach(each -> body.withArray(option.field()).add("" + each));
        case Long number -> body.put(option.field(), number);
        case Boolean wanted -> {
          if (wanted || option.type() == Boolean.class) {
            body.put(option.field(), wanted);
          }
        }
        default -> body.put(option.field(), value.toString());
      }
    }
    return body;
  }
}
