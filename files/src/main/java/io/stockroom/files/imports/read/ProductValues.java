package io.stockroom.files.imports.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The product fields of some rows; null where the rows leave a field out. */
public final class ProductValues {
  public @Nullable String title;
  public @Nullable String description;
  public @Nullable Long cents;
  public @Nullable String categoryIdTree;
  public @Nullable String categoryNameTree;
  public @Nullable List<String> imgs;
  public @Nullable String video;
  public @Nullable List<String> attributeNames;
  public @Nullable List<String> attributeValues;

  public boolean isEmpty() {
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
