package io.stockroom.files.imports.read;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Magento: a row for each simple product, and one for the configurable product that lists them as
 * its variations, usually below them.
 */
final class MagentoFile extends Shop {
  private static final int MAX_VARIATIONS = 1_000_000;

  /** A simple product: what it is a variation of, and its options as {@code color=Red,size=S}. */
  private record Variation(String parent, String options) {}

  private final int sku = uses(Field.ART_NO, "sku");
  private final int type = uses("producttype");
  private final int view = uses("storeviewcode");
  private final int name = uses(Field.TITLE, "name");
  private final int description = uses(Field.DESCRIPTION, "description");
  private final int shortDescription = uses("shortdescription");
  private final int baseImage = uses(Field.IMGS, "baseimage");
  private final int moreImages = uses(Field.IMGS, "additionalimages");
  private final int categories = uses(Field.CATEGORY_NAME_TREE, "categories");
  private final int qty = uses(Field.QUANTITY, "qty");
  private final int variationColumn = uses("configurablevariations");
  private final int attributes = uses("additionalattributes");
  private final Map<String, Variation> variations = new HashMap<>();

  MagentoFile(Header header) {
    super(header);
    direct(Field.PRICE, "price");
    computes(Field.TITLE, Field.DESCRIPTION, Field.IMGS, Field.COLOR_IMAGE);
    computes(Field.CATEGORY_NAME_TREE, Field.QUANTITY);
  }

  @Override
  boolean needsPreparation() {
    return variationColumn >= 0;
  }

  @Override
  void prepare(TableRows all) throws IOException, FileRejection {
    for (RowCells cells = all.next(); cells != null; cells = all.next()) {
      for (String variation : text(cells, variationColumn).split("\\|", -1)) {
        int comma = variation.indexOf(',');
        if (variation.startsWith("sku=") && comma > 0 && variations.size() < MAX_VARIATIONS) {
          variations.put(
              variation.substring(4, comma),
              new Variation(text(cells, sku), variation.substring(comma + 1)));
        }
      }
    }
  }

  @Override
  boolean read(RowCells cells) {
    String kind = text(cells, type);
    String own = text(cells, sku);
    if (!text(cells, view).isEmpty() && !text(cells, view).equals("default")) {
      return skip(own, text(cells, view));
    }
    if (kind.equals("grouped") || kind.equals("bundle")) {
      return skip(own, kind);
    }
    Variation variation = variations.get(own);
    begin(cells, variation == null ? own : variation.parent);
    if (variation != null) {
      readOptions(variation.options, true);
      put(cells, Field.COLOR_IMAGE, text(cells, baseImage));
    } else {
      readProduct(cells);
    }
    if (!kind.equals("configurable")) {
      if (variation == null) {
        readOptions(text(cells, attributes), false);
      }
      put(cells, Field.QUANTITY, text(cells, qty));
      putVariant(cells);
    }
    return true;
  }

  private void readProduct(RowCells cells) {
    String said = text(cells, description);
    put(cells, Field.TITLE, text(cells, name));
    put(cells, Field.DESCRIPTION, said.isEmpty() ? text(cells, shortDescription) : said);
    put(cells, Field.IMGS, images(cells));
    put(cells, Field.CATEGORY_NAME_TREE, category(text(cells, categories), "/"));
  }

  private String images(RowCells cells) {
    return (text(cells, baseImage) + "," + text(cells, moreImages)).replace(',', '\n');
  }

  /** Of a simple product, only its color and its size count. */
  private void readOptions(String pairs, boolean all) {
    String option = null;
    StringBuilder value = new StringBuilder();
    for (String part : pairs.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        value.append(',').append(part);
        continue;
      }
      add(option, value.toString(), all);
      option = part.substring(0, equals);
      value.setLength(0);
      value.append(part.substring(equals + 1));
    }
    add(option, value.toString(), all);
  }

  private void add(@Nullable String option, String value, boolean all) {
    if (option != null && (all || Options.named(option) != null) && value.indexOf('|') < 0) {
      options.add(option, value);
    }
  }
}
