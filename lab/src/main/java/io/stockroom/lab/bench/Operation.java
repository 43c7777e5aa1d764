package io.stockroom.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The measured operations, in order: reads first, because creates enlarge the tables. */
enum Operation {
  PRODUCT_LIST("product list", "product-list", 0, 1.2),
  PRODUCT_LIST_DEEP("product list deep", "product-list-deep", 0, 1.2),
  PRODUCT_LIST_STOCKED("product list with stock", "product-list-stocked", 0, 1.0),
  PRODUCT_LIST_BARE("product list without stock", "product-list-bare", 0, 1.0),
  STOCK_LIST("stock list", "stock-list", 0, 1.5),
  DETAIL("detail", "detail", 0, 1.0),
  CHANGES_1000("changes 1000", "changes", 0, 0.7),
  MIXED("mixed 60/30/5/5", "", 0, 1.2),
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

  String title() {
    return title;
  }

  /** The file name of its twin; a mix has none. */
  String twin() {
    return twin + ".sql";
  }

  /** The number of products in one create. */
  int products() {
    return products;
  }

  /** The least ratio to the twin that we want. */
  double goal() {
    return goal;
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

  /** For the script of wrk: names with weights. */
  String mix() {
    return shares().stream()
        .map(share -> share.operation.scriptName() + ":" + share.percent)
        .collect(Collectors.joining(","));
  }

  private String scriptName() {
    return products == 0 ? twin : twin + "-" + products;
  }

  boolean creates() {
    return products > 0 || this == MIXED;
  }

  boolean writes() {
    return creates() || this == DETAIL || this == ADJUST_1;
  }

  /** Those with these names, or that begin with them; all if there are no names. */
  static List<Operation> pick(List<String> names) {
    List<Operation> picked = new ArrayList<>();
    for (String name : names) {
      String wanted = name.strip();
      List<Operation> found =
          Arrays.stream(values()).filter(each -> each.title.equals(wanted)).toList();
      if (found.isEmpty()) {
        found = Arrays.stream(values()).filter(each -> each.title.startsWith(wanted)).toList();
      }
      if (found.isEmpty() || wanted.isEmpty()) {
        String known =
            Arrays.stream(values()).map(Operation::title).collect(Collectors.joining(", "));
        throw new IllegalStateException(
            "Unknown operation \"%s\". Known operations: %s.".formatted(wanted, known));
      }
      picked.addAll(found);
    }
    return Arrays.stream(values())
        .filter(each -> names.isEmpty() || picked.contains(each))
        .toList();
  }
}
