package io.stockroom.files.imports.read;

/** PrestaShop: a file of products, or one of their combinations, which have the stock. */
final class PrestaShopFile extends Shop {
  static final String[] PRICES = {
    "pricetaxexcluded", "pricetaxexcludedorpricetaxincluded", "pricetaxincluded"
  };

  private final boolean combinations = header.has("attribute");
  private final int id = uses("productid", "id");
  private final int reference =
      combinations ? uses(Field.ART_NO, "productreference") : uses(Field.ART_NO, "reference");
  private final int attributes = uses("attribute");
  private final int values = uses("value");
  private final int categories = uses(Field.CATEGORY_NAME_TREE, "categories");

  PrestaShopFile(Header header) {
    super(header);
    direct(Field.TITLE, "name");
    direct(Field.PRICE, PRICES);
    direct(Field.DESCRIPTION, "description");
    direct(Field.QUANTITY, "quantity");
    direct(Field.BAR_CODE, "ean13");
    direct(combinations ? Field.COLOR_IMAGE : Field.IMGS, "imageurls", "imageurl");
    computes(Field.CATEGORY_NAME_TREE);
  }

  @Override
  boolean read(RowCells cells) {
    String given = text(cells, reference);
    begin(cells, given.isEmpty() ? text(cells, id) : given);
    // "Color:color:0, Size:select:1" and "Red:0, S:1"
    String[] names = text(cells, attributes).split(",", -1);
    String[] chosen = text(cells, values).split(",", -1);
    for (int i = 0; i < Math.min(names.length, chosen.length); i++) {
      options.add(names[i].split(":", -1)[0], chosen[i].split(":", -1)[0]);
    }
    putVariant(cells);
    put(cells, Field.CATEGORY_NAME_TREE, category(text(cells, categories), "/"));
    return true;
  }
}
