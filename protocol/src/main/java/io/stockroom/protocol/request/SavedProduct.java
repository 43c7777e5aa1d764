package io.stockroom.protocol.request;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One element of {@code /Product/Save}. A field is null where the element leaves it out.
 *
 * @param description as sent, not yet sanitized
 * @param price with two decimals
 * @param attributeValues side by side with the names
 */
public record SavedProduct(
    NamedProduct product,
    @Nullable String title,
    @Nullable String description,
    @Nullable BigDecimal price,
    @Nullable List<String> imgs,
    @Nullable String categoryIdTree,
    @Nullable String categoryNameTree,
    @Nullable List<String> attributeNames,
    @Nullable List<String> attributeValues,
    @Nullable String video) {}
