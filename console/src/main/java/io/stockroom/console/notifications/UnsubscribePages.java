package io.stockroom.console.notifications;

import io.stockroom.console.visit.Anyone;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;

/** Ends the daily digest without signing in; mail programs may post the form (RFC 8058). */
@Controller
public final class UnsubscribePages {
  private final Notifications notifications;

  public UnsubscribePages(Notifications notifications) {
    this.notifications = notifications;
  }

  @GetMapping("/unsubscribe/{id}")
  @Anyone
  String ask(@PathVariable String id, Model model) throws SQLException {
    return page(id, false, model);
  }

  @PostMapping("/unsubscribe/{id}")
  @Anyone(formToken = false, otherSites = true)
  String unsubscribe(@RequestAttribute ConsoleRequest visit, @PathVariable String id, Model model)
      throws SQLException {
    String page = page(id, true, model);
    notifications.unsubscribe(UUID.fromString(id), visit.client().address());
    return page;
  }

  private String page(String id, boolean done, Model model) throws SQLException {
    String email = subscriber(id);
    model.addAttribute("email", email);
    model.addAttribute("done", done);
    return "unsubscribe";
  }

  private String subscriber(String id) throws SQLException {
    String email = null;
    try {
      email = notifications.subscriber(UUID.fromString(id));
    } catch (IllegalArgumentException malformed) {
      // treated like an unknown link
    }
    if (email == null) {
      throw PageException.missing();
    }
    return email;
  }
}
