package io.stockroom.demo;

import io.stockroom.console.people.Links;
import io.stockroom.console.people.Passwords;
import io.stockroom.console.people.People;
import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import io.stockroom.console.people.SignInThrottle;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.settings.Settings;
import java.sql.SQLException;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One-time links that sign in the people of the demo. */
public final class DemoLinks {
  private static final String MERCHANT_PERSON = "merchant@demo.example";
  private static final String OPERATOR = "operator@demo.example";

  private final People people;
  private final Links links;

  DemoLinks(People people, Links links) {
    this.people = people;
    this.links = links;
  }

  /** For a command that uses the database of a demo running in another process. */
  public static DemoLinks on(Database database) {
    Passwords passwords = new Passwords();
    Audit audit = new Audit(Cells.single(database));
    SignInThrottle throttle =
        new SignInThrottle(
            Clock.systemUTC(), Settings.with(Map.of()).get(Settings.FAILED_SIGN_INS));
    People people = new People(database, passwords, throttle, audit);
    return new DemoLinks(people, new Links(database, people, passwords, audit));
  }

  /**
   * Makes a link for a person of this merchant and returns its path; earlier links stop working.
   */
  public String merchant(int merchantId) throws SQLException {
    return link(MERCHANT_PERSON, merchantId, EnumSet.of(Role.MERCHANT, Role.DEVELOPER));
  }

  /** Makes a link for the operator and returns its path; earlier links stop working. */
  public String operator() throws SQLException {
    return link(OPERATOR, null, EnumSet.of(Role.OPERATOR));
  }

  private String link(String email, @Nullable Integer merchantId, Set<Role> roles)
      throws SQLException {
    Person known = people.find(email);
    Person person = known == null ? people.add(email, merchantId, roles, DemoSeeder.DEMO) : known;
    if (person == null) {
      throw new IllegalStateException("the new person is missing");
    }
    return links.make(person, Links.Purpose.SIGN_IN, DemoSeeder.DEMO);
  }
}
