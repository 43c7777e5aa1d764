package io.stockroom.console.operator;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.AuditCheck;
import io.stockroom.core.audit.AuditSearch;
import io.stockroom.core.merchants.MerchantDirectory;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The audit log, and the check of its integrity. */
@Controller
@Allow(Role.OPERATOR)
public final class AuditPages {
  /** The actions in the filter. Rows with other actions are listed, too. */
  static final List<String> ACTIONS =
      List.of(
          "merchant.create",
          "merchant.limits",
          "cell.add",
          "cell.update",
          "cell.remove",
          "cell.drain",
          "cell.activate",
          "merchant.move",
          "merchant.move-cancel",
          "merchant.rename",
          "merchant.suspend",
          "merchant.resume",
          "merchant.close",
          "merchant.remove",
          "merchant.view",
          "merchant.view-end",
          "limits.change",
          "person.add",
          "person.link",
          "person.password",
          "person.sign-out",
          "person.remove",
          "person.sign-in",
          "person.sign-in-failed",
          "person.second-factor-on",
          "person.second-factor-off",
          "person.second-factor-reset",
          "person.recovery-codes",
          "person.notifications",
          "mail.test",
          "operator-key.wrong",
          "application.create",
          "application.change",
          "application.rename",
          "application.rotate",
          "application.stop",
          "application.resume",
          "application.end-former",
          "token.issue",
          "token.rotate",
          "token.revoke",
          "token.review",
          "product.create",
          "product.edit",
          "product.save",
          "product.picture",
          "product.archive",
          "product.restore",
          "products.import",
          "products.undo",
          "products.export",
          "stock.create",
          "stock.adjust",
          "stock.remove",
          "stock.edit",
          "stock.bulk",
          "stock.undo",
          "stock.threshold",
          "publish.report",
          "webhook.create",
          "webhook.update",
          "webhook.delete",
          "webhook.rotate",
          "webhook.enable",
          "webhook.disable",
          "webhook.replay",
          "webhook.test",
          "key.rotate",
          "audit.verify",
          "audit.archive",
          "server.backup",
          "pictures.move",
          "marketplace.generate");

  private static final Pattern KEY = Pattern.compile("([0-9]{1,9})-([0-9]{1,18})");

  private final AuditSearch search;
  private final AuditCheck check;
  private final MerchantDirectory merchants;

  public AuditPages(AuditSearch search, AuditCheck check, MerchantDirectory merchants) {
    this.search = search;
    this.check = check;
    this.merchants = merchants;
  }

  /** The filters as submitted. */
  public record Filters(String merchant, String actor, String action, String from, String until) {
    public boolean any() {
      return !(merchant + actor + action + from + until).isBlank();
    }
  }

  /**
   * Operators see everything, a merchant's people the log of their merchant.
   *
   * @param merchant 0 for the server's own chain
   * @param from first day
   * @param until last day, inclusive
   * @param after the page starts after this row: its chain and its number
   */
  @GetMapping("/audit")
  @Allow({Role.OPERATOR, Role.MERCHANT})
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String merchant,
      @RequestParam(defaultValue = "") String actor,
      @RequestParam(defaultValue = "") String action,
      @RequestParam(defaultValue = "") String from,
      @RequestParam(defaultValue = "") String until,
      @RequestParam(defaultValue = "") String after,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    response.setHeader("Vary", "HX-Request");
    boolean operator = visit.person().is(Role.OPERATOR);
    Integer merchantId = operator ? named(merchant) : Integer.valueOf(visit.merchantId());
    ZoneId zone = visit.zoneId();
    AuditSearch.Found found =
        search.find(
            new AuditSearch.Wanted(
                merchantId,
                actor.strip(),
                action,
                day(from, 0, zone),
                day(until, 1, zone),
                key(after)));
    model.addAttribute("words", new AuditWords(visit.language()));
    model.addAttribute("operator", operator);
    model.addAttribute("found", found);
    model.addAttribute("names", names(found, merchantId));
    model.addAttribute("merchantId", merchantId);
    model.addAttribute("unknown", merchantId == null && !merchant.isBlank());
    model.addAttribute("filters", new Filters(merchant, actor.strip(), action, from, until));
    model.addAttribute("actions", ACTIONS);
    model.addAttribute("first", after.isEmpty());
    model.addAttribute("status", check.status());
    return "audit";
  }

  private @Nullable Integer named(String merchant) throws SQLException {
    return merchant.strip().equals("0") ? Integer.valueOf(Audit.SERVER) : merchants.find(merchant);
  }

  private Map<Integer, String> names(AuditSearch.Found found, @Nullable Integer merchantId)
      throws SQLException {
    TreeSet<Integer> merchantIds =
        found.entries().stream()
            .map(Audit.Entry::merchantId)
            .collect(Collectors.toCollection(TreeSet::new));
    if (merchantId != null) {
      merchantIds.add(merchantId);
    }
    return merchants.names(merchantIds);
  }

  /** Starts the integrity check of the whole audit log; the page polls its progress. */
  @PostMapping("/audit/verify")
  String verify(@RequestAttribute ConsoleRequest visit, Model model) throws SQLException {
    check.begin(visit.actor());
    model.addAttribute("words", new AuditWords(visit.language()));
    model.addAttribute("status", check.status());
    return visit.isPiece() ? "audit :: check" : "redirect:/console/audit";
  }

  @GetMapping("/audit/verify")
  String progress(@RequestAttribute ConsoleRequest visit, Model model) throws SQLException {
    model.addAttribute("words", new AuditWords(visit.language()));
    model.addAttribute("status", check.status());
    return "audit :: check";
  }

  /** The start of the day, plus {@code daysLater}; null if the text is not a date. */
  private static @Nullable Instant day(String text, int later, ZoneId zone) {
    try {
      return text.isBlank()
          ? null
          : LocalDate.parse(text.strip()).plusDays(later).atStartOfDay(zone).toInstant();
    } catch (DateTimeParseException noDay) {
      return null;
    }
  }

  private static AuditSearch.@Nullable Key key(String text) {
    Matcher matcher = KEY.matcher(text);
    return matcher.matches()
        ? new AuditSearch.Key(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)))
        : null;
  }
}
