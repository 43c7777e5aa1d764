package io.stockroom.console.visit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The color scheme of a page. */
public enum Theme {
  /** Follows the device setting. */
  AUTO("auto"),
  LIGHT("light"),
  DARK("dark");

  private final String word;

  Theme(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /** The theme of that name, else {@link #AUTO}. */
  public static Theme of(@Nullable String word) {
    return Arrays.stream(values()).filter(t -> t.word.equals(word)).findFirst().orElse(AUTO);
  }
}
