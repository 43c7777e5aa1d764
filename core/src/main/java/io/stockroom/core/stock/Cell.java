package io.stockroom.core.stock;

import org.jspecify.annotations.Nullable;

/**
 * A color and size of a product as it is.
 *
 * @param quantity null where there is no such entry
 */
public record Cell(String color, int size, @Nullable Integer quantity, @Nullable String barCode) {}
