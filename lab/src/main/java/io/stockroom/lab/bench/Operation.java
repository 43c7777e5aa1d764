package io.stockroom.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The measured operations, in order: reads first, because creates enlarge the tables. */
enum Operation {
  PRODUCT_LIST("product list", "product-list", 0, 1.2),
  PRODUCT_LIST_DEEP("product list deep", "product-list-deep", 0, 1.2),
  PRODUCT_LIST_STOCKED("product list with stock", "product-list-stocked", 0, 1.0),
  PRODUCT_LIST_BARE("product list without stock", "product-list-bare", 0, 1.0),
  STOCK_LIST("stock list", "stock-list", 0, 1.5),
  DETAIL("detail", "detail", 0, 1.0),
  CHANGES_1000("changes 1000", "changes", 0, 0.7),
  MIXED("mixed 60/30/5/5", "", 1, 1.2),
  ADJUST_1("adjust 1", "adjust", 0, 0.7),
  CREATE_1("create 1", "create-existing", 1, 0.95),
  CREATE_300("create 300", "create-existing", 12, 0.95),
  CREATE_1500("create 1500", "create-existing", 60, 0.95),
  CREATE_NEW_1("create 1 new", "create-new", 1, 0.95),
  CREATE_NEW_300("create 300 new", "create-new", 12, 0.95),
  CREATE_NEW_1500("create 1500 new", "create-new", 60, 0.95);

  /** A part of a mix, in percent. */
  record Share(Operation operation, int percent) {}

  private final String title;
  private final String twin;
  private final int products;
  private final double goal;

  Operation(String title, String twin, int products, double goal) {
    this.title = title;
    this.twin = twin;
    this.products = products;
    this.goal = goal;
  }

  /** The minimum ratio to the twin that we want. */
  static double goal(String title) {
    return Arrays.stream(values())
        .filter(operation -> operation.title.equals(title))
        .mapToDouble(operation -> operation.goal)
        .findFirst()
        .orElse(1);
  }

  String title() {
    return title;
  }

  /** The file name of its twin; a mix has none. */
  String twin() {
    return twin;
  }

  /** The number of products in one create. */
  int products() {
    return products;
  }

  List<Share> shares() {
    return this == MIXED
        ? List.of(
            new Share(STOCK_LIST, 60),
            new Share(PRODUCT_LIST, 30),
            new Share(DETAIL, 5),
            new Share(CREATE_1, 5))
        : List.of(new Share(this, 100));
  }

  boolean creates() {
    return products > 0;
  }

  boolean createsNew() {
    return twin.equals("create-new");
  }

  boolean writes() {
    return creates() || this == DETAIL || this == ADJUST_1;
  }

  /**
   * A query for the number of successes so far; null if nothing counts them. wrk checks only the
   * status, and a rejected detail, adjust or create also has the status 200.
   */
  @Nullable String successes() {
    if (this == DETAIL) {
      return "select sum(used) from detail_usage";
    }
    return (creates() && this != MIXED) || this == ADJUST_1
        ? "select sum(number) from log_head"
        : null;
  }

  /** Whether it is one of the four calls, which the peers have. */
  boolean isOfPeers() {
    return this != CHANGES_1000 && this != ADJUST_1;
  }

  /** Whether it is also measured at half its maximum rate. */
  boolean pacedToo() {
    return this == STOCK_LIST || this == PRODUCT_LIST;
  }

  /**
   * Selects operations by name, or all if there are no names. A name that is not an operation
   * selects all that start with it.
   */
  static List<Operation> pick(List<String> names) {
    if (names.isEmpty()) {
      return List.of(values());
    }
    List<Operation> picked = new ArrayList<>();
    for (String name : names) {
      String wanted = name.strip();
      List<Operation> found =
          Arrays.stream(values()).filter(operation -> operation.title.equals(wanted)).toList();
      if (found.isEmpty()) {
        found =
            Arrays.stream(values())
                .filter(operation -> operation.title.startsWith(wanted))
                .toList();
      }
      if (found.isEmpty() || wanted.isEmpty()) {
        throw new BenchException(
            "Unknown operation \"%s\". Known operations: %s."
                .formatted(
                    wanted,
                    Arrays.stream(values())
                        .map(Operation::title)
                        .collect(Collectors.joining(", "))));
      }
      picked.addAll(found);
    }
    return Arrays.stream(values()).filter(picked::contains).toList();
  }
}
