package io.stockroom.files.export;

/**
 * A product to export; every text is UTF-8.
 *
 * @param price with two decimals, such as {@code 59.00}
 * @param imageUrls the pictures of {@code imageColors}, in the same order
 */
record ExportedProduct(
    int productId,
    byte[] artNo,
    byte[] title,
    byte[] description,
    byte[] price,
    byte[] categoryIdTree,
    byte[] categoryNameTree,
    byte[][] imgs,
    byte[] video,
    byte[][] attributeNames,
    byte[][] attributeValues,
    byte[][] imageColors,
    byte[][] imageUrls) {

  /** The select list that {@link #read} expects, from product p and product_detail d. */
  static final String COLUMNS =
      """
      p.product_id, p.art_no, d.title, d.description, d.price::text, d.category_id_tree,
      d.category_name_tree, d.imgs, d.video, d.attribute_names, d.attribute_values,
      d.image_colors, d.image_urls
      """;

  static ExportedProduct read(BinaryRow row) {
    return new ExportedProduct(
        row.int4(),
        row.text(),
        row.text(),
        row.text(),
        row.text(),
        row.text(),
        row.text(),
        row.texts(),
        row.text(),
        row.texts(),
        row.texts(),
        row.texts(),
        row.texts());
  }
}
