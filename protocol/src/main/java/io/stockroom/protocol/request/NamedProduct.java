package io.stockroom.protocol.request;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A product as an element of a request names it: by its id or its item number.
 *
 * @param element the location of the element
 */
public record NamedProduct(JsonPath element, @Nullable Integer pid, @Nullable String artNo) {
  /** The location of the name. */
  public JsonPath at() {
    return element.field(pid != null ? "pid" : "artNo");
  }

  /** The id or the item number. */
  public Object name() {
    return pid != null ? pid : Objects.requireNonNull(artNo);
  }
}
