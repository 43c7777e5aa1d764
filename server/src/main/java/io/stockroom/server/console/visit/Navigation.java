package io.stockroom.server.console.visit;

import io.stockroom.server.people.Person;
import io.stockroom.server.people.Role;
import java.util.List;
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
          new Entry("audit", "/console/audit", Role.OPERATOR),
          // merchant's and developer's pages
          new Entry("products", "/console/products", Role.MERCHANT),
          new Entry("imports", "/console/imports", Role.MERCHANT)
          // developer's pages
          );

  /** Where everybody can go. */
  private static final String ACCOUNT = "/console/account";

  private Navigation() {}

  /** What this person may see. */
  public static List<Entry> of(@Nullable Person person) {
    return person == null
        ? List.of()
        : ENTRIES.stream().filter(entry -> person.is(entry.role)).toList();
  }

  /** Where this person begins. */
  public static String home(Person person) {
    return of(person).stream().findFirst().map(Entry::path).orElse(ACCOUNT);
  }
}
