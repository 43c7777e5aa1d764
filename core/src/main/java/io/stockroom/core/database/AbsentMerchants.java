package io.stockroom.core.database;

/**
 * Merchants whose rows in a cell must not be used, because they move or have moved. Statements
 * about all merchants of a cell leave them out.
 */
public final class AbsentMerchants {
  /** An array of the merchants, such as in {@code merchant_id <> all (%s)}. */
  public static final String ARRAY =
      "array(select merchant_id from absent_merchant where until > now())";

  /**
   * The condition that a merchant's rows here are those that count; for lists over all merchants.
   * During a pause they are those of the old cell.
   */
  public static final String PRESENT =
      "merchant_id not in (select merchant_id from absent_merchant where until = 'infinity')";

  private AbsentMerchants() {}
}
