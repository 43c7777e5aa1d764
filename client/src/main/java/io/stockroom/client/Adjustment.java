package io.stockroom.client;

import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Size;
import org.jspecify.annotations.Nullable;

/**
 * A change of one existing stock entry, relative ({@code change}) or absolute ({@code set}), for
 * {@link StockroomClient#adjust}.
 *
 * <pre>{@code
 * Adjustment.entry(1, "red", 36).change(-2);
 * Adjustment.entry("A100", "red", 37).set(5).expect(7);
 * Adjustment.barCode("6901234567892").change(10);
 * }</pre>
 *
 * @param target the entry
 * @param change how much to add; negative to subtract; null if {@code set} is given
 * @param set the new quantity; null if {@code change} is given
 * @param expect the quantity that the entry must have now; null if it does not matter
 */
public record Adjustment(
    Target target, @Nullable Integer change, @Nullable Integer set, @Nullable Integer expect) {
  /**
   * Checks that there is either a change or a new quantity.
   *
   * @throws IllegalArgumentException if there are both or none
   */
  public Adjustment {
    if ((change == null) == (set == null)) {
      throw new IllegalArgumentException(
          "An adjustment has either \"change\" or \"set\", not both and not none.");
    }
  }

  /**
   * A stock entry: by product, color and size, or by barcode alone.
   *
   * @param pid the product's id, or null
   * @param artNo the product's item number, or null
   * @param barCode the barcode, or null
   * @param color the color; null with a barcode
   * @param size the size; null with a barcode
   */
  public record Target(
      @Nullable Integer pid,
      @Nullable String artNo,
      @Nullable String barCode,
      @Nullable String color,
      @Nullable Size size) {
    /**
     * Adds to the quantity, or subtracts from it. The server rejects it if the result is negative.
     *
     * @param by how much; negative to subtract
     * @return the adjustment
     */
    public Adjustment change(int by) {
      return new Adjustment(this, by, null, null);
    }

    /**
     * Sets the quantity.
     *
     * @param quantity the new quantity
     * @return the adjustment
     */
    public Adjustment set(int quantity) {
      return new Adjustment(this, null, quantity, null);
    }
  }

  /**
   * Names an entry by the product's id.
   *
   * @param pid the product's id
   * @param color the color
   * @param size the size
   * @return the entry
   */
  public static Target entry(int pid, String color, Size size) {
    return new Target(pid, null, null, color, size);
  }

  /**
   * Names an entry by the product's id, with a size that is a whole number.
   *
   * @param pid the product's id
   * @param color the color
   * @param size the size
   * @return the entry
   */
  public static Target entry(int pid, String color, int size) {
    return entry(pid, color, Size.of(size));
  }

  /**
   * Names an entry by the product's id, with a size such as {@code "XL"}.
   *
   * @param pid the product's id
   * @param color the color
   * @param size the size
   * @return the entry
   * @throws InvalidValue if the text cannot be a size
   */
  public static Target entry(int pid, String color, String size) {
    return entry(pid, color, Size.of(size));
  }

  /**
   * Names an entry by the product's item number.
   *
   * @param artNo the item number
   * @param color the color
   * @param size the size
   * @return the entry
   */
  public static Target entry(String artNo, String color, Size size) {
    return new Target(null, artNo, null, color, size);
  }

  /**
   * Names an entry by the product's item number, with a size that is a whole number.
   *
   * @param artNo the item number
   * @param color the color
   * @param size the size
   * @return the entry
   */
  public static Target entry(String artNo, String color, int size) {
    return entry(artNo, color, Size.of(size));
  }

  /**
   * Names an entry by the product's item number, with a size such as {@code "XL"}.
   *
   * @param artNo the item number
   * @param color the color
   * @param size the size
   * @return the entry
   * @throws InvalidValue if the text cannot be a size
   */
  public static Target entry(String artNo, String color, String size) {
    return entry(artNo, color, Size.of(size));
  }

  /**
   * Names an entry by its barcode.
   *
   * @param barCode the barcode
   * @return the entry
   */
  public static Target barCode(String barCode) {
    return new Target(null, null, barCode, null, null);
  }

  /**
   * Makes the adjustment only if the entry has this quantity now (compare and set).
   *
   * @param quantity the expected quantity
   * @return the adjustment with this condition
   */
  public Adjustment expect(int quantity) {
    return new Adjustment(target, change, set, quantity);
  }
}
