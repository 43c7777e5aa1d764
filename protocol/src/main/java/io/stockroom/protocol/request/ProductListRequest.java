package io.stockroom.protocol.request;

import org.jspecify.annotations.Nullable;

/**
 * A request of {@code /Stock/Product}.
 *
 * @param stock null for all products, true for those with stock added, false for those without
 */
public record ProductListRequest(int page, @Nullable Boolean stock) {}
