package io.stockroom.demo.pictures;

/** The material of a shape of a {@link Silhouette}, which decides how {@link Shoe} paints it. */
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
