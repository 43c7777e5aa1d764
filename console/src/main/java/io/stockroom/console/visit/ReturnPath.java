package io.stockroom.console.visit;

import org.jspecify.annotations.Nullable;

/** Validates the page to open after a form, to prevent open redirects. */
public final class ReturnPath {
  private ReturnPath() {}

  /** {@code wanted} if it is a console path, else {@code otherwise}. */
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
