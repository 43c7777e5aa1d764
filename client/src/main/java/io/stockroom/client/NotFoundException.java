package io.stockroom.client;

/**
 * The product does not exist, or is another merchant's. Read the product list anew to see which
 * ones there are.
 */
public final class NotFoundException extends StockroomException {
  private static final long serialVersionUID = 1;

  NotFoundException(String words, Origin origin) {
    super(words, origin, null);
  }
}
