package io.stockroom.client;

/**
 * The product does not exist or belongs to another merchant. Read the product list again to see the
 * existing ones.
 */
public final class NotFoundException extends StockroomException {
  private static final long serialVersionUID = 1;

  NotFoundException(String words, Origin origin) {
    super(words, origin, null);
  }
}
