package io.stockroom.protocol;

import java.util.List;

/**
 * The sizes of one color of one product, an element of the create request's array.
 *
 * @param color the color's name
 * @param pid the product's id, as the product list gives it
 * @param param the sizes of this color, at least one
 */
public record ColorGroup(String color, int pid, List<SizeItem> param) {
  public ColorGroup {
    color = Text.color(color);
    if (pid < 1) {
      throw new InvalidValue(ErrorCode.NUMBER_RANGE, pid, 1, Integer.MAX_VALUE);
    }
    if (param.isEmpty()) {
      throw new InvalidValue(ErrorCode.LIST_EMPTY);
    }
    param = List.copyOf(param);
  }
}
