package io.stockroom.core.stock;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.Adjustment;
import io.stockroom.protocol.request.EntryAddress.ByArtNo;
import io.stockroom.protocol.request.EntryAddress.ByBarCode;
import io.stockroom.protocol.request.EntryAddress.ByPid;
import io.stockroom.protocol.request.JsonPath;
import io.stockroom.protocol.request.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares an adjust request with the entries that it names. */
final class AdjustProblems {
  /**
   * Why an element cannot be applied.
   *
   * @param current the quantity of the entry; null if there is none
   */
  record Failure(Problem problem, @Nullable Integer current) {}

  private AdjustProblems() {}

  /** The elements that name an entry which an earlier element names in another way. */
  static Problems repeated(AdjustedEntries entries) {
    Problems problems = new Problems();
    Map<AdjustedEntries.Key, JsonPath> paths = new HashMap<>();
    for (int i = 0; i < entries.adjustments().size(); i++) {
      AdjustedEntries.Key key = entries.key(i);
      if (key == null && entries.found(i).size() == 1) {
        AdjustedEntries.Entry entry = entries.found(i).getFirst();
        key = new AdjustedEntries.Key(entry.productId(), entry.color(), entry.size());
      }
      JsonPath at = entries.adjustments().get(i).at();
      JsonPath earlier = key == null ? null : paths.putIfAbsent(key, at);
      if (key != null && earlier != null) {
        problems.add(
            at, ErrorCode.ENTRY_REPEATED, key.productId(), key.color(), key.size(), earlier);
      }
    }
    return problems;
  }

  /** Every element that cannot be applied. */
  static List<Failure> failures(AdjustedEntries entries) {
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < entries.adjustments().size(); i++) {
      Adjustment adjustment = entries.adjustments().get(i);
      List<AdjustedEntries.Entry> found = entries.found(i);
      Failure failure =
          found.size() == 1
              ? failure(adjustment, found.getFirst().quantity())
              : missing(entries, i);
      if (failure != null) {
        failures.add(failure);
      }
    }
    return failures;
  }

  private static @Nullable Failure failure(Adjustment adjustment, int current) {
    Integer expect = adjustment.expect();
    if (expect != null && expect != current) {
      return failure(
          adjustment.at().field("expect"), current, ErrorCode.STOCK_CHANGED, current, expect);
    }
    long after = adjustment.after(current);
    if (after < 0) {
      return failure(
          adjustment.amountAt(),
          current,
          ErrorCode.STOCK_INSUFFICIENT,
          current,
          adjustment.amount());
    }
    if (after > Integer.MAX_VALUE) {
      return failure(
          adjustment.amountAt(),
          current,
          ErrorCode.STOCK_TOO_LARGE,
          current,
          adjustment.amount(),
          Integer.MAX_VALUE);
    }
    return null;
  }

  private static Failure missing(AdjustedEntries entries, int element) {
    JsonPath at = entries.adjustments().get(element).at();
    AdjustedEntries.Key key = entries.key(element);
    if (key != null) {
      return failure(at, null, ErrorCode.ENTRY_MISSING, key.productId(), key.color(), key.size());
    }
    return switch (entries.adjustments().get(element).entry()) {
      case ByPid(int pid, String _, Size _) ->
          failure(at.field("pid"), null, ErrorCode.PRODUCT_MISSING, pid);
      case ByArtNo(String artNo, String _, Size _) ->
          failure(at.field("artNo"), null, ErrorCode.PRODUCT_MISSING, artNo);
      case ByBarCode(String barCode) ->
          failure(
              at.field("barCode"),
              null,
              entries.found(element).isEmpty()
                  ? ErrorCode.BARCODE_UNKNOWN
                  : ErrorCode.BARCODE_AMBIGUOUS,
              barCode);
    };
  }

  private static Failure failure(
      JsonPath at, @Nullable Integer current, ErrorCode code, Object... arguments) {
    return new Failure(Problem.of(at.toString(), code, arguments), current);
  }
}
