package io.stockroom.protocol.check;

import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One element of a create: a colour with its sizes. */
final class ColourGroupRules {
  private static final List<String> GROUP = List.of("color", "pid", "param");
  private static final List<String> SIZE = List.of("size", "stock", "barCode");

  private ColourGroupRules() {}

  static void look(String place, Map<?, ?> group, Findings findings) {
    JsonFields fields = new JsonFields(place + ".", group, GROUP, findings);
    GROUP.forEach(fields::require);
    fields.misspelled();
    fields.number("pid", 1);
    String colour = fields.text("color");
    if (colour != null) {
      String expected = "1 … " + Text.COLOUR_CHARACTERS + " ×";
      check(place + ".color", expected, colour, Text::colour, findings);
    }
    Object param = fields.get("param");
    if (param == null) {
      return;
    }
    if (param instanceof String text && ContentRules.looksLikeJson(text)) {
      findings.add(Mistake.JSON_TWICE, place + ".param", "[ … ]", JsonRules.kind(param));
    } else if (!(param instanceof List<?> sizes)) {
      findings.add(
          Mistake.FIELD_TYPE, place + ".param", "[ {\"size\": …} ]", JsonRules.kind(param));
    } else if (sizes.isEmpty()) {
      findings.add(Mistake.LIST_EMPTY, place + ".param", "≥ 1", "0");
    } else {
      for (int i = 0; i < sizes.size(); i++) {
        size(place + ".param[" + i + "]", sizes.get(i), findings);
      }
    }
  }

  private static void size(String place, Object value, Findings findings) {
    if (!(value instanceof Map<?, ?> size)) {
      findings.add(Mistake.FIELD_TYPE, place, "{\"size\": …}", JsonRules.kind(value));
      return;
    }
    JsonFields fields = new JsonFields(place + ".", size, SIZE, findings);
    fields.require("size");
    fields.require("stock");
    fields.allow("barCode");
    fields.misspelled();
    fields.number("stock", 0);
    String text = fields.textOrNumber("size");
    if (text != null) {
      check(place + ".size", "\"36\", \"36-40\", 36, 1 … 999", text, SizeRange::parse, findings);
    }
    Object code = fields.get("barCode");
    if (code != null && !code.equals(JsonText.NULL) && fields.text("barCode") != null) {
      barCode(place, text, String.valueOf(code), findings);
    }
  }

  private static void barCode(String place, @Nullable String size, String code, Findings findings) {
    if (size != null && size.contains("-") && !code.isBlank() && !findings.at(place + ".size")) {
      findings.add(
          Mistake.FIELD_VALUE, place + ".barCode", "\"size\": \"36\"", size + " + " + code);
    }
  }

  /** Judges as the server does, by the same classes. */
  private static void check(
      String place, String expected, String value, Function<String, ?> parse, Findings findings) {
    try {
      var unused = parse.apply(value);
    } catch (InvalidValue invalid) {
      findings.add(Mistake.FIELD_VALUE, place, expected, JsonRules.kind(value));
    }
  }
}
