package io.stockroom.console.account;

import io.stockroom.console.people.Email;
import io.stockroom.console.people.Links;
import io.stockroom.console.people.MailedLinks;
import io.stockroom.console.visit.Anyone;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Mails a link to people who forgot their password, if a mail server is configured. */
@Controller
@Anyone
public final class ForgottenPasswordPages {
  private static final int SECONDS = 60;

  private final MailedLinks mailed;

  public ForgottenPasswordPages(MailedLinks mailed) {
    this.mailed = mailed;
  }

  @GetMapping("/sign-in/forgotten")
  String show(@RequestParam(required = false) @Nullable String sent, Model model) {
    requireMail();
    model.addAttribute("sent", sent != null);
    model.addAttribute("life", Links.Purpose.RESET.life().toMinutes());
    return "forgotten-password";
  }

  @PostMapping("/sign-in/forgotten")
  String request(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String email,
      HttpServletResponse response,
      Model model) {
    requireMail();
    String address = Email.of(email);
    int wait = address == null ? 0 : mailed.requestReset(address, visit.language(), visit.client());
    if (address != null && wait == 0) {
      return "redirect:/console/sign-in/forgotten?sent";
    }
    response.setStatus(address == null ? 422 : 429);
    if (wait > 0) {
      response.setHeader("Retry-After", Integer.toString(wait));
    }
    model.addAttribute("problem", address == null ? "link.email.wrong" : "forgotten.wait");
    model.addAttribute("minutes", (wait + SECONDS - 1) / SECONDS);
    model.addAttribute("email", email);
    return show(null, model);
  }

  private void requireMail() {
    if (!mailed.isOn()) {
      throw PageException.missing();
    }
  }
}
