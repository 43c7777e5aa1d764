package io.stockroom.protocol.request;

import org.jspecify.annotations.Nullable;

/**
 * One element of an adjust request.
 *
 * @param at its location in the request
 * @param isRelative whether {@code amount} is added to the quantity rather than set
 * @param expect the quantity that the entry must have before; null if any will do
 */
public record Adjustment(
    JsonPath at, EntryAddress entry, boolean isRelative, int amount, @Nullable Integer expect) {
  /** The quantity after the adjustment, which may be out of range. */
  public long after(int before) {
    return isRelative ? (long) before + amount : amount;
  }

  /** The location of the field with the amount. */
  public JsonPath amountAt() {
    return at.field(isRelative ? "change" : "set");
  }
}
