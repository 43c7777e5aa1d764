package io.stockroom.server.console.imports;

import io.stockroom.server.console.visit.Refusal;
import io.stockroom.server.console.visit.Visit;
import io.stockroom.server.merchants.MerchantDirectory;
import io.stockroom.server.people.Role;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Whose imports a visit is about: an operator says it, everybody else has one merchant. */
final class Whose {
  private Whose() {}

  /** The merchant; null where an operator has named none. Another's is as good as missing. */
  static @Nullable Integer of(Visit visit, @Nullable Integer named) {
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
  static @Nullable Integer typed(Visit visit, String typed, MerchantDirectory merchants)
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
  static int one(Visit visit, @Nullable Integer named) {
    Integer merchantId = of(visit, named);
    if (merchantId == null) {
      throw Refusal.missing();
    }
    return merchantId;
  }
}
