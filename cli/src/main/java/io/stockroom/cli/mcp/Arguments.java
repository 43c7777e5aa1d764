package io.stockroom.cli.mcp;

import io.stockroom.protocol.Size;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The arguments of a tool call. A wrong one is refused with its place and what to send instead.
 *
 * @param at the place of these arguments in the call, such as {@code changes[2]}; empty for the
 *     call itself
 */
record Arguments(JsonNode fields, String at) {
  Arguments(JsonNode fields) {
    this(fields, "");
  }

  String text(String name) {
    JsonNode field = fields.path(name);
    if (!field.isString() || field.asString().isBlank()) {
      throw wrong(name, "a text that is not empty", field);
    }
    return field.asString().strip();
  }

  /** The text, or {@code standard} if it is missing or empty. */
  String textOr(String name, String standard) {
    boolean isEmpty = fields.path(name).isString() && fields.path(name).asString().isBlank();
    return isEmpty || isMissing(name) ? standard : text(name);
  }

  /** A size, as a whole number or a text. */
  Size size(String name) {
    JsonNode field = fields.path(name);
    return Size.find(field.isIntegralNumber() || field.isString() ? field.asString() : "")
        .orElseThrow(() -> wrong(name, "a size such as 36 or \"XL\"", field));
  }

  int whole(String name, int from, int to) {
    JsonNode field = fields.path(name);
    if (!field.canConvertToExactIntegral() || field.asLong() < from || field.asLong() > to) {
      throw wrong(name, "a whole number from %d to %d".formatted(from, to), field);
    }
    return field.asInt();
  }

  /** The number, or {@code standard} if it is missing. */
  int wholeOr(String name, int from, int to, int standard) {
    return isMissing(name) ? standard : whole(name, from, to);
  }

  /** The number; null if it is missing. */
  @Nullable Integer wholeOrNull(String name, int from, int to) {
    return isMissing(name) ? null : whole(name, from, to);
  }

  /** The elements of a list, each with its place. */
  List<Arguments> list(String name, int most) {
    JsonNode field = fields.path(name);
    if (!field.isArray() || field.isEmpty() || field.size() > most) {
      throw wrong(name, "a list of 1 to %d elements".formatted(most), field);
    }
    List<JsonNode> elements = field.valueStream().toList();
    return IntStream.range(0, elements.size())
        .mapToObj(i -> new Arguments(elements.get(i), place(name) + "[" + i + "]"))
        .toList();
  }

  boolean isMissing(String name) {
    return fields.path(name).isMissingNode() || fields.path(name).isNull();
  }

  /** The place of an argument in the call. */
  String place(String name) {
    return at.isEmpty() ? name : at + "." + name;
  }

  private Refusal wrong(String name, String expected, JsonNode found) {
    return new Refusal(
        "%s must be %s%s."
            .formatted(
                place(name), expected, isMissing(name) ? "; it is missing" : ", not " + found));
  }
}
