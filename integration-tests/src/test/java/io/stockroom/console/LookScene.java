package io.stockroom.console;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.TestPerson;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A page in one of its states.
 *
 * @param name names its pictures
 * @param person who views it; null if not signed in
 * @param path its path; requested once for each language, so a scene that changes something can
 *     start over
 * @param prepare brings the page into the state
 * @param same text that differs from run to run, and its replacement in pictures
 * @param measured a selector of elements with measured or counted values
 * @param axe whether to run axe; false if another test runs axe on the same state
 */
record LookScene(
    String name,
    @Nullable TestPerson person,
    Supplier<String> path,
    Consumer<Page> prepare,
    Map<String, String> same,
    String measured,
    boolean axe) {
  private static final Consumer<Page> NOTHING = _ -> {};

  static LookScene of(String name, @Nullable TestPerson person, String path) {
    return fresh(name, person, () -> path);
  }

  static LookScene fresh(String name, @Nullable TestPerson person, Supplier<String> path) {
    return new LookScene(name, person, path, NOTHING, Map.of(), "", true);
  }

  /** Whether it differs from the page as it loads. */
  boolean isPrepared() {
    return prepare != NOTHING;
  }

  LookScene then(Consumer<Page> prepare) {
    return new LookScene(name, person, path, prepare, same, measured, axe);
  }

  LookScene same(Object text, String stands) {
    Map<String, String> all = new HashMap<>(same);
    all.put(text.toString(), stands);
    return new LookScene(name, person, path, prepare, all, measured, axe);
  }

  LookScene measured(String selector) {
    return new LookScene(name, person, path, prepare, same, selector, axe);
  }

  LookScene withoutAxe() {
    return new LookScene(name, person, path, prepare, same, measured, false);
  }
}
