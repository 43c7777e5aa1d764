package io.stockroom.cli.mcp;

import io.stockroom.client.AdjustRejectedException;
import io.stockroom.client.AdjustReport;
import io.stockroom.client.CallOptions;
import io.stockroom.client.ProductSummary;
import io.stockroom.client.StockEntry;
import io.stockroom.client.StockFilter;
import io.stockroom.client.StockroomClient;
import io.stockroom.protocol.Size;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tools: three that read, one that plans, and one that applies a plan. */
final class StockTools {
  private static final int MAX = Integer.MAX_VALUE;
  private static final int MAX_CHANGES = 300;
  private static final int MAX_FOUND = 100;

  /** A search reads the product list page by page, so it has to end somewhere. */
  private static final int MAX_SCANNED = 20_000;

  private final StockroomClient client;
  private final Plans plans;
  private final ErrorGuide errors;

  StockTools(StockroomClient client, Plans plans, ErrorGuide errors) {
    this.client = client;
    this.plans = plans;
    this.errors = errors;
  }

  List<StockTool> all() {
    return List.of(
        new StockTool(
            "find_products",
            "Find products",
            "Finds products by a part of their item number (artNo), and returns their ids (pid).",
            Map.of(
                "query", field("string", "Part of the item number; empty or missing: all products"),
                "stock",
                    Map.of(
                        "enum",
                        List.of("any", "with", "without"),
                        "description",
                        "Only products with or without stock entries"),
                "limit", field("integer", "Maximum number of products, 1 to 100; 20 if missing")),
            List.of(),
            false,
            this::findProducts),
        new StockTool(
            "read_stock",
            "Read stock",
            "Returns the quantity of each color and size of one product.",
            Map.of("pid", field("integer", "The product's id, from find_products")),
            List.of("pid"),
            false,
            this::readStock),
        new StockTool(
            "explain_refusal",
            "Explain an error code",
            "Explains an error code of Stockroom: its cause, and how to fix it.",
            Map.of("code", field("string", "The error code, such as CREATE_RATE")),
            List.of("code"),
            false,
            this::explain),
        new StockTool(
            "plan_stock_change",
            "Plan a stock change",
            "Plans changes of quantities and returns a table of before and after, a plan id and a"
                + " hash. Changes nothing. Show the table to the user before you apply the plan.",
            Map.of("changes", changes()),
            List.of("changes"),
            false,
            this::plan),
        new StockTool(
            "apply_plan",
            "Apply a plan",
            "Makes the changes of a plan, all or none. Refused if a quantity has changed since the"
                + " plan was made. Call it only after the user has agreed to the table.",
            Map.of(
                "plan", field("string", "The plan id from plan_stock_change"),
                "hash", field("string", "The plan's hash")),
            List.of("plan", "hash"),
            true,
            this::apply));
  }

  /**
   * @param type a type or a list of types
   */
  private static Map<String, Object> field(Object type, String description) {
    return Map.of("type", type, "description", description);
  }

  private static Map<String, Object> changes() {
    return Map.of(
        "type",
        "array",
        "minItems",
        1,
        "maxItems",
        MAX_CHANGES,
        "items",
        Map.of(
            "type",
            "object",
            "required",
            List.of("pid", "color", "size"),
            "additionalProperties",
            false,
            "properties",
            Map.of(
                "pid", field("integer", "The product's id"),
                "color", field("string", "The color, as read_stock returns it"),
                "size", field(List.of("integer", "string"), "The size, as read_stock returns it"),
                "change", field("integer", "How much to add; negative to subtract"),
                "set", field("integer", "The new quantity; instead of change"))));
  }

  private StockTool.Result findProducts(Arguments arguments) {
    String query = arguments.textOr("query", "").toLowerCase(Locale.ROOT);
    int limit = arguments.wholeOr("limit", 1, MAX_FOUND, 20);
    List<ProductSummary> found = new ArrayList<>();
    int scanned = 0;
    try (Stream<ProductSummary> products = client.products(filter(arguments))) {
      for (var each = products.iterator();
          each.hasNext() && scanned < MAX_SCANNED && found.size() <= limit; ) {
        ProductSummary product = each.next();
        scanned++;
        if (product.artNo().toLowerCase(Locale.ROOT).contains(query)) {
          found.add(product);
        }
      }
    }
    boolean isMore = found.size() > limit || scanned == MAX_SCANNED;
    List<ProductSummary> shown = found.subList(0, Math.min(limit, found.size()));
    String text =
        shown.stream()
            .map(product -> "pid %d: %s".formatted(product.id(), product.artNo()))
            .collect(Collectors.joining("\n"));
    return new StockTool.Result(
        (shown.isEmpty() ? "No product found." : text)
            + (isMore ? "\nThere may be more; use a longer query." : ""),
        data(
            "products",
            shown.stream().map(p -> data("pid", p.id(), "artNo", p.artNo())).toList(),
            "more",
            isMore));
  }

