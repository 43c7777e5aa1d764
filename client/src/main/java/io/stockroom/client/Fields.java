package io.stockroom.client;

import io.stockroom.protocol.Size;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object in a response. Ignores unknown fields, so that a newer server can add
 * some. Throws {@link MalformedResponse} for a field that is missing or has another type.
 */
final class Fields {
  private final Map<String, @Nullable Object> values;

  Fields(Map<String, @Nullable Object> values) {
    this.values = values;
  }

  boolean flag(String name) {
    return expect(name, Boolean.class, "true or false");
  }

  String text(String name) {
    return expect(name, String.class, "a text");
  }

  @Nullable String textOrNull(String name) {
    return values.get(name) == null ? null : text(name);
  }

  /** A size: a whole number or a text. */
  Size size(String name) {
    Object value = values.get(name);
    return Size.find(value instanceof Long || value instanceof String ? value.toString() : "")
        .orElseThrow(() -> misfit(name, "a size"));
  }

  int whole(String name) {
    long number = expect(name, Long.class, "a whole number");
    if (number != (int) number) {
      throw misfit(name, "a whole number of 32 bits");
    }
    return (int) number;
  }

  @Nullable Integer intOrNull(String name) {
    return values.get(name) == null ? null : whole(name);
  }

  long count(String name) {
    return expect(name, Long.class, "a whole number");
  }

  @Nullable Long wholeOrNull(String name) {
    return values.get(name) == null ? null : expect(name, Long.class, "a whole number");
  }

  BigDecimal decimal(String name) {
    return values.get(name) instanceof Long whole
        ? BigDecimal.valueOf(whole)
        : expect(name, BigDecimal.class, "a number");
  }

  @Nullable Instant instantOrNull(String name) {
    String text = textOrNull(name);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException notATime) {
      throw misfit(name, "a time");
    }
  }

  Instant instant(String name) {
    Instant instant = instantOrNull(name);
    if (instant == null) {
      throw misfit(name, "a time");
    }
    return instant;
  }

  Fields object(String name) {
    if (values.get(name) instanceof Fields fields) {
      return fields;
    }
    throw misfit(name, "an object");
  }

  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object element : elements(name)) {
      if (!(element instanceof String text)) {
        throw misfit(name, "a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  <T> List<T> list(String name, Function<Fields, T> element) {
    List<T> list = new ArrayList<>();
    for (Object found : elements(name)) {
      if (!(found instanceof Fields fields)) {
        throw misfit(name, "a list of objects");
      }
      list.add(element.apply(fields));
    }
    return list;
  }

  boolean has(String name) {
    return values.get(name) != null;
  }

  MalformedResponse misfit(String name, String expected) {
    return new MalformedResponse("\"" + name + "\" is missing or is not " + expected);
  }

  private List<?> elements(String name) {
    return expect(name, List.class, "a list");
  }

  private <T> T expect(String name, Class<T> type, String expected) {
    Object value = values.get(name);
    if (!type.isInstance(value)) {
      throw misfit(name, expected);
    }
    return type.cast(value);
  }
}
