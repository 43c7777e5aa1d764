package io.stockroom.files.imports.read;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a column can hold, with its known names; in the order of the export. */
public enum Field {
  ART_NO(
      "artNo",
      "item no, item number, item code, item, article no, article number, article, art, style no,"
          + " style number, style, style code, product code, product no, product number, sku, model,"
          + " model no, 货号, 款号, 商品编号, 商品编码, 商品货号, 产品编号, 产品编码, 产品货号, 编号, 编码, 型号, 款式编号, 商家编码, handle,"
          + " url handle"),
  TITLE(
      "title",
      "name, product name, product title, item name, product, 标题, 名称, 商品标题, 商品名称, 产品标题, 产品名称, 品名,"
          + " 宝贝标题, 宝贝名称, 商品名"),
  DESCRIPTION(
      "description",
      "desc, details, detail, product description, html, 描述, 详情, 商品描述, 商品详情, 产品描述, 产品详情, 宝贝描述, 说明,"
          + " body, body html"),
  PRICE(
      "price",
      "unit price, wholesale price, price cny, price rmb, cost, 价格, 单价, 售价, 批发价, 销售价, 商品价格, 产品价格, 拿货价,"
          + " 一口价, 宝贝价格, variant price"),
  CATEGORY_ID_TREE(
      "categoryIdTree", "category id, category ids, category id path, 类目id, 分类id, 类目编号, 分类编号"),
  CATEGORY_NAME_TREE(
      "categoryNameTree",
      "category, category name, category names, category path, categories, 类目, 分类, 类目名称, 分类名称, 商品类目, 商品分类,"
          + " 产品分类"),
  IMGS(
      "imgs",
      "img, images, image, pictures, picture, pics, pic, photos, photo, image url, image urls, main image,"
          + " 图片, 主图, 商品图片, 产品图片, 图片地址, 图片链接, 商品主图, 图, 宝贝图片, image src"),
  VIDEO("video", "video url, 视频, 视频地址, 视频链接, 主图视频"),
  ATTRIBUTES(
      "attributes", "attribute, properties, specs, specifications, 属性, 商品属性, 产品属性, 规格参数, 参数"),
  COLOR(
      "color",
      "colour, colours, colors, color name, colour name, 颜色, 色, 颜色名称, 颜色分类, 花色, farbe, couleur,"
          + " kleur, カラー"),
  /** Joined to the color: "Red / Cotton". */
  COLOR_PART("colorPart", "color part"),
  COLOR_IMAGE(
      "colorImage",
      "color image, colour image, colour img, color img, sku img, sku image, sku pic, color pic, colour picture, color"
          + " picture, 颜色图片, 颜色图, sku图片, sku图, 规格图片, 规格图"),
  SIZE(
      "size",
      "sizes, size range, eu size, 尺码, 码数, 鞋码, 尺寸, 码, 尺码范围, größe, taille, talla, maat, サイズ"),
  QUANTITY(
      "quantity",
      "qty, stock, amount, on hand, in stock, inventory, stock quantity, stock num, 数量, 库存, 库存数量, 库存量, 现货,"
          + " 可售数量, 可售库存, 件数, variant inventory qty, variant inventory quantity, inventory quantity"),
  BAR_CODE(
      "barCode",
      "ean, ean 13, ean code, gtin, upc, bar code no, 条码, 条形码, 商品条码, 商品条形码, 国际条码, 69码, variant barcode");

  private static final Map<String, Field> BY_NAME = new HashMap<>();
  public static final List<String> NAMES =
      Arrays.stream(values()).map(field -> field.word).toList();

  static {
    for (Field field : values()) {
      BY_NAME.put(key(field.word), field);
      for (String synonym : field.synonyms.split(",", -1)) {
        BY_NAME.put(key(synonym), field);
      }
    }
  }

  private final String word;
  private final String synonyms;

  Field(String word, String synonyms) {
    this.word = word;
    this.synonyms = synonyms;
  }

  /** The name that the export, the mapping and the docs use. */
  public String word() {
    return word;
  }

  /** Whether it belongs to the product, not to an entry or a color. */
  boolean isOfProduct() {
    return switch (this) {
      case TITLE,
          DESCRIPTION,
          PRICE,
          CATEGORY_ID_TREE,
          CATEGORY_NAME_TREE,
          IMGS,
          VIDEO,
          ATTRIBUTES ->
          true;
      case ART_NO, COLOR, COLOR_PART, COLOR_IMAGE, SIZE, QUANTITY, BAR_CODE -> false;
    };
  }

  public static @Nullable Field named(String column) {
    String key = key(column);
    Field exact = BY_NAME.get(key);
    // "图片1", "Image 2": one of several columns with pictures
    return exact != null || key.isEmpty() || !Character.isDigit(key.charAt(key.length() - 1))
        ? exact
        : numbered(key);
  }

  private static @Nullable Field numbered(String key) {
    Field field = BY_NAME.get(key.replaceFirst("[0-9]{1,2}$", ""));
    return field == IMGS ? field : null;
  }

  /** A name without case, spaces, punctuation and parenthesized text. */
  public static String key(String name) {
    String plain = Normalizer.normalize(name, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    StringBuilder key = new StringBuilder(plain.length());
    int depth = 0;
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      if (c == '(' || c == '[' || c == '【') {
        depth++;
      } else if (c == ')' || c == ']' || c == '】') {
        depth = Math.max(0, depth - 1);
      } else if (depth == 0 && (Character.isLetterOrDigit(c) || Character.isSurrogate(c))) {
        key.append(c);
      }
    }
    return key.toString();
  }
}
