package io.stockroom.console.operator;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.merchants.MerchantLifecycle;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.moves.MerchantRemovals;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.request.Problems;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.Locale;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Renames, suspends, resumes and closes a merchant, and removes the data of a closed one. */
@Controller
@Allow(Role.OPERATOR)
public final class MerchantStatusPages {
  private final MerchantDetails details;
  private final MerchantLifecycle lifecycle;
  private final MerchantRemovals removals;
  private final MessageSource messages;

  public MerchantStatusPages(
      MerchantDetails details,
      MerchantLifecycle lifecycle,
      MerchantRemovals removals,
      MessageSource messages) {
    this.details = details;
    this.lifecycle = lifecycle;
    this.removals = removals;
    this.messages = messages;
  }

  @PostMapping("/merchants/{id}/name")
  String rename(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String name,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Merchants.Merchant merchant = details.open(id);
    Problems problems = new Problems();
    String kept = problems.check("name", () -> Text.name(name, Merchants.NAME_CHARACTERS));
    if (kept == null) {
      String reason = problems.list().getFirst().message(visit.language());
      return wrong(visit, merchant, "name", name, reason, response, model);
    }
    lifecycle.rename(merchant, kept, visit.actor());
    return done(id, "renamed");
  }

  @PostMapping("/merchants/{id}/suspend")
  String suspend(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String reason,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Merchants.Merchant merchant = details.open(id);
    Problems problems = new Problems();
    String kept =
        problems.check("reason", () -> Text.name(reason, MerchantLifecycle.REASON_CHARACTERS));
    if (kept == null) {
      String why = problems.list().getFirst().message(visit.language());
      return wrong(visit, merchant, "reason", reason, why, response, model);
    }
    lifecycle.suspend(merchant, kept, visit.actor());
    return done(id, "suspended");
  }

  @PostMapping("/merchants/{id}/resume")
  String resume(@RequestAttribute ConsoleRequest visit, @PathVariable int id) throws SQLException {
    lifecycle.resume(details.open(id), visit.actor());
    return done(id, "resumed");
  }

  /**
   * @param confirm the short name of the store, because closing is final
   */
  @PostMapping("/merchants/{id}/close")
  String close(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String confirm,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Merchants.Merchant merchant = details.open(id);
    if (!confirm.strip().equals(merchant.storeUrl())) {
      return unconfirmed(visit, merchant, confirm, response, model);
    }
    lifecycle.close(merchant, visit.actor());
    return done(id, "closed");
  }

  /**
   * @param confirm the short name of the store, because the data cannot be restored
   */
  @PostMapping("/merchants/{id}/remove")
  String remove(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String confirm,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Merchants.Merchant merchant = details.find(id);
    if (!merchant.status().isClosed()) {
      throw new PageException(409, "not-closed", merchant.name());
    }
    if (!confirm.strip().equals(merchant.storeUrl())) {
      return unconfirmed(visit, merchant, confirm, response, model);
    }
    removals.request(merchant, visit.actor());
    return "redirect:/console/merchants/" + id;
  }

  private String unconfirmed(
      ConsoleRequest visit,
      Merchants.Merchant merchant,
      String typed,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    String why =
        messages.getMessage(
            "merchant.close.wrong",
            new Object[] {merchant.storeUrl()},
            Locale.of(visit.language().tag()));
    return wrong(visit, merchant, "confirm", typed, why, response, model);
  }

  private String wrong(
      ConsoleRequest visit,
      Merchants.Merchant merchant,
      String field,
      String typed,
      String problem,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    response.setStatus(422);
    model.addAttribute("wrong", field);
    model.addAttribute("value", typed);
    model.addAttribute("problem", problem);
    return details.page(visit, merchant, model);
  }

  private static String done(int id, String what) {
    return "redirect:/console/merchants/%d?done=%s".formatted(id, what);
  }
}
