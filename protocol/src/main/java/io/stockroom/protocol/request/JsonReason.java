package io.stockroom.protocol.request;

/**
 * Why a text is not valid JSON, in fixed phrases that exist in every language. The parser's own
 * messages are English and written for programmers.
 */
public enum JsonReason {
  EMPTY("the body is empty", "the body is empty"),
  ENDS_EARLY("it ends too early", "Unexpected end-of-input|No content"),
  CHARACTER(
      "a character is not allowed at this position", "Unexpected character|Illegal character"),
  WORD("a word is not in quotes", "Unrecognized token"),
  BRACKET("a closing bracket has no opening bracket", "Unexpected close marker"),
  REPEATED("a name occurs twice in one object", "Duplicate"),
  TRAILING("there is more text after the end of the value", "Trailing token"),
  LONG_NUMBER("a number has too many characters", "Number value length"),
  BAD_NUMBER("a number is not valid JSON", "Invalid numeric value|Leading zeroes"),
  LONG_TEXT("a text is too long", "String value length|Document length"),
  LONG_NAME("a name is too long", "Name length|Property name length"),
  DEEP("it is nested too deeply", "Document nesting depth"),
  CONTROL("a control character in a text is not escaped", "Illegal unquoted character"),
  ESCAPE("a backslash is not followed by a valid escape", "Unrecognized character escape"),
  ENCODING("it is not UTF-8", "Invalid UTF-8|the body is not UTF-8|Incomplete UTF-8"),
  OTHER("it cannot be read", "");

  private final String sentence;
  private final String beginnings;

  /**
   * A reason.
   *
   * @param beginnings the beginnings of the parser's messages, separated by bars
   */
  JsonReason(String sentence, String beginnings) {
    this.sentence = sentence;
    this.beginnings = beginnings;
  }

  public String sentence() {
    return sentence;
  }

  /** The first match; {@link #OTHER} matches everything. */
  static JsonReason of(String parserMessage) {
    for (JsonReason reason : values()) {
      for (String beginning : reason.beginnings.split("\\|", -1)) {
        if (parserMessage.startsWith(beginning)) {
          return reason;
        }
      }
    }
    return OTHER;
  }
}
