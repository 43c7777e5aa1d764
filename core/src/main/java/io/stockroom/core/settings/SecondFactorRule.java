package io.stockroom.core.settings;

import java.util.Arrays;
import java.util.Locale;

/** Whom the setting {@code console.require-second-factor} concerns. */
public enum SecondFactorRule {
  NONE,
  OPERATORS,
  EVERYONE;

  static SecondFactorRule parse(String text) {
    return Arrays.stream(values())
        .filter(rule -> rule.name().toLowerCase(Locale.ROOT).equals(text.strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown rule"));
  }

  public boolean concerns(boolean operator) {
    return switch (this) {
      case NONE -> false;
      case OPERATORS -> operator;
      case EVERYONE -> true;
    };
  }
}
