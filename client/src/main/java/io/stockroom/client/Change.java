package io.stockroom.client;

import java.time.Instant;

/** A change of one product: of its stock, or of its other fields. */
public sealed interface Change permits StockChange, ProductChange {
  /** {@return the number of the change: 1, 2, 3, … per merchant, in the order of the commits} */
  long number();

  /** {@return when it was made} */
  Instant at();

  /** {@return the product's id} */
  int pid();

  /** {@return the product's item number} */
  String artNo();

  /**
   * {@return who made it: {@code interface}, {@code console}, {@code import} or {@code undo}; a
   * newer server may know others}
   */
  String source();

  /** {@return the id that all changes written together share} */
  String batch();
}
