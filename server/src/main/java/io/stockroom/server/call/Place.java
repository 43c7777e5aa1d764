package io.stockroom.server.call;

import org.jspecify.annotations.Nullable;

/**
 * Where a value stands in a body, such as {@code [3].param[0].size}. It is written out only when
 * something is wrong there: a large request has thousands of places and seldom a fault.
 */
public final class Place {
  /** The body itself. */
  public static final Place BODY = new Place(null, "", -1);

  private final @Nullable Place parent;
  private final String name;
  private final int index;

  private Place(@Nullable Place parent, String name, int index) {
    this.parent = parent;
    this.name = name;
    this.index = index;
  }

  public Place field(String field) {
    return new Place(this, field, -1);
  }

  public Place element(int element) {
    return new Place(this, "", element);
  }

  @Override
  public String toString() {
    String before = parent == null ? "" : parent.toString();
    if (index >= 0) {
      return before + "[" + index + "]";
    }
    return before.isEmpty() ? name : before + "." + name;
  }
}
