package io.stockroom.server.imports;

import java.math.BigDecimal;
import java.util.List;

/** Everything that an import says of a product; two that are equal need no change. */
public record Product(
    String artNo,
    String title,
    String description,
    List<String> imgs,
    BigDecimal price,
    String categoryIdTree,
    String categoryNameTree,
    List<String> attributeNames,
    List<String> attributeValues,
    String video,
    List<String> imageColours,
    List<String> imageUrls) {

  String pic() {
    return imgs.isEmpty() ? "" : imgs.getFirst();
  }
}
