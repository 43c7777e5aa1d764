package io.stockroom.console.mail;

import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of a mail, for operators.
 *
 * @param state {@code waiting}, {@code sent} or {@code failed}
 * @param nextAttemptAt null unless it waits
 * @param answer what the mail server answered last
 */
public record MailStatus(
    UUID id,
    String kind,
    String recipient,
    String subject,
    String state,
    int attempts,
    Instant createdAt,
    @Nullable Instant nextAttemptAt,
    String answer) {
  static MailStatus read(ResultSet row) throws SQLException {
    return new MailStatus(
        row.getObject("mail_id", UUID.class),
        row.getString("kind"),
        row.getString("recipient"),
        row.getString("subject"),
        row.getString("state"),
        row.getInt("attempts"),
        Sql.instant(row, "created_at"),
        Sql.instantOrNull(row, "next_attempt_at"),
        row.getString("answer"));
  }

  /** The CSS class of its tag. */
  public String look() {
    return switch (state) {
      case "sent" -> "good";
      case "failed" -> "bad";
      default -> attempts > 0 ? "warn" : "";
    };
  }
}
