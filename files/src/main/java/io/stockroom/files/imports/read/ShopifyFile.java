package io.stockroom.files.imports.read;

/** Shopify: a row for each variant or picture; the first row of a product names its options. */
final class ShopifyFile extends Shop {
  private static final int OPTIONS = 3;

  private final int handle = uses(Field.ART_NO, "handle", "urlhandle");
  private final int title = header.at("title");
  private final int categories = uses(Field.CATEGORY_NAME_TREE, "productcategory");
  private final int[] nameColumns = new int[OPTIONS];
  private final int[] valueColumns = new int[OPTIONS];
  private final String[] names = {"", "", ""};
  private String product = "";

  ShopifyFile(Header header) {
    super(header);
    for (int i = 0; i < OPTIONS; i++) {
      nameColumns[i] = uses("option" + (i + 1) + "name");
      valueColumns[i] = uses("option" + (i + 1) + "value");
    }
    direct(Field.TITLE, "title");
    direct(Field.DESCRIPTION, "body", "bodyhtml", "description");
    direct(Field.PRICE, "variantprice", "price");
    direct(Field.QUANTITY, "variantinventoryqty", "inventoryquantity", "inventoryqty");
    direct(Field.BAR_CODE, "variantbarcode", "barcode");
    direct(Field.IMGS, "imagesrc", "productimageurl");
    direct(Field.COLOR_IMAGE, "variantimage", "variantimageurl");
    computes(Field.CATEGORY_NAME_TREE);
  }

  @Override
  boolean read(RowCells cells) {
    String given = text(cells, handle);
    // a row without a handle and a title belongs to the product above
    boolean other = !given.isEmpty() ? !given.equals(product) : !text(cells, title).isEmpty();
    product = other ? given : product;
    begin(cells, product);
    for (int i = 0; i < OPTIONS; i++) {
      String name = text(cells, nameColumns[i]);
      names[i] = other || !name.isEmpty() ? name : names[i];
      options.add(names[i], text(cells, valueColumns[i]));
    }
    putVariant(cells);
    put(cells, Field.CATEGORY_NAME_TREE, category(text(cells, categories), ">"));
    return true;
  }
}
