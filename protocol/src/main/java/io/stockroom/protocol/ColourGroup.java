package io.stockroom.protocol;

import java.util.List;

/**
 * The sizes of one colour of one product, an element of the create request's array.
 *
 * @param color the colour's name
 * @param pid the product's id, as the product list gives it
 * @param param the sizes of this colour, at least one
 */
public record ColourGroup(String color, int pid, List<SizeItem> param) {
  public ColourGroup {
    color = Text.colour(color);
    if (pid < 1) {
      throw new InvalidValue(ErrorCode.NUMBER_RANGE, pid, 1, Integer.MAX_VALUE);
    }
    if (param.isEmpty()) {
      throw new InvalidValue(ErrorCode.LIST_EMPTY);
    }
    param = List.copyOf(param);
  }
}
