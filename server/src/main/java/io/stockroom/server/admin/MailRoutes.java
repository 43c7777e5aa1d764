package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.console.mail.Mail;
import io.stockroom.console.mail.Mails;
import io.stockroom.console.mail.SendResult;
import io.stockroom.console.people.Email;
import io.stockroom.core.call.Answer;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** The route that tests the mail server. */
public final class MailRoutes {
  private final Mails mails;

  public MailRoutes(Mails mails) {
    this.mails = mails;
  }

  /** Sends a test mail at once and returns what the mail server answered. */
  Answer test(AdminRequest request) throws SQLException, IOException {
    String to = request.text(request.body(), "to", true);
    if (to != null && !Mail.isAddress(to)) {
      request.problems().add("to", ErrorCode.TEXT_FORMAT, to, List.of(Email.EXPECTED));
    }
    if (request.problems().any() || to == null) {
      return request.rejection();
    }
    SendResult result = mails.test(to, request.language(), request.actor());
    return AdminResponse.ok(
        fields("sent", result.sent(), "answer", result.answer(), "dialog", result.dialog()));
  }
}
