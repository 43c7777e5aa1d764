package io.stockroom.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "audit",
    description = "Show the audit log and verify that it is intact.",
    footer = {"  stockroom audit list --merchant 1", "  stockroom audit verify"})
final class AuditCommands {
  private final Shell shell;

  AuditCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List who changed what and when, newest first.",
      footer = {"  stockroom audit list", "  stockroom audit list --merchant 1 --page 2 --json"})
  void list(
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Only entries of this merchant.")
          @Nullable MerchantId merchant,
      @Option(
              names = "--page",
              paramLabel = "N",
              defaultValue = "1",
              converter = PageNumber.Converter.class,
              description = "Page number (default: 1).")
          PageNumber page,
      @Mixin OperatorOptions operator) {
    String filter = merchant == null ? "" : "merchant=" + merchant + "&";
    JsonNode answer = operator.connect(shell).get("/admin/audit?" + filter + "page=" + page);
    String command = "stockroom audit list" + (merchant == null ? "" : " --merchant " + merchant);
    Output output = operator.output(shell);
    output.show(() -> answer, () -> show(answer, command, output));
  }

  @Command(
      name = "verify",
      description = {
        "Recompute the hash chains of the audit log. Fails if an entry was changed or removed.",
        "The head is a hash of the whole log. It changes only when entries are added."
      },
      footer = {"  stockroom audit verify", "  stockroom audit verify --json"})
  int verify(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).work("/admin/audit/verify");
    boolean isIntact = answer.path("intact").asBoolean(false);
    Output output = operator.output(shell);
    output.show(
        () -> answer,
        () -> {
          output.field("intact", isIntact ? "yes" : "no");
          output.field("entries", answer.path("entries"));
          output.field("chains", answer.path("chains"));
          output.field("head", answer.path("head"));
        });
    if (isIntact) {
      return 0;
    }
    output.problem(broken(answer));
    return 1;
  }

  private static String broken(JsonNode answer) {
    long merchantId = answer.path("brokenMerchantId").asLong(0);
    String reason = Output.text(answer.path("msg"), "");
    return "The audit log is not intact at entry %s of %s%s"
        .formatted(
            Output.text(answer.path("brokenNumber"), "?"),
            merchantId == 0 ? "the operator" : "merchant " + merchantId,
            reason.isBlank() ? "." : ": " + reason);
  }

  private static void show(JsonNode answer, String command, Output output) {
    JsonNode entries = answer.path("entries");
    Table table =
        new Table("MERCHANT", "NUMBER", "AT", "ACTOR", "ACTION", "SUBJECT", "DETAILS", "ADDRESS");
    for (JsonNode entry : entries) {
      JsonNode merchantId = entry.path("merchantId");
      table.cells(
          merchantId.asLong(0) == 0 ? "-" : Output.text(merchantId, "-"),
          Output.text(entry.path("number"), "-"),
          Output.text(entry.path("at"), "-"),
          Output.text(entry.path("actor"), "-"),
          Output.text(entry.path("action"), "-"),
          Output.text(entry.path("subject"), "-"),
          Output.text(entry.path("details"), "-"),
          Output.text(entry.path("address"), "-"));
    }
    if (!table.isEmpty()) {
      output.table(table);
    } else if (answer.path("totalPages").asLong(0) == 0) {
      output.line("The audit log is empty.");
      return;
    }
    PageNumber.conclude(answer, command, output);
  }
}
