package io.stockroom.cli;

import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/** Shows a merchant's usage of its limits, and fetched products that are not published. */
final class UsagePage {
  private static final String GAP = "   ";

  private final Output output;
  private final UsageBar bar;

  UsagePage(Output output, UsageBar bar) {
    this.output = output;
    this.bar = bar;
  }

  static CommandDefinition command() {
    return CommandDefinition.get("usage", "/admin/merchants/{ID}/usage")
        .does(
            "Show a merchant's limits and usage, and the products that it fetched but did not"
                + " publish.")
        .examples(
            "stockroom merchant usage 1", "stockroom merchant usage 1 --store 'Shop 7' --page 2")
        .with(
            MerchantCommands.ID,
            CommandOption.option("--store", "NAME", "Only this bound store (default: all)."),
            CommandOption.page("Page of the unpublished products (default: 1)."))
        .prints(UsagePage::print);
  }

  private static void print(JsonNode usage, Given given) {
    String store = given.has("--store") ? " --store " + Shell.quoted(given.text("--store")) : "";
    UsageBar bar = UsageBar.in(given.shell().out().charset());
    new UsagePage(given.output(), bar)
        .show(usage, "stockroom merchant usage " + given.text("ID") + store);
  }

  /**
   * Shows the whole page.
   *
   * @param command the command that requested it, without its {@code --page}
   */
  void show(JsonNode usage, String command) {
    JsonNode limits = usage.path("limits");
    int nameWidth = width(limits.valueStream().map(UsagePage::name).toList());
    int countWidth = width(limits.valueStream().map(UsagePage::count).toList());
    for (JsonNode limit : limits) {
      output.line(
          (padded(name(limit), nameWidth)
                  + GAP
                  + bar(limit)
                  + "  "
                  + padded(count(limit), countWidth)
                  + reset(limit))
              .stripTrailing());
      String note = Output.text(limit.path("note"), "");
      if (!note.isBlank()) {
        output.line("    " + note);
      }
    }
    output.line("");
    showUnpublished(usage.path("unpublished"), command);
  }

  private void showUnpublished(JsonNode unpublished, String command) {
    long total = unpublished.path("total").asLong(0);
    if (total == 0) {
      output.line("No fetched product needs a publish result.");
      return;
    }
    output.line(
        Values.count(total, "fetched product needs", "fetched products need")
            + " a publish result:");
    Table table =
        Table.of(
            unpublished.path("data"),
            Columns.of("PID=pid, ART NO=artNo, FETCHED=fetchedAt, RESULT=result"));
    if (!table.isEmpty()) {
      output.table(table);
    }
    Values.concludePage(unpublished, command, output);
  }

  private String bar(JsonNode limit) {
    OptionalLong most = number(limit, "limit");
    OptionalLong used = used(limit);
    return most.isPresent() && used.isPresent()
        ? bar.of(used.getAsLong(), most.getAsLong())
        : " ".repeat(UsageBar.WIDTH);
  }

  private static String name(JsonNode limit) {
    String store = Output.text(limit.path("store"), "");
    String name = Output.text(limit.path("name"), "-");
    return Output.printable(store.isEmpty() ? name : name + " (" + store + ")");
  }

  private static String count(JsonNode limit) {
    OptionalLong used = used(limit);
    String most = Output.text(limit.path("limit"), "");
    if (used.isPresent()) {
      return most.isEmpty()
          ? used.getAsLong() + " used"
          : "%d of %s".formatted(used.getAsLong(), most);
    }
    return most.isEmpty() ? "-" : "limit " + most;
  }

  private static String reset(JsonNode limit) {
    JsonNode resetsAt = limit.path("resetsAt");
    return Output.text(resetsAt, "").isEmpty() ? "" : GAP + "resets " + Values.time(resetsAt);
  }

  private static OptionalLong used(JsonNode limit) {
    OptionalLong used = number(limit, "used");
    OptionalLong most = number(limit, "limit");
    OptionalLong remaining = number(limit, "remaining");
    return used.isEmpty() && most.isPresent() && remaining.isPresent()
        ? OptionalLong.of(most.getAsLong() - remaining.getAsLong())
        : used;
  }

  private static OptionalLong number(JsonNode limit, String name) {
    JsonNode value = limit.path(name);
    return value.isIntegralNumber() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
  }

  private static int width(Iterable<String> texts) {
    int width = 0;
    for (String text : texts) {
      width = Math.max(width, Table.displayWidth(text));
    }
    return width;
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - Table.displayWidth(text));
  }
}
