package io.stockroom.server.console.visit;

import io.stockroom.server.people.Person;
import io.stockroom.server.people.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
          new Entry("merchants", "/console/merchants", Role.OPERATOR),
          new Entry("people", "/console/people", Role.OPERATOR),
          new Entry("imports", "/console/imports", Role.OPERATOR),
          new Entry("limits", "/console/limits", Role.OPERATOR),
          new Entry("requests", "/console/requests", Role.OPERATOR),
          new Entry("audit", "/console/audit", Role.OPERATOR),
          new Entry("health", "/console/health", Role.OPERATOR),
          // merchant's and developer's pages
          new Entry("products", "/console/products", Role.MERCHANT),
          new Entry("imports", "/console/imports", Role.MERCHANT),
          new Entry("usage", "/console/usage", Role.MERCHANT),
          new Entry("usage", "/console/usage", Role.DEVELOPER),
          new Entry("requests", "/console/requests", Role.MERCHANT),
          new Entry("requests", "/console/requests", Role.DEVELOPER)
          // developer's pages
          );

  /** Where everybody can go. */
  private static final String ACCOUNT = "/console/account";

  private Navigation() {}

  /** What this person may see; a page for several of their roles once. */
  public static List<Entry> of(@Nullable Person person) {
    Set<String> seen = new HashSet<>();
    return person == null
        ? List.of()
        : ENTRIES.stream().filter(entry -> person.is(entry.role) && seen.add(entry.path)).toList();
  }

  /** Where this person begins. */
  public static String home(Person person) {
    return of(person).stream().findFirst().map(Entry::path).orElse(ACCOUNT);
  }
}
