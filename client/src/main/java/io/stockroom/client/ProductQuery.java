package io.stockroom.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;

/**
 * Which products to find: those with one of the item numbers, one of the barcodes, all words, and a
 * change after the cursor. What is empty does not matter.
 *
 * @param artNos item numbers, at most 300
 * @param barCodes barcodes, at most 300
 * @param words words that the title, the item number, colors or barcodes contain
 * @param changedAfter a cursor, for example that of an earlier search
 */
public record ProductQuery(
    List<String> artNos, List<String> barCodes, String words, String changedAfter) {
  /** All products. */
  public static final ProductQuery ALL = new ProductQuery(List.of(), List.of(), "", "");

  /** Copies the lists. */
  public ProductQuery {
    artNos = List.copyOf(artNos);
    barCodes = List.copyOf(barCodes);
  }

  /**
   * Finds products by item number.
   *
   * @param artNos at most 300
   * @return the query
   */
  public static ProductQuery artNos(Collection<String> artNos) {
    return new ProductQuery(List.copyOf(artNos), List.of(), "", "");
  }

  /**
   * Finds products by the barcodes of their stock entries.
   *
   * @param barCodes at most 300
   * @return the query
   */
  public static ProductQuery barCodes(Collection<String> barCodes) {
    return new ProductQuery(List.of(), List.copyOf(barCodes), "", "");
  }

  /**
   * Finds products by words.
   *
   * @param words all of them must occur in the title, the item number, a color or a barcode
   * @return the query
   */
  public static ProductQuery words(String words) {
    return new ProductQuery(List.of(), List.of(), words, "");
  }

  /**
   * Finds products that changed.
   *
   * @param cursor such as {@link FoundProducts#cursor} of an earlier search
   * @return the query
   */
  public static ProductQuery changedAfter(String cursor) {
    return new ProductQuery(List.of(), List.of(), "", cursor);
  }

  String form(String after) {
    StringJoiner fields = new StringJoiner("&");
    artNos.forEach(artNo -> fields.add(field("artNo", artNo)));
    barCodes.forEach(barCode -> fields.add(field("barCode", barCode)));
    fields.add(field("words", words));
    fields.add(field("changedAfter", changedAfter));
    return fields.add(field("after", after)).toString();
  }

  private static String field(String name, String value) {
    return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
