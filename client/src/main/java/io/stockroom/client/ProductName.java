package io.stockroom.client;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Names a product by its id or its item number.
 *
 * @param pid the product's id, or null
 * @param artNo the item number, or null
 */
public record ProductName(@Nullable Integer pid, @Nullable String artNo) {
  /** Requires exactly one name. */
  public ProductName {
    if ((pid == null) == (artNo == null)) {
      throw new IllegalArgumentException("A product has either an id or an item number.");
    }
  }

  /**
   * Names a product by its id.
   *
   * @param pid the product's id
   * @return its name
   */
  public static ProductName pid(int pid) {
    return new ProductName(pid, null);
  }

  /**
   * Names a product by its item number.
   *
   * @param artNo the item number
   * @return its name
   */
  public static ProductName artNo(String artNo) {
    return new ProductName(null, artNo);
  }

  void write(JsonGenerator out) {
    if (pid != null) {
      out.writeNumberProperty("pid", pid);
    } else {
      out.writeStringProperty("artNo", artNo);
    }
  }

  static byte[] json(Collection<ProductName> products) {
    return Json.write(
        out -> {
          out.writeStartArray();
          for (ProductName product : products) {
            out.writeStartObject();
            product.write(out);
            out.writeEndObject();
          }
          out.writeEndArray();
        });
  }
}
