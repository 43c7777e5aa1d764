package io.stockroom.console.account;

import io.stockroom.console.people.PasswordRules;
import io.stockroom.console.people.PasswordRules.Weakness;
import io.stockroom.console.people.People;
import io.stockroom.console.people.Person;
import io.stockroom.console.people.PersonPreferences;
import io.stockroom.console.people.PreferenceStore;
import io.stockroom.console.people.Sessions;
import io.stockroom.console.people.SignedIn;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.Cookies;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.Theme;
import io.stockroom.console.visit.WhileReadOnly;
import io.stockroom.core.admission.CallKind;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** A person's own account: preferences, password and sessions. */
@Controller
@Allow(beforeSecondFactor = true)
@WhileReadOnly(viewing = false)
public final class AccountPages {
  private final People people;
  private final Sessions sessions;
  private final Cookies cookies;
  private final PreferenceStore preferences;

  public AccountPages(
      People people, Sessions sessions, Cookies cookies, PreferenceStore preferences) {
    this.people = people;
    this.sessions = sessions;
    this.cookies = cookies;
    this.preferences = preferences;
  }

  @GetMapping("/account")
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable String changed,
      @RequestParam(required = false) @Nullable String saved,
      Model model)
      throws SQLException {
    model.addAttribute("changed", changed != null);
    model.addAttribute("saved", saved != null);
    return page(visit, null, model);
  }

  /**
   * Changes the password, or sets the first one after signing in with a link. Ends every other
   * session, because someone who knew the old password may be using one.
   */
  @LimitedAs(CallKind.SIGN_IN)
  @PostMapping("/account")
  String changePassword(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String former,
      @RequestParam(defaultValue = "") String password,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Person person = visit.person();
    Weakness weakness = PasswordRules.weakness(password, person.email(), person.merchantName());
    if (weakness != null) {
      response.setStatus(422);
      return page(visit, weakness.message(), model);
    }
    SignedIn signedIn =
        person.hasPassword()
            ? people.changePassword(person, former, password, visit.client())
            : people.chooseFirstPassword(person, password, visit.client());
    if (signedIn == null) {
      response.setStatus(422);
      return page(visit, "password.former.wrong", model);
    }
    cookies.signedIn(request, response, signedIn);
    return "redirect:/console/account?changed";
  }

  /**
   * @param zone the id of a time zone; empty for the server's
   */
  @PostMapping("/account/preferences")
  String prefer(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String language,
      @RequestParam(defaultValue = "") String theme,
      @RequestParam(defaultValue = "") String zone,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Language chosen = PersonPreferences.language(language);
    ZoneId place = zone.isEmpty() ? null : PersonPreferences.zone(zone);
    if (place == null && !zone.isEmpty()) {
      response.setStatus(422);
      model.addAttribute("wrongZone", zone);
      return page(visit, null, model);
    }
    Language spoken = chosen == null ? visit.language() : chosen;
    String painted = Theme.of(theme).word();
    preferences.set(visit.person().personId(), spoken, painted, place, visit.limitsZone());
    cookies.prefer(request, response, Cookies.LANGUAGE, spoken.tag());
    cookies.prefer(request, response, Cookies.THEME, painted);
    return "redirect:/console/account?saved";
  }

  private String page(ConsoleRequest visit, @Nullable String problem, Model model)
      throws SQLException {
    model.addAttribute("problem", problem);
    model.addAttribute("least", PasswordRules.MIN_CHARACTERS);
    model.addAttribute("zones", ZoneChoices.at(Instant.ofEpochMilli(visit.now())));
    model.addAttribute("sessions", sessions.of(visit.person().personId(), visit.session()));
    return "account";
  }
}
