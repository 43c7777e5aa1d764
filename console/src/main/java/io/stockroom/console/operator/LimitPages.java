package io.stockroom.console.operator;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.LimitHistory;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Shows and sets the limits of all merchants, and sets those of one merchant. */
@Controller
@Allow(Role.OPERATOR)
public final class LimitPages {
  private static final int MAX_SHOWN = 500;

  private final MerchantDetails details;
  private final Merchants merchants;
  private final MerchantDirectory directory;
  private final DefaultLimits defaults;
  private final LimitHistory history;
  private final Settings settings;

  public LimitPages(
      MerchantDetails details,
      Merchants merchants,
      MerchantDirectory directory,
      DefaultLimits defaults,
      LimitHistory history,
      Settings settings) {
    this.details = details;
    this.merchants = merchants;
    this.directory = directory;
    this.defaults = defaults;
    this.history = history;
    this.settings = settings;
  }

  /**
   * @param saved the limit that was just set
   */
  @GetMapping("/limits")
  String show(@RequestParam(defaultValue = "") String saved, Model model) throws SQLException {
    model.addAttribute("saved", isLimit(saved) ? saved : "");
    return page(model);
  }

  private String page(Model model) throws SQLException {
    List<MerchantDirectory.OwnLimit> own = directory.ownLimits(MAX_SHOWN + 1);
    List<DefaultLimits.Effective> limits = defaults.effective(Map.of());
    model.addAttribute("limits", limits);
    model.addAttribute(
        "common",
        limits.stream()
            .collect(
                Collectors.toMap(
                    limit -> limit.setting().name(), DefaultLimits.Effective::common)));
    model.addAttribute(
        "sources",
        limits.stream()
            .collect(
                Collectors.toMap(
                    limit -> limit.setting().name(),
                    limit -> settings.origin(limit.setting()).source())));
    model.addAttribute("own", own.subList(0, Math.min(own.size(), MAX_SHOWN)));
    model.addAttribute("most", own.size() > MAX_SHOWN ? MAX_SHOWN : null);
    model.addAttribute("history", history.of(Audit.SERVER));
    return "limits";
  }

  /**
   * Sets one limit of all merchants.
   *
   * @param clear removes the value, so that the setting applies
   */
  @PostMapping("/limits")
  String setDefault(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String limit,
      @RequestParam(defaultValue = "") String value,
      @RequestParam(defaultValue = "false") boolean clear,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    if (isWrong(visit, limit, clear ? null : value, response, model)) {
      return page(model);
    }
    defaults.change(change(limit, clear ? null : value), visit.actor());
    return "redirect:/console/limits?saved=" + limit;
  }

  /**
   * Sets one limit of the merchant.
   *
   * @param clear removes the merchant's own value, so that the default applies
   */
  @PostMapping("/merchants/{id}/limits")
  String setOfMerchant(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String limit,
      @RequestParam(defaultValue = "") String value,
      @RequestParam(defaultValue = "false") boolean clear,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Merchants.Merchant merchant = details.open(id);
    if (isWrong(visit, limit, clear ? null : value, response, model)) {
      return details.page(visit, merchant, model);
    }
    merchants.change(id, change(limit, clear ? null : value), visit.actor());
    return "redirect:/console/merchants/" + id + "?saved=" + limit;
  }

  static boolean isLimit(String name) {
    return Limits.problem(name, null) == null;
  }

  private static Map<String, @Nullable String> change(String limit, @Nullable String text) {
    return Collections.singletonMap(limit, text == null ? null : Limits.stored(limit, text));
  }

  /** Keeps what was typed, and shows the reason beside the field. */
  private static boolean isWrong(
      ConsoleRequest visit,
      String limit,
      @Nullable String text,
      HttpServletResponse response,
      Model model) {
    Problem problem = Limits.problem(limit, text);
    if (problem == null) {
      return false;
    }
    response.setStatus(422);
    model.addAttribute("wrong", limit);
    model.addAttribute("problem", problem.message(visit.language()));
    model.addAttribute("value", text);
    return true;
  }
}
