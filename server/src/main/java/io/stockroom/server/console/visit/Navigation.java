package io.stockroom.server.console.visit;

import io.stockroom.server.people.Person;
import io.stockroom.server.people.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pages that stand in the header, in their order. To add a page, add its line. */
public final class Navigation {
  /**
   * A page of the header.
   *
   * @param name names its label {@code navigation.NAME}
   * @param path everything below it belongs to the page as well
   */
  public record Entry(String name, String path, Role role) {
    public boolean contains(String other) {
      return other.equals(path) || other.startsWith(path + "/");
    }
  }

  private static final List<Entry> ENTRIES =
      List.of(
          // operator's pages
          new Entry("applications", "/console/applications", Role.OPERATOR),
          new Entry("explorer", "/console/explorer", Role.OPERATOR),
          // merchant's and developer's pages
          new Entry("products", "/console/products", Role.MERCHANT),
          // developer's pages
          new Entry("applications", "/console/applications", Role.MERCHANT),
          new Entry("applications", "/console/applications", Role.DEVELOPER),
          new Entry("explorer", "/console/explorer", Role.MERCHANT),
          new Entry("explorer", "/console/explorer", Role.DEVELOPER)
          );

  /** Where everybody can go. */
  private static final String ACCOUNT = "/console/account";

  private Navigation() {}

  /** What this person may see. */
  public static List<Entry> of(@Nullable Person person) {
    if (person == null) {
      return List.of();
    }
    // a page for several roles has a line for each
    Map<String, Entry> byPath = new LinkedHashMap<>();
    ENTRIES.stream()
        .filter(entry -> person.is(entry.role))
        .forEach(entry -> byPath.putIfAbsent(entry.path, entry));
    return List.copyOf(byPath.values());
  }

  /** Where this person begins. */
  public static String home(Person person) {
    return of(person).stream().findFirst().map(Entry::path).orElse(ACCOUNT);
  }
}
