package io.stockroom.console.operator;

import io.stockroom.console.mail.Mail;
import io.stockroom.console.mail.Mails;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.admission.CallKind;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The mail server, a test of it, and what became of the latest mails. */
@Controller
@Allow(Role.OPERATOR)
public final class MailPages {
  private static final int MAX_MAILS = 100;

  private final Mails mails;

  public MailPages(Mails mails) {
    this.mails = mails;
  }

  @GetMapping("/mail")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable String retried,
      Model model)
      throws SQLException {
    model.addAttribute("retried", retried != null);
    return page(visit.person().email(), model);
  }

  @LimitedAs(CallKind.SEND)
  @PostMapping("/mail/test")
  String test(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String to,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    String recipient = to.strip();
    if (Mail.isAddress(recipient)) {
      model.addAttribute("result", mails.test(recipient, visit.language(), visit.actor()));
    } else {
      response.setStatus(422);
      model.addAttribute("problem", "link.email.wrong");
    }
    model.addAttribute("retried", false);
    return page(recipient, model);
  }

  @PostMapping("/mail/{id}/retry")
  String retry(@PathVariable String id) throws SQLException {
    try {
      if (mails.retry(UUID.fromString(id))) {
        return "redirect:/console/mail?retried";
      }
    } catch (IllegalArgumentException malformed) {
      // treated like a missing mail
    }
    throw PageException.missing();
  }

  private String page(String to, Model model) throws SQLException {
    model.addAttribute("server", mails.server());
    model.addAttribute("to", to);
    model.addAttribute("mails", mails.latest(MAX_MAILS));
    return "mail";
  }
}
