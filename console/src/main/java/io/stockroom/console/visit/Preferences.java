package io.stockroom.console.visit;

import io.stockroom.console.people.PersonPreferences;
import io.stockroom.console.people.PreferenceStore;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Switches language and theme. The account stores them, and a cookie keeps them for pages that
 * people see before they sign in.
 */
@Controller
@Anyone
public final class Preferences {
  private final Cookies cookies;
  private final PreferenceStore store;

  public Preferences(Cookies cookies, PreferenceStore store) {
    this.cookies = cookies;
    this.store = store;
  }

  @PostMapping("/preferences")
  String set(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable String language,
      @RequestParam(required = false) @Nullable String theme,
      @RequestParam(defaultValue = "") String next,
      HttpServletRequest request,
      HttpServletResponse response)
      throws SQLException {
    Language chosen = PersonPreferences.language(language);
    String painted = theme == null ? null : Theme.of(theme).word();
    if (visit.isSignedIn()) {
      store.change(visit.person().personId(), chosen, painted);
    }
    if (chosen != null) {
      cookies.prefer(request, response, Cookies.LANGUAGE, chosen.tag());
    }
    if (painted != null) {
      cookies.prefer(request, response, Cookies.THEME, painted);
    }
    return "redirect:" + ReturnPath.of(next, "/console");
  }
}
