package io.stockroom.server.imports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What rows say of a product itself; null where they say nothing. */
final class ProductValues {
  @Nullable String title;
  @Nullable String description;
  @Nullable Long cents;
  @Nullable String categoryIdTree;
  @Nullable String categoryNameTree;
  @Nullable List<String> imgs;
  @Nullable String video;
  @Nullable List<String> attributeNames;
  @Nullable List<String> attributeValues;

  boolean isEmpty() {
    return title == null
        && description == null
        && cents == null
        && categoryIdTree == null
        && categoryNameTree == null
        && imgs == null
        && video == null
        && attributeNames == null;
  }
}
