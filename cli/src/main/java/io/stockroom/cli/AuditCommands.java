package io.stockroom.cli;

import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.repeated;
import static io.stockroom.cli.CommandOption.required;

import io.stockroom.core.audit.AuditArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom audit}: the audit log. */
final class AuditCommands {
  private AuditCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "audit",
        "Show the audit log, verify that it is intact, and archive old entries.",
        List.of(
            "stockroom audit list --merchant 1",
            "stockroom audit verify",
            "stockroom audit archive 2025.audit --before 2026-01-01"),
        CommandDefinition.get("list", "/admin/audit")
            .does("List who changed what and when, newest first.")
            .examples("stockroom audit list", "stockroom audit list --merchant 1 --page 2 --json")
            .with(
                MerchantCommands.filter("Only entries of this merchant."),
                CommandOption.page("Page number (default: 1)."))
            .prints(AuditCommands::show),
        CommandDefinition.of("verify", AuditCommands::verify)
            .does(
                "Recompute the hash chains of the audit log. Fails if an entry was changed or"
                    + " removed.",
                "The head is a hash of the whole log. It changes only when entries are added.")
            .examples(
                "stockroom audit verify",
                "stockroom audit verify --archive 2024.audit --archive 2025.audit")
            .with(
                repeated(
                    "--archive",
                    "FILE",
                    "Check this archive, too; repeat for all of them, with the oldest first.")),
        archive());
  }

  private static int verify(Given given) {
    ObjectNode answer = (ObjectNode) given.api().work("/admin/audit/verify");
    List<Path> archives = given.list("--archive").stream().map(Path::of).toList();
    if (!archives.isEmpty() && answer.path("intact").asBoolean(false)) {
      check(archives, answer);
    }
    boolean isIntact = answer.path("intact").asBoolean(false);
    Output output = given.output();
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

  private static CommandDefinition archive() {
    DatabaseOptions database = new DatabaseOptions();
    return CommandDefinition.local("archive", given -> archive(database, given))
        .does(
            "Move the entries before a date to a new file, and delete them from the database.",
            "Keep the file: verify checks it with the rest of the log. Entries that the log of"
                + " changes refers to and the last entry of each merchant stay.",
            "Works on the database itself, whether or not the server runs.")
        .examples(
            "stockroom audit archive 2025.audit --before 2026-01-01",
            "stockroom audit archive 2025.audit --before 2026-01-01 --data /var/lib/stockroom")
        .with(
            argument("FILE", "The file to write; it must not exist."),
            required(
                    "--before",
                    "DATE",
                    "The first day whose entries stay, such as 2026-01-01 (UTC).")
                .as(LocalDate.class, Values::day))
        .mixin(database);
  }

  private static int archive(DatabaseOptions database, Given given) {
    LocalDate before = Values.day(given.text("--before"));
    ObjectNode result =
        new DatabaseOperations(database, given.shell())
            .archiveAudit(
                Path.of(given.text("FILE")), before.atStartOfDay(ZoneOffset.UTC).toInstant());
    Output output = given.output();
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
    return 0;
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

  private static void show(JsonNode answer, Given given) {
    JsonNode entries = answer.path("entries");
    Output output = given.output();
    if (!entries.isEmpty()) {
      output.table(
          Table.of(
              entries,
              Columns.of("MERCHANT", AuditCommands::merchant)
                  .and(
                      "NUMBER=number, AT=at, ACTOR=actor, ACTION=action, SUBJECT=subject,"
                          + " DETAILS=details, ADDRESS=address")));
    } else if (answer.path("totalPages").asLong(0) == 0) {
      output.line("The audit log is empty.");
      return;
    }
    String merchant = given.has("--merchant") ? " --merchant " + given.text("--merchant") : "";
    Values.concludePage(answer, "stockroom audit list" + merchant, output);
  }

  private static String merchant(JsonNode entry) {
    JsonNode merchantId = entry.path("merchantId");
    return merchantId.asLong(0) == 0 ? "-" : Output.text(merchantId, "-");
  }
}
