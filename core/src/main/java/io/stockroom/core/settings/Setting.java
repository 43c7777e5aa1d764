package io.stockroom.core.settings;

import java.util.Locale;
import java.util.function.Function;

/**
 * One thing an operator can set.
 *
 * @param name as it is written in {@code stockroom.yaml} and after {@code --set}
 * @param standard the value it has when nobody sets it, as an operator would write it
 * @param expected what a right value looks like, for the message about a wrong one
 * @param meaning one sentence for the operator
 * @param secret whether its value must never be shown
 * @param parse reads a value; throws an {@link IllegalArgumentException} for an impossible one
 */
public record Setting<T>(
    String name,
    String standard,
    String expected,
    String meaning,
    boolean secret,
    Function<String, T> parse) {

  /** The environment variable that sets it: {@code STOCKROOM_LIMITS_DETAILPERDAY}. */
  public String variable() {
    return "STOCKROOM_" + name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }
}
