package io.stockroom.protocol.request;

import org.jspecify.annotations.Nullable;

/**
 * The path of a value in a JSON body, such as {@code [3].param[0].size}. It is converted to text
 * only for a problem: a large request has thousands of paths and rarely a problem.
 */
public final class JsonPath {
  /** The body itself. */
  public static final JsonPath BODY = new JsonPath(null, "", -1);

  private final @Nullable JsonPath parent;
  private final String name;
  private final int index;

  private JsonPath(@Nullable JsonPath parent, String name, int index) {
    this.parent = parent;
    this.name = name;
    this.index = index;
  }

  public JsonPath field(String field) {
    return new JsonPath(this, field, -1);
  }

  public JsonPath element(int element) {
    return new JsonPath(this, "", element);
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
