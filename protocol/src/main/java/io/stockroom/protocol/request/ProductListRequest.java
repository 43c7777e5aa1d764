package io.stockroom.protocol.request;

import org.jspecify.annotations.Nullable;

/**
 * A request to {@code /Stock/Product}.
 *
 * @param stock null for all products, true for products with stock added, false for the others
 */
public record ProductListRequest(int page, @Nullable Boolean stock) {}
