package io.stockroom.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

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

  /** Reads a change; null if it is of a kind that this version does not know. */
  static @Nullable Change read(Fields fields) {
    return switch (fields.text("kind")) {
      case "stock" -> StockChange.read(fields);
      case "product" -> ProductChange.read(fields);
      default -> null;
    };
  }
}
