package io.stockroom.server.call;

/**
 * Why a text is not accepted as JSON, in a few fixed sentences that exist in every language: the
 * parser's own are English, and meant for programmers.
 */
enum JsonReason {
  ENDS_EARLY("it ends too early", "Unexpected end-of-input|No content"),
  CHARACTER("a character stands where none like it may", "Unexpected character|Illegal character"),
  WORD("a word stands without quotes", "Unrecognized token"),
  BRACKET("a bracket is closed that was not opened", "Unexpected close marker"),
  REPEATED("a name is given twice in one object", "Duplicate"),
  TRAILING("something follows after the end of the value", "Trailing token"),
  LONG_NUMBER("a number has too many characters", "Number value length"),
  BAD_NUMBER("a number is not written as JSON has it", "Invalid numeric value|Leading zeroes"),
  LONG_TEXT("a text is too long", "String value length|Document length"),
  LONG_NAME("a name is too long", "Name length|Property name length"),
  DEEP("it is nested too deeply", "Document nesting depth"),
  CONTROL("a control character in a text is not escaped", "Illegal unquoted character"),
  ESCAPE("a backslash is followed by what cannot follow it", "Unrecognized character escape"),
  ENCODING("it is not UTF-8", "Invalid UTF-8|the body is not UTF-8|Incomplete UTF-8"),
  OTHER("it cannot be read", "");

  private final String sentence;
  private final String beginnings;

  /**
   * A reason.
   *
   * @param beginnings how the parser's message begins, with bars between several ways
   */
  JsonReason(String sentence, String beginnings) {
    this.sentence = sentence;
    this.beginnings = beginnings;
  }

  String sentence() {
    return sentence;
  }

  /** The first that fits; the last always does. */
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
