package io.stockroom.cli;

import io.stockroom.core.audit.AuditArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "audit",
    description = "Show the audit log, verify that it is intact, and archive old entries.",
    footer = {
      "  stockroom audit list --merchant 1",
      "  stockroom audit verify",
      "  stockroom audit archive 2025.audit --before 2026-01-01"
    })
final class AuditCommands {
  /** A date. */
  static final class Day implements ITypeConverter<LocalDate> {
    @Override
    public LocalDate convert(String text) {
      try {
        return LocalDate.parse(text);
      } catch (DateTimeParseException e) {
        throw new TypeConversionException("'" + text + "' is not a date; write it as 2026-01-01");
      }
    }
  }

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
      footer = {
        "  stockroom audit verify",
        "  stockroom audit verify --archive 2024.audit --archive 2025.audit"
      })
  int verify(
      @Option(
              names = "--archive",
              paramLabel = "FILE",
              description =
                  "Check this archive, too; repeat for all of them, with the oldest first.")
          @Nullable List<Path> archives,
      @Mixin OperatorOptions operator) {
    ObjectNode answer = (ObjectNode) operator.connect(shell).work("/admin/audit/verify");
    if (archives != null && answer.path("intact").asBoolean(false)) {
      check(archives, answer);
    }
    boolean isIntact = answer.path("intact").asBoolean(false);
    Output output = operator.output(shell);
    output.show(
        () -> answer,
        () -> {
          output.field("intact", isIntact ? "yes" : "no");
          output.field("entries", answer.path("entries"));
          output.field("chains", answer.path("chains"));
          output.field("head", answer.path("head"));
          showArchived(answer, output);
        });
    if (isIntact) {
      return 0;
    }
    output.problem(broken(answer));
    return 1;
  }

  private static void showArchived(JsonNode answer, Output output) {
    long archived = ends(answer).stream().mapToLong(AuditArchive.End::number).sum();
    if (answer.has("archivedEntries")) {
      output.field("in archives", answer.path("archivedEntries"));
    } else if (archived > 0 && answer.path("intact").asBoolean(false)) {
      output.field("in archives", archived + ", not checked; pass the files with --archive");
    }
  }

  /** Checks the archives, and notes the result in the answer. */
  private static void check(List<Path> archives, ObjectNode answer) {
    try {
      answer.put("archivedEntries", AuditArchive.verify(archives, ends(answer)));
    } catch (AuditArchive.Broken broken) {
      answer.put("intact", false).put("msg", broken.getMessage());
    } catch (IOException unreadable) {
      throw CommandException.failed(
          "An archive cannot be read (%s: %s)."
              .formatted(unreadable.getClass().getSimpleName(), unreadable.getMessage()),
          unreadable);
    }
  }

  private static List<AuditArchive.End> ends(JsonNode answer) {
    return answer
        .path("archived")
        .valueStream()
        .map(
            end ->
                new AuditArchive.End(
                    end.path("merchantId").asInt(),
                    end.path("number").asLong(),
                    end.path("hash").asString()))
        .toList();
  }

  @Command(
      name = "archive",
      description = {
        "Move the entries before a date to a new file, and delete them from the database.",
        "Keep the file: verify checks it with the rest of the log. Entries that the log of changes"
            + " refers to and the last entry of each merchant stay.",
        "Works on the database itself, whether or not the server runs."
      },
      footer = {
        "  stockroom audit archive 2025.audit --before 2026-01-01",
        "  stockroom audit archive 2025.audit --before 2026-01-01 --data /var/lib/stockroom"
      })
  void archive(
      @Parameters(paramLabel = "FILE", description = "The file to write; it must not exist.")
          Path file,
      @Option(
              names = "--before",
              paramLabel = "DATE",
              required = true,
              converter = Day.class,
              description = "The first day whose entries stay, such as 2026-01-01 (UTC).")
          LocalDate before,
      @Mixin DatabaseOptions options) {
    ObjectNode result =
        new DatabaseOperations(options, shell)
            .archiveAudit(file, before.atStartOfDay(ZoneOffset.UTC).toInstant());
    Output output = new Output(shell, options.json);
    output.show(
        () -> result,
        () -> {
          if (result.path("entries").asLong() == 0) {
            output.line("There are no entries to archive.");
          } else {
            output.field("file", result.path("file"));
            output.field("entries", result.path("entries"));
          }
        });
  }

  private static String broken(JsonNode answer) {
    if (!answer.has("brokenNumber") && answer.has("head")) {
      return "The archives do not fit the audit log: " + Output.text(answer.path("msg"), "") + ".";
    }
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
