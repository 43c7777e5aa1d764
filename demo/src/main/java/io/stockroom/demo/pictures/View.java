package io.stockroom.demo.pictures;

/** The arrangements in a product's pictures, in gallery order. */
public enum View {
  SIDE(1),
  PAIR(2),
  SOLE(3),
  COLORS(4);

  final int number;

  View(int number) {
    this.number = number;
  }

  static View of(int number) {
    for (View view : values()) {
      if (view.number == number) {
        return view;
      }
    }
    throw new IllegalArgumentException("no view " + number);
  }
}
