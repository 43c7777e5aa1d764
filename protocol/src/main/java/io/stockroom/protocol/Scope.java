package io.stockroom.protocol;

import java.util.Arrays;
import java.util.Optional;

/** A permission of an access token. */
public enum Scope {
  PRODUCT_READ("product:read"),
  STOCK_READ("stock:read"),
  STOCK_WRITE("stock:write"),
  DETAIL_READ("detail:read"),
  PUBLISH_WRITE("publish:write"),
  CHANGES_READ("changes:read"),
  WEBHOOK_MANAGE("webhook:manage"),
  PRODUCT_WRITE("product:write");

  private final String word;

  Scope(String word) {
    this.word = word;
  }

  /** The scope's name in the interface. */
  public String word() {
    return word;
  }

  public static Optional<Scope> of(String word) {
    return Arrays.stream(values()).filter(scope -> scope.word.equals(word)).findFirst();
  }
}
