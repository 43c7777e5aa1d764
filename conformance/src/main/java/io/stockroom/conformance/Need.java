package io.stockroom.conformance;

/** What a rule cannot be checked without. */
enum Need {
  PRODUCT("no product that may be written to: give one with --pid"),
  TWO_PRODUCTS("it takes two products that may be written to: give --pid twice"),
  FOREIGN_PRODUCT("no product of another merchant: give one with --foreign-pid"),
  FOREIGN_TOKEN("no access token of another application: give one with --foreign-token"),
  PACE("the pace is given as none: --pace must be that of the server");

  private final String reason;

  Need(String reason) {
    this.reason = reason;
  }

  /** Why a rule was skipped that has this need. */
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
