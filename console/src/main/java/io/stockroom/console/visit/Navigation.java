package io.stockroom.console.visit;

import static io.stockroom.console.people.Role.DEVELOPER;
import static io.stockroom.console.people.Role.MERCHANT;
import static io.stockroom.console.people.Role.OPERATOR;

import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pages in the header, in order. To add a page, add a line. */
public final class Navigation {
  /**
   * A page in the header.
   *
   * @param name selects its label {@code navigation.NAME}
   * @param path paths below it belong to the page as well
   * @param roles who sees it
   */
  public record Entry(String name, String path, List<Role> roles) {
    public boolean contains(String other) {
      return other.equals(path) || other.startsWith(path + "/");
    }
  }

  private static final List<Entry> ENTRIES =
      List.of(
          entry("overview", OPERATOR, MERCHANT),
          entry("merchants", OPERATOR),
          entry("people", OPERATOR),
          entry("products", MERCHANT),
          entry("imports", OPERATOR, MERCHANT),
          entry("changes", MERCHANT, DEVELOPER),
          entry("applications", OPERATOR, MERCHANT, DEVELOPER),
          entry("webhooks", MERCHANT, DEVELOPER),
          entry("usage", MERCHANT, DEVELOPER),
          entry("requests", OPERATOR, MERCHANT, DEVELOPER),
          entry("explorer", OPERATOR, MERCHANT, DEVELOPER),
          entry("limits", OPERATOR),
          entry("audit", OPERATOR),
          entry("health", OPERATOR));

  /** The page that every role can open. */
  private static final String ACCOUNT = "/console/account";

  private Navigation() {}

  private static Entry entry(String name, Role... roles) {
    return new Entry(name, "/console/" + name, List.of(roles));
  }

  /** The pages that this person can see. */
  public static List<Entry> of(@Nullable Person person) {
    return person == null
        ? List.of()
        : ENTRIES.stream().filter(entry -> entry.roles.stream().anyMatch(person::is)).toList();
  }

  /** The paths of all pages in the header. */
  static List<String> paths() {
    return ENTRIES.stream().map(Entry::path).toList();
  }

  /** This person's home page. */
  public static String home(Person person) {
    return of(person).stream().findFirst().map(Entry::path).orElse(ACCOUNT);
  }
}
