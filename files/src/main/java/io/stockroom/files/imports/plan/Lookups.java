package io.stockroom.files.imports.plan;

/**
 * Joins of staged rows with the merchant's tables. Each looks up one product by key, whatever the
 * statistics say: for a merchant that they do not know yet, the planner expects a single row, and
 * would compare every staged row with all rows of the merchant. {@code limit} and {@code offset}
 * keep it from doing so.
 */
public final class Lookups {
  /** The product {@code p} with the item number of a run {@code r}. */
  static final String PRODUCT =
      """
      left join lateral (
        select product_id, number, has_stock from product
        where merchant_id = :merchantId and art_no = r.art_no limit 1
      ) p on true
      """;

  /** The details {@code d} of an item {@code i}. */
  public static final String DETAIL =
      """
      join lateral (
        select ctid as place, * from product_detail
        where merchant_id = :merchantId and product_id = i.product_id limit 1
      ) d on true
      """;

  /**
   * The entry {@code s} of an item {@code i}, a numbered color {@code n} and an entry {@code e}.
   */
  static final String ENTRY =
      """
      left join (
        select j.item, t.* from import_item j
        cross join lateral (
          select ctid as place, color_no, size, size_text, quantity, barcode, guid
          from stock_entry
          where merchant_id = :merchantId and product_id = j.product_id offset 0
        ) t
        where j.has_stock and not j.bad
      ) s on s.item = i.item and s.color_no = n.color_no and s.size = e.size
      """;

  /** The removed entry {@code r}, if there is no entry {@code s}. */
  static final String REMOVED_ENTRY =
      """
      left join lateral (
        select guid, size_text from removed_entry
        where s.place is null and merchant_id = :merchantId and product_id = i.product_id
          and color_no = n.color_no and size = e.size limit 1
      ) r on true
      """;

  private Lookups() {}
}
