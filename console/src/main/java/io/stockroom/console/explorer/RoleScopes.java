package io.stockroom.console.explorer;

import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import io.stockroom.protocol.Scope;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a person may do through a stored application: no more than on the other pages of the
 * console. Stock is written on the page of stock, which is for the role merchant alone. Everybody
 * sees products and stock: an operator in exports, a developer in the request log.
 */
final class RoleScopes {
  private static final Set<Scope> READING =
      Set.of(Scope.PRODUCT_READ, Scope.STOCK_READ, Scope.DETAIL_READ);

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
