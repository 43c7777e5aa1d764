package io.stockroom.conformance;

/** What a rule needs in order to be checked. */
enum Need {
  PRODUCT("needs a product to write to: pass --pid"),
  TWO_PRODUCTS("needs two products to write to: pass --pid twice"),
  FOREIGN_PRODUCT("needs a product of another merchant: pass --foreign-pid"),
  FOREIGN_TOKEN("needs an access token of another application: pass --foreign-token"),
  PACE("needs the server's create interval: pass --pace");

  private final String reason;

  Need(String reason) {
    this.reason = reason;
  }

  /** Why a rule with this need was skipped. */
  String reason() {
    return reason;
  }

  boolean isMetBy(Target target) {
    return switch (this) {
      case PRODUCT -> !target.products().isEmpty();
      case TWO_PRODUCTS -> target.products().size() > 1;
      case FOREIGN_PRODUCT -> target.foreignProduct() != null;
      case FOREIGN_TOKEN -> target.foreignToken() != null;
      case PACE -> !target.pace().isZero();
    };
  }
}
