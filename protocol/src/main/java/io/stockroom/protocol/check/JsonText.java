package io.stockroom.protocol.check;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON into maps, lists, strings, numbers and booleans. It is here, and not a library, for
 * what it says of broken JSON: which of the usual slips it is, and where.
 */
final class JsonText {
  /** The value {@code null}. */
  static final Object NULL = new Object();

  private static final int DEEPEST = 100;
  private static final int NUMBER_CHARACTERS = 40;

  private final String text;
  private int at;
  private int depth;

  private JsonText(String text) {
    this.text = text;
  }

  /** The whole text as one value. */
  static Object read(String text) {
    JsonText reader = new JsonText(text);
    Object value = reader.value();
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.fault(Mistake.JSON_BROKEN);
    }
    return value;
  }

  private Object value() {
    skipSpace();
    char next = peek();
    if (++depth > DEEPEST) {
      throw fault(Mistake.JSON_BROKEN);
    }
    Object value =
        switch (next) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> string();
          case '\'', '“', '”', '‘', '’' -> throw fault(Mistake.JSON_QUOTES);
          default -> word();
        };
    depth--;
    return value;
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    at++;
    skipSpace();
    if (peek() == '}') {
      at++;
      return object;
    }
    while (true) {
      skipSpace();
      char next = peek();
      if (next == '}') {
        throw fault(Mistake.JSON_TRAILING_COMMA);
      }
      if (next != '"') {
        boolean name = Character.isLetter(next) || next == '_' || "'“”‘’".indexOf(next) >= 0;
        throw fault(name ? Mistake.JSON_QUOTES : Mistake.JSON_BROKEN);
      }
      int start = at;
      String name = string();
      if (object.containsKey(name)) {
        at = start;
        throw fault(Mistake.FIELD_REPEATED);
      }
      skipSpace();
      expect(':');
      object.put(name, value());
      skipSpace();
      if (peek() == '}') {
        at++;
        return object;
      }
      expect(',');
    }
  }

  private List<Object> array() {
    List<Object> array = new ArrayList<>();
    at++;
    skipSpace();
    if (peek() == ']') {
      at++;
      return array;
    }
    while (true) {
      skipSpace();
      if (peek() == ']') {
        throw fault(Mistake.JSON_TRAILING_COMMA);
      }
      array.add(value());
      skipSpace();
      if (peek() == ']') {
        at++;
        return array;
      }
      expect(',');
    }
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    at++;
    while (peek() != '"') {
      char c = peek();
      if (c < ' ') {
        throw fault(Mistake.JSON_BROKEN);
      }
      at++;
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9A-Fa-f]{4}")) {
          throw fault(Mistake.JSON_BROKEN);
        }
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> throw fault(Mistake.JSON_BROKEN);
    };
  }

  private Object word() {
    int start = at;
    while (at < text.length() && "{}[]\",: \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.equals("true") || word.equals("false")) {
      return word.equals("true");
    }
    if (word.equals("null")) {
      return NULL;
    }
    // no field has a longer number, and reading one takes time that grows with its square
    if (word.length() <= NUMBER_CHARACTERS
        && word.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")) {
      BigDecimal number = new BigDecimal(word);
      // 3.6e1 is 36 and yet not written as a whole number, which is what counts here
      boolean isWhole = word.chars().noneMatch(c -> ".eE".indexOf(c) >= 0);
      return isWhole || number.scale() != 0 ? number : number.setScale(1);
    }
    at = start;
    throw fault(Mistake.JSON_BROKEN);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (text.startsWith("//", at) || text.startsWith("/*", at)) {
      throw fault(Mistake.JSON_COMMENT);
    }
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw fault(Mistake.JSON_BROKEN);
    }
    at++;
  }

  private char peek() {
    if (at >= text.length()) {
      throw fault(Mistake.JSON_BROKEN);
    }
    return text.charAt(at);
  }

  private JsonFault fault(Mistake mistake) {
    String before = text.substring(0, Math.min(at, text.length()));
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    int column = before.length() - before.lastIndexOf('\n');
    String rest = text.substring(before.length());
    return new JsonFault(
        mistake, line, column, rest.isEmpty() ? "∅" : rest.lines().findFirst().orElse("∅"));
  }
}
