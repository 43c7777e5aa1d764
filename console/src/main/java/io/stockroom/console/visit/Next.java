package io.stockroom.console.visit;

import org.jspecify.annotations.Nullable;

/** Where a person goes on after a form, as long as that is a page of ours. */
public final class Next {
  private Next() {}

  /** {@code wanted} where it is an address of the console, else {@code otherwise}. */
  public static String of(@Nullable String wanted, String otherwise) {
    return wanted != null
            && (wanted.equals("/console") || wanted.startsWith("/console/"))
            && wanted.length() < 1000
            && wanted.chars().allMatch(c -> c > ' ' && c < 127 && c != '\\' && c != '{')
            && !wanted.contains("//")
        ? wanted
        : otherwise;
  }
}
