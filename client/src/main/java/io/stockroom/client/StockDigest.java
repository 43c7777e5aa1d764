package io.stockroom.client;

import java.util.List;

/**
 * Digests of the merchant's stock, to compare a copy with it. A {@link
 * io.stockroom.client.mirror.StockMirror} does that for you.
 *
 * @param cursor the position in the log of changes that the digests belong to
 * @param products the number of products
 * @param entries the number of stock entries
 * @param digest the SHA-256 of all block digests, in hexadecimal
 * @param blocks the blocks with entries, in ascending order
 */
public record StockDigest(
    String cursor, int products, long entries, String digest, List<Block> blocks) {
  /** The number of consecutive product ids that share a block. */
  public static final int PRODUCTS_PER_BLOCK = 256;

  /** Copies the list. */
  public StockDigest {
    blocks = List.copyOf(blocks);
  }

  /**
   * The digest of the products whose {@code pid / 256} is {@code block}.
   *
   * @param block the number of the block
   * @param digest the SHA-256 of the lines {@code pid TAB color TAB size TAB stock LF}, in
   *     hexadecimal, sorted by pid, color (bytes) and size
   */
  public record Block(int block, String digest) {}

  static StockDigest read(Fields fields) {
    return new StockDigest(
        fields.text("cursor"),
        fields.whole("products"),
        fields.count("entries"),
        fields.text("digest"),
        fields.list("blocks", block -> new Block(block.whole("block"), block.text("digest"))));
  }
}
