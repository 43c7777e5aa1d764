package io.stockroom.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * An option or argument of a command.
 *
 * @param name {@code --store-url}, or {@code APPID} for an argument
 * @param label the placeholder of its value; empty for a switch
 * @param candidates the values that a shell completes
 * @param field its field in the body or query of the request; empty if it is not part of it
 */
record CommandOption(
    String name,
    String label,
    String text,
    Class<?> type,
    boolean isRequired,
    @Nullable ITypeConverter<?> converter,
    String field,
    Iterable<String> candidates) {

  /** An option with a value. Its field is its name in camel case: {@code storeUrl}. */
  static CommandOption option(String name, String label, String text) {
    return new CommandOption(
        name, label, text, type(label), false, null, camelCase(name), List.of());
  }

  static CommandOption required(String name, String label, String text) {
    return option(name, label, text).withRequired(true);
  }

  /** An option that may be given several times. */
  static CommandOption repeated(String name, String label, String text) {
    return option(name, label, text).withType(List.class);
  }

  /** A switch: it is given, or not. */
  static CommandOption flag(String name, String text) {
    return option(name, "", text).withType(boolean.class);
  }

  /** A switch with an opposite: {@code --require-hmac}, {@code --no-require-hmac}. */
  static CommandOption negatable(String name, String text) {
    return option(name, "", text).withType(Boolean.class);
  }

  /** An argument without a dash, whose place in the path of the request is {@code {LABEL}}. */
  static CommandOption argument(String label, String text) {
    return new CommandOption(label, label, text, type(label), true, null, "", List.of());
  }

  /** The page of a long list, starting at 1. */
  static CommandOption page(String text) {
    return option("--page", "N", text).as(Long.class, Values::page);
  }

  /** An argument that may be given any number of times, or not at all. */
  CommandOption many() {
    return optional().withType(List.class);
  }

  CommandOption optional() {
    return withRequired(false);
  }

  /** Checks and converts the value. */
  <T> CommandOption as(Class<T> type, ITypeConverter<T> converter) {
    return new CommandOption(name, label, text, type, isRequired, converter, field, candidates);
  }

  /** Checks each value of a repeated option. */
  CommandOption each(ITypeConverter<?> check) {
    return new CommandOption(name, label, text, type, isRequired, check, field, candidates);
  }

  /** The values that a shell completes. */
  CommandOption offers(Iterable<String> words) {
    return new CommandOption(name, label, text, type, isRequired, converter, field, words);
  }

  /** Converts the value as picocli does. */
  CommandOption as(Class<?> other) {
    return withType(other);
  }

  /** The field of the request, if it is not the name. */
  CommandOption field(String other) {
    return new CommandOption(name, label, text, type, isRequired, converter, other, candidates);
  }

  /** Keeps the option out of the request. */
  CommandOption local() {
    return field("");
  }

  private CommandOption withType(Class<?> other) {
    return new CommandOption(name, label, text, other, isRequired, converter, field, candidates);
  }

  private CommandOption withRequired(boolean required) {
    return new CommandOption(name, label, text, type, required, converter, field, candidates);
  }

  void addTo(CommandSpec command) {
    if (!name.startsWith("-")) {
      command.addPositional(argument(command.positionalParameters().size()));
      return;
    }
    OptionSpec.Builder option =
        OptionSpec.builder(name.split(", "))
            .paramLabel(label)
            .description(text.split("\n"))
            .type(type)
            .arity(label.isEmpty() ? "0" : "1")
            .required(isRequired)
            .negatable(type == Boolean.class);
    if (candidates.iterator().hasNext()) {
      option.completionCandidates(candidates);
    }
    if (type == List.class) {
      option.auxiliaryTypes(type(label));
    } else if (type == Map.class) {
      option.auxiliaryTypes(String.class, String.class);
    }
    command.addOption((converter == null ? option : option.converters(converter)).build());
  }

  private PositionalParamSpec argument(int index) {
    String most = type == List.class ? "*" : "1";
    PositionalParamSpec.Builder argument =
        PositionalParamSpec.builder()
            .index(type == List.class ? index + "..*" : Integer.toString(index))
            .paramLabel(label)
            .description(text.split("\n"))
            .type(type)
            .arity(isRequired ? "1" : "0.." + most)
            .required(isRequired);
    if (candidates.iterator().hasNext()) {
      argument.completionCandidates(candidates);
    }
    return (converter == null ? argument : argument.converters(converter)).build();
  }

  /** So that a shell completes the names of files. */
  private static Class<?> type(String label) {
    return label.equals("FILE") || label.equals("DIR") ? Path.class : String.class;
  }

  private static String camelCase(String name) {
    StringBuilder field = new StringBuilder();
    for (String word : name.replaceFirst("^(.*, )?-+", "").split("-")) {
      String first = word.substring(0, 1);
      field.append(field.isEmpty() ? first : first.toUpperCase(Locale.ROOT));
      field.append(word.substring(1));
    }
    return field.toString();
  }
}
