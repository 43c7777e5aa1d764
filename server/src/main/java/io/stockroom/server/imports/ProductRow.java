package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.SizeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one row of a file says; the same object serves row after row. */
final class ProductRow {
  private static final int MOST_FAULTS = 20;

  /** The quantity of each of some sizes of a colour. */
  record Stock(
      String column, String colour, SizeRange sizes, int quantity, @Nullable String barCode) {}

  /** The picture of a colour. */
  record Image(String column, String colour, String url) {}

  int row;
  @Nullable String artNo;

  /** Null where the row says nothing of the product that the row above it did not say. */
  @Nullable ProductValues values;

  final List<Stock> stock = new ArrayList<>();
  final List<Image> images = new ArrayList<>();
  final List<Fault> faults = new ArrayList<>();
  Set<String> removed = Set.of();

  void start(int number) {
    row = number;
    artNo = null;
    values = null;
    stock.clear();
    images.clear();
    faults.clear();
    removed = Set.of();
  }

  void fault(String column, String value, ErrorCode code, Object... arguments) {
    if (faults.size() < MOST_FAULTS) {
      faults.add(Fault.of(row, column, value, code, arguments));
    }
  }

  /** Gives the value, or null after noting why there is none. */
  <T> @Nullable T check(String column, String value, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidValue invalid) {
      if (faults.size() < MOST_FAULTS) {
        faults.add(Fault.of(row, column, value, invalid));
      }
      return null;
    }
  }
}