  private static StockFilter filter(Arguments arguments) {
    String stock = arguments.textOr("stock", "any");
    return switch (stock) {
      case "any" -> StockFilter.ALL;
      case "with" -> StockFilter.WITH_STOCK;
      case "without" -> StockFilter.WITHOUT_STOCK;
      default -> throw new Refusal("stock must be any, with or without, not \"" + stock + "\".");
    };
  }

  private StockTool.Result readStock(Arguments arguments) {
    int pid = arguments.whole("pid", 1, MAX);
    List<StockEntry> entries = client.stock(pid);
    String text =
        entries.stream()
            .map(e -> "| %s | %s | %d |".formatted(e.color(), e.size(), e.stock()))
            .collect(Collectors.joining("\n", "| color | size | quantity |\n|---|---|---|\n", ""));
    return new StockTool.Result(
        entries.isEmpty() ? "Product %d has no stock entries yet.".formatted(pid) : text,
        data(
            "pid",
            pid,
            "entries",
            entries.stream()
                .map(e -> data("color", e.color(), "size", e.size().value(), "quantity", e.stock()))
                .toList()));
  }

  private StockTool.Result explain(Arguments arguments) {
    ErrorGuide.Entry entry = errors.find(arguments.text("code"));
    return new StockTool.Result(
        "%s (status %s)\nCause: %s\nFix: %s"
            .formatted(entry.code(), entry.status(), entry.cause(), entry.fix()),
        data(
            "code", entry.code(),
            "status", entry.status(),
            "cause", entry.cause(),
            "fix", entry.fix()));
  }

  private record Entry(int pid, String color, Size size) {}

  private StockTool.Result plan(Arguments arguments) {
    Map<Integer, List<StockEntry>> stock = new HashMap<>();
    Set<Entry> seen = new HashSet<>();
    List<Plan.Row> rows = new ArrayList<>();
    for (Arguments change : arguments.list("changes", MAX_CHANGES)) {
      int pid = change.whole("pid", 1, MAX);
      Plan.Row row = row(change, pid, stock.computeIfAbsent(pid, client::stock));
      if (!seen.add(new Entry(row.pid(), row.color(), row.size()))) {
        throw new Refusal(
            "%s names an entry that is in the plan already. Combine both changes; nothing was planned."
                .formatted(change.at()));
      }
      rows.add(row);
    }
    Plan plan = plans.add(rows);
    return new StockTool.Result(
        "Nothing is changed yet.\n\n%s\n\nplan: %s\nhash: %s\nexpires: %s\nShow this table to the user. If the user agrees, call apply_plan."
            .formatted(plan.table(), plan.id(), plan.hash(), plan.expiresAt()),
        data(
            "plan", plan.id(),
            "hash", plan.hash(),
            "expiresAt", plan.expiresAt().toString(),
            "rows", Plan.data(plan.rows())));
  }

  private static Plan.Row row(Arguments change, int pid, List<StockEntry> entries) {
    String color = change.text("color");
    Size size = change.size("size");
    StockEntry entry =
        entries.stream()
            .filter(e -> e.size().equals(size) && e.color().equals(color))
            .findFirst()
            .orElseThrow(
                () ->
                    new Refusal(
                        "%s: product %d has no entry of color \"%s\" and size %s. See read_stock; nothing was planned."
                            .formatted(change.at(), pid, color, size)));
    return new Plan.Row(pid, color, size, entry.stock(), after(change, entry.stock()));
  }

  private static int after(Arguments change, int before) {
    @Nullable Integer by = change.wholeOrNull("change", -MAX, MAX);
    @Nullable Integer set = change.wholeOrNull("set", 0, MAX);
    if ((by == null) == (set == null)) {
      throw new Refusal(
          "%s needs either change (how much to add) or set (the new quantity)."
              .formatted(change.at()));
    }
    long after = set == null ? (long) before + (by == null ? 0 : by) : set;
    if (after < 0 || after > MAX) {
      throw new Refusal(
          "%s: the quantity would become %d, from %d now; it must be 0 to %d. Nothing was planned."
              .formatted(change.at(), after, before, MAX));
    }
    return (int) after;
  }

  private StockTool.Result apply(Arguments arguments) {
    Plan plan = plans.find(arguments.textOr("plan", ""), arguments.textOr("hash", ""));
    try {
      AdjustReport report =
          client.adjust(plan.adjustments(), CallOptions.idempotencyKey(plan.id()));
      List<Plan.Row> made =
          report.entries().stream()
              .map(e -> new Plan.Row(e.pid(), e.color(), e.size(), e.before(), e.after()))
              .toList();
      return new StockTool.Result(
          "The plan is applied.\n\n" + Plan.table(made),
          data("plan", plan.id(), "number", report.number(), "rows", Plan.data(made)));
    } catch (AdjustRejectedException changed) {
      throw new Refusal(
          "The plan no longer fits, so nothing was changed: %s\nMake a new plan."
              .formatted(changed.getMessage()));
    }
  }

  /** Keeps the order of the fields. */
  private static Map<String, Object> data(Object... namesAndValues) {
    Map<String, Object> data = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      data.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return data;
  }
}
