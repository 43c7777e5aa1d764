package io.stockroom.console.explorer;

import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import io.stockroom.protocol.Scope;
import java.util.EnumSet;
import java.util.Set;

/**
 * Maps a person's roles to token scopes, so the explorer grants no more than the other pages. Only
 * the merchant role writes stock. Every role can read products and stock: operators through
 * exports, developers through the request log.
 */
final class RoleScopes {
  private static final Set<Scope> READING =
      Set.of(Scope.PRODUCT_READ, Scope.STOCK_READ, Scope.DETAIL_READ, Scope.CHANGES_READ);

  private RoleScopes() {}

  static Set<Scope> of(Person person) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (Role role : person.roles()) {
      scopes.addAll(of(role));
    }
    return scopes;
  }

  private static Set<Scope> of(Role role) {
    return switch (role) {
      case MERCHANT -> EnumSet.allOf(Scope.class);
      case DEVELOPER, OPERATOR -> READING;
    };
  }
}
