package io.stockroom.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Layout problems of a rendered page, found by {@code layout-facts.js}. */
final class LayoutFacts {
  private static final String SCRIPT = script("layout-facts.js");

  private LayoutFacts() {}

  static List<String> faults(Page page) {
    return ((List<?>) page.evaluate(SCRIPT)).stream().map(String::valueOf).toList();
  }

  /** A test script that evaluates to a function. */
  static String script(String name) {
    try (InputStream stream = LayoutFacts.class.getResourceAsStream("/" + name)) {
      return new String(Objects.requireNonNull(stream, name).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
