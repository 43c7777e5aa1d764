package io.stockroom.client.mirror;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockChange;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Where a {@link StockMirror} keeps its copy. {@link MemoryMirrorStore} and {@link JdbcMirrorStore}
 * are ready to use. Every method that writes does so completely or not at all: the stock and the
 * cursor belong together. A store may be read by any thread while one thread writes.
 */
public interface MirrorStore {
  /** {@return the cursor that the stock belongs to; empty if there is no copy yet} */
  Optional<String> cursor();

  /**
   * Replaces everything.
   *
   * @param cursor the cursor of the new stock
   * @param products the whole stock; each product once
   */
  void replaceAll(String cursor, Stream<ProductStock> products);

  /**
   * Applies changes: stores each entry with its new quantity, or removes it if that is null.
   *
   * @param from the cursor that the store must have now
   * @param to the cursor afterwards
   * @param changes the changes in order
   * @throws MirrorStoreException if the store has another cursor, because another mirror uses it
   */
  void apply(String from, String to, Collection<StockChange> changes);

  /**
   * Replaces the products of some blocks, and leaves the other products and the cursor alone.
   *
   * @param blocks numbers of blocks: {@code pid / 256}
   * @param products the products of these blocks
   */
  void replaceBlocks(Collection<Integer> blocks, Stream<ProductStock> products);

  /**
   * Finds the stock of a product.
   *
   * @param pid the product's id
   * @return its stock; empty if it has none
   */
  Optional<ProductStock> product(int pid);

  /**
   * Passes every product that has stock, with all its entries, in ascending order of the ids. All
   * are of the same moment.
   *
   * @param reader receives the products
   */
  void read(Consumer<ProductStock> reader);
}
