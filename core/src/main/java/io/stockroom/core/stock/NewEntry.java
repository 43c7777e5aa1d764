package io.stockroom.core.stock;

import org.jspecify.annotations.Nullable;

/**
 * What one entry shall be.
 *
 * @param barCode null leaves the barcode of an existing entry as it is; empty takes it away
 */
public record NewEntry(
    int productId, String color, int size, int quantity, @Nullable String barCode) {}
