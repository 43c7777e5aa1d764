package io.stockroom.server.console.imports;

import io.stockroom.server.admin.MerchantDirectory;
import io.stockroom.server.console.visit.ConsoleRequest;
import io.stockroom.server.console.visit.Refusal;
import io.stockroom.server.people.Role;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The merchant of a request: an operator names it, everybody else has exactly one. */
final class MerchantScope {
  private MerchantScope() {}

  /** The merchant; null where an operator has named none. Another's is as good as missing. */
  static @Nullable Integer of(ConsoleRequest visit, @Nullable Integer named) {
    if (visit.person().is(Role.OPERATOR)) {
      return named;
    }
    int own = visit.merchantId();
    if (named != null && named != own) {
      throw Refusal.missing();
    }
    return own;
  }

  /**
   * As {@link #of}, by what was typed. Only an operator's words are looked up: to everybody else a
   * merchant that is there must look like one that is not.
   */
  static @Nullable Integer typed(ConsoleRequest visit, String typed, MerchantDirectory merchants)
      throws SQLException {
    if (visit.person().is(Role.OPERATOR)) {
      return merchants.find(typed);
    }
    int own = visit.merchantId();
    if (!typed.isBlank() && !typed.strip().equals(Integer.toString(own))) {
      throw Refusal.missing();
    }
    return own;
  }

  /** As {@link #of}, where a merchant must be named. */
  static int one(ConsoleRequest visit, @Nullable Integer named) {
    Integer merchantId = of(visit, named);
    if (merchantId == null) {
      throw Refusal.missing();
    }
    return merchantId;
  }
}
