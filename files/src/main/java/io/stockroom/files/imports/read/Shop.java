package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table of another system, whose columns have fixed names. Some columns have the meaning of one
 * of ours; others are computed from several cells and stand behind the columns of the file.
 */
abstract class Shop {
  /** The header of a table: its columns by their keys. */
  static final class Header {
    private final Map<String, Integer> places = new HashMap<>();
    private final int width;
    final Options options;
    final Notes notes;

    Header(List<String> names, Options options, Notes notes) {
      this.width = names.size();
      this.options = options;
      this.notes = notes;
      for (int i = 0; i < width; i++) {
        places.putIfAbsent(Field.key(names.get(i)), i);
      }
    }

    boolean has(String... keys) {
      return at(keys) >= 0;
    }

    /** The first of these columns; -1 if there is none. */
    int at(String... keys) {
      for (String key : keys) {
        Integer place = places.get(key);
        if (place != null) {
          return place;
        }
      }
      return -1;
    }
  }

  final Header header;
  final Options options;
  private final Map<Integer, Field> meanings = new HashMap<>();

  /** The columns that are read, with what they are shown as; none: as options. */
  private final Map<Integer, Optional<Field>> used = new HashMap<>();

  private final Map<Field, Integer> computed = new LinkedHashMap<>();

  private String product = "";

  Shop(Header header) {
    this(header, Field.ART_NO, Field.COLOR, Field.SIZE);
  }

  /** A table with only these computed columns. */
  Shop(Header header, Field... computed) {
    this.header = header;
    this.options = header.options;
    computes(computed);
  }

  /** The system whose header this is; null if it is none of these. */
  static @Nullable Shop of(List<String> names, Map<String, String> mapped, Notes notes) {
    Header header = new Header(names, new Options(mapped), notes);
    if (header.has("handle", "urlhandle") && header.has("option1value", "variantprice")) {
      return new ShopifyFile(header);
    }
    if (header.has("producttype") && header.has("attributesetcode", "additionalattributes")) {
      return new MagentoFile(header);
    }
    if (header.has("sku") && header.has("type") && header.has("regularprice")) {
      return new WooCommerceFile(header);
    }
    boolean combinations = header.has("attribute") && header.has("value");
    boolean products = header.has("reference") && header.has(PrestaShopFile.PRICES);
    if (products || (combinations && header.has("productid", "productreference"))) {
      return new PrestaShopFile(header);
    }
    if (header.has("宝贝名称") && header.has("宝贝价格")) {
      return new TaobaoFile(header);
    }
    return SpecificationFile.of(header, names);
  }

  /** A column with the meaning of one of ours. */
  final void direct(Field field, String... keys) {
    int place = uses(field, keys);
    if (place >= 0) {
      meanings.put(place, field);
    }
  }

  /** Columns that {@link #read} computes, behind those of the file. */
  final void computes(Field... fields) {
    for (Field field : fields) {
      computed.put(field, header.width + computed.size());
    }
  }

  final void put(RowCells cells, Field field, String value) {
    cells.put(computed.getOrDefault(field, 0), value);
  }

  /** A column that is read; returns its place, or -1 if there is none. */
  final int uses(String... keys) {
    return uses(Optional.empty(), keys);
  }

  /** A column that is read for a field. */
  final int uses(Field field, String... keys) {
    return uses(Optional.of(field), keys);
  }

  private int uses(Optional<Field> field, String... keys) {
    int place = header.at(keys);
    if (place >= 0) {
      used.put(place, field);
    }
    return place;
  }

  /** Whether the other columns of the file are recognized by their names. */
  boolean keepsOtherColumns() {
    return false;
  }

  @Nullable Field meaning(int column) {
    return meanings.get(column);
  }

  boolean isUsed(int column) {
    return used.containsKey(column);
  }

  /** The field that a column is read for; null if it is read for none, or for the options. */
  @Nullable Field readFor(int column) {
    return used.getOrDefault(column, Optional.empty()).orElse(null);
  }

  List<Field> computed() {
    return List.copyOf(computed.keySet());
  }

  int width() {
    return header.width;
  }

  /** Reads the table once before its rows are, if they can only be understood together. */
  void prepare(TableRows all) throws IOException, FileRejection {}

  boolean needsPreparation() {
    return false;
  }

  /** Computes the columns of a row; false if it is no row of a product. */
  abstract boolean read(RowCells cells);

  /** Computes the next entry of the same row; false if there is none. */
  boolean readMore(RowCells cells) {
    return false;
  }

  static String text(RowCells cells, int column) {
    return column < 0 ? "" : cells.value(column).strip();
  }

  /** Begins a variant of a product. */
  final void begin(RowCells cells, String artNo) {
    if (!artNo.equals(product)) {
      options.nextProduct();
      product = artNo;
    }
    options.nextVariant();
    put(cells, Field.ART_NO, artNo);
  }

  /** Writes the color and the size that the options of the variant give. */
  final void putVariant(RowCells cells) {
    put(cells, Field.COLOR, options.color());
    put(cells, Field.SIZE, options.size());
  }

  /** Notes that a row belongs to no product. */
  final boolean skip(String artNo, String kind) {
    header.notes.add(ErrorCode.ROWS_SKIPPED, "", artNo, "(" + kind + ")");
    return false;
  }

  /** The first path of several: {@code Clothing > Shirts, Sale} is {@code Clothing,Shirts}. */
  static String category(String text, String separator) {
    String first = text.split(",(?! )|, ", 2)[0];
    return String.join(",", first.strip().split("\\s*" + separator + "\\s*", -1));
  }
}
