package io.stockroom.demo.pictures;

/** What a shape of a {@link Silhouette} is made of, which decides how {@link Shoe} paints it. */
enum Material {
  UPPER,
  PANEL,
  TRIM,
  LINING,
  FOOTBED,
  SOLE,
  WELT,
  OUTSOLE,
  METAL,
  GORE,
  RIB,
  GROOVE,
  SEAM,
  STITCH,
  LACE,
  SHADE,
  SHINE
}
