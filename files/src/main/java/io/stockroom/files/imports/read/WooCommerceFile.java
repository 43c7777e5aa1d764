package io.stockroom.files.imports.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * WooCommerce: a row for each product, and one for each variation, which names its parent. The
 * attributes of a parent list all values, those of a variation have one.
 */
final class WooCommerceFile extends Shop {
  private static final int MAX_IDS = 1_000_000;

  private record Attribute(int name, int value) {}

  private final int id = uses("id");
  private final int type = uses("type");
  private final int sku = uses(Field.ART_NO, "sku");
  private final int parent = uses("parent");
  private final int name = uses(Field.TITLE, "name");
  private final int description = uses(Field.DESCRIPTION, "description");
  private final int images = uses(Field.IMGS, "images");
  private final int categories = uses(Field.CATEGORY_NAME_TREE, "categories");
  private final int stock = uses(Field.QUANTITY, "stock");
  private final List<Attribute> attributes = new ArrayList<>();
  private final Map<String, String> skus = new HashMap<>();

  WooCommerceFile(Header header) {
    super(header);
    for (int i = 1; header.has("attribute" + i + "name"); i++) {
      attributes.add(
          new Attribute(
              uses("attribute" + i + "name"),
              uses("attribute" + i + "value", "attribute" + i + "values")));
    }
    direct(Field.PRICE, "regularprice");
    direct(Field.BAR_CODE, "gtinupceanorisbn");
    computes(Field.TITLE, Field.DESCRIPTION, Field.IMGS, Field.COLOR_IMAGE);
    computes(Field.CATEGORY_NAME_TREE, Field.QUANTITY);
  }

  @Override
  boolean read(RowCells cells) {
    String kind = text(cells, type);
    String own = text(cells, sku).isEmpty() ? text(cells, id) : text(cells, sku);
    if (skus.size() < MAX_IDS) {
      skus.put("id:" + text(cells, id), own);
    }
    if (kind.contains("grouped")) {
      return skip(own, kind);
    }
    boolean variation = kind.contains("variation");
    String given = text(cells, parent);
    String at = variation && !given.isEmpty() ? skus.getOrDefault(given, given) : own;
    begin(cells, at);
    if (kind.contains("variable")) {
      readProduct(cells);
      return true;
    }
    readAttributes(cells, variation);
    putVariant(cells);
    put(cells, Field.QUANTITY, text(cells, stock));
    if (variation) {
      put(cells, Field.COLOR_IMAGE, text(cells, images).split("[,\\s]", 2)[0]);
    } else {
      readProduct(cells);
    }
    return true;
  }

  private void readProduct(RowCells cells) {
    put(cells, Field.TITLE, text(cells, name));
    put(cells, Field.DESCRIPTION, text(cells, description));
    put(cells, Field.IMGS, text(cells, images));
    put(cells, Field.CATEGORY_NAME_TREE, category(text(cells, categories), ">"));
  }

  /** A simple product has attributes that say no more than what it is made of. */
  private void readAttributes(RowCells cells, boolean variation) {
    for (Attribute each : attributes) {
      String option = text(cells, each.name);
      String value = text(cells, each.value);
      if (variation || (Options.named(option) != null && value.indexOf(',') < 0)) {
        options.add(option, value);
      }
    }
  }
}
