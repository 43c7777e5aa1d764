package io.stockroom.client;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Some consecutive changes.
 *
 * @param cursor where to continue after them; store it once they are processed
 * @param more whether the server has further changes already
 * @param changes the changes in order; may be empty
 */
public record ChangePage(String cursor, boolean more, List<Change> changes) {
  /** Copies the list. */
  public ChangePage {
    changes = List.copyOf(changes);
  }

  static ChangePage read(Fields fields) {
    return new ChangePage(fields.text("cursor"), fields.flag("more"), changes(fields));
  }

  /** Leaves out kinds of changes that only a newer version of the SDK knows. */
  static List<Change> changes(Fields fields) {
    return fields.list("changes", element -> element).stream()
        .map(ChangePage::change)
        .filter(Objects::nonNull)
        .toList();
  }

  private static @Nullable Change change(Fields fields) {
    return switch (fields.text("kind")) {
      case "stock" -> StockChange.read(fields);
      case "product" -> ProductChange.read(fields);
      default -> null;
    };
  }
}
