package io.stockroom.protocol;

import java.util.Arrays;
import java.util.Optional;

/** What an access token may let an application do. */
public enum Scope {
  PRODUCT_READ("product:read"),
  STOCK_READ("stock:read"),
  STOCK_WRITE("stock:write"),
  DETAIL_READ("detail:read"),
  PUBLISH_WRITE("publish:write");

  private final String word;

  Scope(String word) {
    this.word = word;
  }

  /** The scope as it is written on a token. */
  public String word() {
    return word;
  }

  public static Optional<Scope> of(String word) {
    return Arrays.stream(values()).filter(scope -> scope.word.equals(word)).findFirst();
  }
}
