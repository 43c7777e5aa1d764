package io.stockroom.protocol.request;

import io.stockroom.protocol.SizeItem;

/**
 * The sizes of a create request that share product, color, quantity and barcode.
 *
 * @param at their location in the body
 */
public record CreateItem(JsonPath at, int pid, String color, SizeItem sizes) {}
