package io.stockroom.console.notifications;

import io.stockroom.console.mail.Mail;
import io.stockroom.console.mail.Mails;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.catalogue.LowProducts;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** What became low or sold out, and the daily digest of it. */
@Controller
@Allow(Role.MERCHANT)
public final class NotificationPages {
  private static final int MAX_PRODUCTS = 100;

  private final Notifications notifications;
  private final LowProducts low;
  private final Mails mails;

  public NotificationPages(Notifications notifications, LowProducts low, Mails mails) {
    this.notifications = notifications;
    this.low = low;
    this.mails = mails;
  }

  /** The form as submitted, shown again if it is invalid. */
  public record Form(boolean digest, int hour, String zone, Language language) {
    static Form of(DigestPreference preference) {
      return new Form(
          preference.isOn(), preference.hour(), preference.zone().getId(), preference.language());
    }
  }

  @GetMapping("/notifications")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable String saved,
      Model model)
      throws SQLException {
    model.addAttribute("saved", saved != null);
    DigestPreference standard =
        new DigestPreference(
            false, DigestPreference.STANDARD_HOUR, ZoneId.of(visit.zone()), visit.language());
    return page(visit, Form.of(notifications.of(visit.person(), standard)), model);
  }

  @PostMapping("/notifications")
  String save(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "false") boolean digest,
      @RequestParam(defaultValue = "8") int hour,
      @RequestParam(defaultValue = "") String zone,
      @RequestParam(defaultValue = "") String language,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Form form =
        new Form(
            digest,
            Math.clamp(hour, 0, DigestPreference.MAX_HOUR),
            zone.strip(),
            Language.choose(language, visit.language()));
    ZoneId known = zone(form.zone);
    if (known == null) {
      response.setStatus(422);
      model.addAttribute("problem", "notifications.zone.wrong");
      model.addAttribute("saved", false);
      return page(visit, form, model);
    }
    notifications.save(
        visit.person(),
        new DigestPreference(digest && mails.isOn(), form.hour, known, form.language),
        visit.actor());
    return "redirect:/console/notifications?saved";
  }

  private static @Nullable ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException unknown) {
      return null;
    }
  }

  /**
   * @param until the time of the page on which the person saw the products
   * @param next {@code overview} to return there
   */
  @PostMapping("/notifications/seen")
  String seen(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String until,
      @RequestParam(defaultValue = "") String next)
      throws SQLException {
    try {
      notifications.markSeen(visit.person(), Instant.parse(until));
    } catch (DateTimeException unreadable) {
      return "redirect:/console/notifications";
    }
    return "redirect:/console/" + (next.equals("overview") ? "overview" : "notifications");
  }

  private String page(ConsoleRequest visit, Form form, Model model) throws SQLException {
    low.refresh(visit.merchantId());
    model.addAttribute("form", form);
    model.addAttribute("unseen", notifications.unseen(visit.person(), MAX_PRODUCTS));
    model.addAttribute("mail", mails.isOn());
    model.addAttribute("reachable", Mail.isAddress(visit.person().email()));
    model.addAttribute(
        "hours", IntStream.rangeClosed(0, DigestPreference.MAX_HOUR).boxed().toList());
    model.addAttribute("zones", ZONES);
    return "notifications";
  }

  private static final List<String> ZONES =
      ZoneId.getAvailableZoneIds().stream()
          .filter(id -> id.matches("UTC|[A-Z][a-z]+/.*") && !id.startsWith("Etc/"))
          .sorted()
          .toList();
}
