package io.stockroom.files.imports.read;

import org.jspecify.annotations.Nullable;

/** What the quantities of a file mean. */
public enum ImportMode {
  /** The new quantity of each entry. */
  SET("set"),
  /** A change of each entry: received stock, or sold stock as a negative number. */
  ADD("add"),
  /** Like {@link #SET}; entries that the file leaves out, of the products in it, become 0. */
  REPLACE("replace");

  private final String word;

  ImportMode(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /** The mode with this name; null if there is none. */
  public static @Nullable ImportMode named(String word) {
    for (ImportMode mode : values()) {
      if (mode.word.equals(word)) {
        return mode;
      }
    }
    return null;
  }
}
