package io.stockroom.console.applications;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.access.Applications;
import io.stockroom.core.access.TokenLives;
import io.stockroom.core.access.Tokens;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.protocol.Scope;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Issues, replaces and revokes access tokens: operators for any merchant, other people for their
 * own.
 */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT, Role.DEVELOPER})
public final class TokenPages {
  private static final int UNPROCESSABLE = 422;

  private final VisibleApplications shown;
  private final Tokens tokens;
  private final TokenLives lives;
  private final Merchants merchants;
  private final Clock clock;

  public TokenPages(
      VisibleApplications shown,
      Tokens tokens,
      TokenLives lives,
      Merchants merchants,
      Clock clock) {
    this.shown = shown;
    this.tokens = tokens;
    this.lives = lives;
    this.merchants = merchants;
    this.clock = clock;
  }

  @GetMapping("/applications/{appid}/tokens/new")
  String form(@PathVariable String appid, @RequestAttribute ConsoleRequest visit, Model model)
      throws SQLException {
    return form(visit, running(visit, appid), TokenForm.fresh(), null, model);
  }

  private String form(
      ConsoleRequest visit,
      Applications.Application application,
      TokenForm form,
      @Nullable String problem,
      Model model)
      throws SQLException {
    boolean operator = visit.person().is(Role.OPERATOR);
    model.addAttribute("program", application);
    model.addAttribute("operator", operator);
    model.addAttribute("merchants", operator ? merchants.all() : List.of());
    model.addAttribute("form", form);
    model.addAttribute("allScopes", Scope.values());
    model.addAttribute("periods", TokenForm.periods());
    model.addAttribute("problem", problem);
    return "token-new";
  }

  @PostMapping("/applications/{appid}/tokens")
  String issue(
      @PathVariable String appid,
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(name = "scope", required = false) @Nullable List<String> scopes,
      @RequestParam(defaultValue = "") String store,
      @RequestParam(defaultValue = "") String expires,
      @RequestParam(defaultValue = "") String merchant,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Applications.Application application = running(visit, appid);
    TokenForm form = new TokenForm(scopes == null ? List.of() : scopes, store, expires, merchant);
    boolean operator = visit.person().is(Role.OPERATOR);
    int merchantId = operator ? form.merchantNumber() : visit.merchantId();
    String problem = form.problem();
    Merchants.Merchant owner = operator ? merchants.find(merchantId) : null;
    if (problem == null && operator && owner == null) {
      problem = "token.merchant.wrong";
    }
    if (problem == null && owner != null && owner.status().isClosed()) {
      problem = "token.merchant.closed";
    }
    if (problem != null) {
      response.setStatus(UNPROCESSABLE);
      return form(visit, application, form, problem, model);
    }
    String token =
        tokens.issue(
            appid,
            merchantId,
            form.keptStore(),
            form.grantedScopes(),
            form.expiresAt(clock.instant()),
            visit.actor());
    return shownOnce(application, token, "token.issued", model);
  }

  @GetMapping("/applications/{appid}/tokens/{merchantId}/{prefix}/{action:rotate|revoke}")
  String confirm(
      @PathVariable String appid,
      @PathVariable int merchantId,
      @PathVariable String prefix,
      @PathVariable String action,
      @RequestAttribute ConsoleRequest visit,
      Model model)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    refuseForeign(visit, merchantId);
    boolean known =
        tokens.all(merchantId, appid).stream().anyMatch(token -> token.prefix().equals(prefix));
    if (!known) {
      throw PageException.missing();
    }
    model.addAttribute("program", application);
    model.addAttribute("action", "token-" + action);
    model.addAttribute("subject", prefix + "…");
    model.addAttribute(
        "target",
        "/console/applications/%s/tokens/%d/%s/%s".formatted(appid, merchantId, prefix, action));
    model.addAttribute(
        "graces", action.equals("rotate") ? GracePeriod.values() : new GracePeriod[0]);
    return "confirm";
  }

  @PostMapping("/applications/{appid}/tokens/{merchantId}/{prefix}/rotate")
  String rotate(
      @PathVariable String appid,
      @PathVariable int merchantId,
      @PathVariable String prefix,
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String grace,
      Model model)
      throws SQLException {
    Applications.Application application = running(visit, appid);
    refuseForeign(visit, merchantId);
    Instant until = clock.instant().plus(GracePeriod.of(grace).period());
    String token = lives.rotate(merchantId, appid, prefix, until, visit.actor());
    return shownOnce(application, token, "token.rotated", model);
  }

  @PostMapping("/applications/{appid}/tokens/{merchantId}/{prefix}/revoke")
  String revoke(
      @PathVariable String appid,
      @PathVariable int merchantId,
      @PathVariable String prefix,
      @RequestAttribute ConsoleRequest visit)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    refuseForeign(visit, merchantId);
    if (!lives.revoke(merchantId, application.appid(), prefix, visit.actor())) {
      throw PageException.missing();
    }
    return "redirect:/console/applications/%s?done=token-revoked".formatted(appid);
  }

  /** The application, if this person may see it and it is active. */
  private Applications.Application running(ConsoleRequest visit, String appid) throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    if (application.isStopped()) {
      throw new PageException(409, "stopped");
    }
    return application;
  }

  private static void refuseForeign(ConsoleRequest visit, int merchantId) {
    if (!visit.person().is(Role.OPERATOR) && visit.merchantId() != merchantId) {
      throw PageException.missing();
    }
  }

  private static String shownOnce(
      Applications.Application application, @Nullable String token, String key, Model model) {
    if (token == null) {
      throw PageException.missing();
    }
    model.addAttribute("program", application);
    model.addAttribute("key", key);
    model.addAttribute("name", "accesstoken");
    model.addAttribute("value", token);
    return "shown-once";
  }
}
