package io.stockroom.console.imports;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.merchants.MerchantDirectory;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The merchant of a request: an operator names it, everyone else has exactly one. */
final class MerchantScope {
  private MerchantScope() {}

  /** The merchant; null if an operator named none. Other merchants are reported as missing. */
  static @Nullable Integer of(ConsoleRequest visit, @Nullable Integer named) {
    if (visit.person().is(Role.OPERATOR)) {
      return named;
    }
    int own = visit.merchantId();
    if (named != null && named != own) {
      throw PageException.missing();
    }
    return own;
  }

  /**
   * Like {@link #of}, for typed text. Only an operator may look up merchants: everyone else must
   * not learn which ones exist.
   */
  static @Nullable Integer typed(ConsoleRequest visit, String typed, MerchantDirectory merchants)
      throws SQLException {
    if (visit.person().is(Role.OPERATOR)) {
      return merchants.find(typed);
    }
    int own = visit.merchantId();
    if (!typed.isBlank() && !typed.strip().equals(Integer.toString(own))) {
      throw PageException.missing();
    }
    return own;
  }

  /** Like {@link #of}, but the merchant is required. */
  static int one(ConsoleRequest visit, @Nullable Integer named) {
    Integer merchantId = of(visit, named);
    if (merchantId == null) {
      throw PageException.missing();
    }
    return merchantId;
  }
}
