package io.stockroom.core.stock;

import io.stockroom.protocol.Size;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a color and size.
 *
 * @param quantity null if there is no such entry
 */
public record Cell(String color, Size size, @Nullable Integer quantity, @Nullable String barCode) {}
