package io.stockroom.console.applications;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.access.ApplicationOverview;
import io.stockroom.core.access.Applications;
import io.stockroom.core.access.Signing;
import io.stockroom.core.access.Tokens;
import io.stockroom.core.settings.Network;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Text;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The list of applications, the page of one application, and the operator's actions on it. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT, Role.DEVELOPER})
public final class ApplicationPages {
  private static final int NAME_CHARACTERS = 100;
  private static final int PAGE_SIZE = 100;
  private static final int UNPROCESSABLE = 422;

  private final VisibleApplications shown;
  private final Applications applications;
  private final Tokens tokens;
  private final Clock clock;

  public ApplicationPages(
      VisibleApplications shown, Applications applications, Tokens tokens, Clock clock) {
    this.shown = shown;
    this.applications = applications;
    this.tokens = tokens;
    this.clock = clock;
  }

  @GetMapping("/applications")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "1") int page,
      Model model)
      throws SQLException {
    return list(visit, page, "", null, model);
  }

  /** The newest applications first, so that one just created is on the first page. */
  private String list(
      ConsoleRequest visit, int page, String name, @Nullable String problem, Model model)
      throws SQLException {
    List<ApplicationOverview.Row> all = shown.to(visit).reversed();
    int pages = Math.max(1, Math.ceilDiv(all.size(), PAGE_SIZE));
    int number = Math.clamp(page, 1, pages);
    model.addAttribute(
        "applications",
        all.subList((number - 1) * PAGE_SIZE, Math.min(number * PAGE_SIZE, all.size())));
    model.addAttribute("page", number);
    model.addAttribute("pages", pages);
    model.addAttribute("operator", visit.person().is(Role.OPERATOR));
    model.addAttribute("name", name);
    model.addAttribute("problem", problem);
    return "applications";
  }

  @PostMapping("/applications")
  @Allow(Role.OPERATOR)
  String create(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String name,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    String kept;
    try {
      kept = Text.name(name, NAME_CHARACTERS);
    } catch (InvalidValue _) {
      response.setStatus(UNPROCESSABLE);
      return list(visit, 1, name, "applications.name.wrong", model);
    }
    return secret(applications.create(kept, true, visit.actor()), "applications.created", model);
  }

  @GetMapping("/applications/{appid}")
  String show(
      @PathVariable String appid,
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable String done,
      Model model)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    return show(visit, application, done, null, addresses(application), model);
  }

  private String show(
      ConsoleRequest visit,
      Applications.Application application,
      @Nullable String done,
      @Nullable String problem,
      String addresses,
      Model model)
      throws SQLException {
    boolean operator = visit.person().is(Role.OPERATOR);
    @Nullable Integer merchantId = operator ? null : visit.merchantId();
    Instant now = clock.instant();
    List<TokenRow> rows =
        tokens.all(merchantId, application.appid()).stream()
            .map(token -> TokenRow.of(token, now))
            .toList();
    model.addAttribute("program", application);
    model.addAttribute("operator", operator);
    model.addAttribute("working", rows.stream().filter(TokenRow::works).toList());
    model.addAttribute("ended", rows.stream().filter(row -> !row.works()).toList().reversed());
    model.addAttribute("done", done != null && FlashMessage.isKnown(done) ? done : null);
    model.addAttribute("problem", problem);
    model.addAttribute("addresses", addresses);
    return "application";
  }

  private static String addresses(Applications.Application application) {
    return String.join("\n", application.addresses());
  }

  @PostMapping("/applications/{appid}")
  @Allow(Role.OPERATOR)
  String change(
      @PathVariable String appid,
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(name = "require-hmac", defaultValue = "false") boolean requireHmac,
      @RequestParam(name = "restrict-md5", defaultValue = "false") boolean restrictMd5,
      @RequestParam(name = "require-nonce", defaultValue = "false") boolean requireNonce,
      @RequestParam(name = "addresses", defaultValue = "") String addresses,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    List<String> networks = new ArrayList<>();
    try {
      addresses
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .forEach(line -> networks.add(Network.parse(line).toString()));
    } catch (IllegalArgumentException _) {
      response.setStatus(UNPROCESSABLE);
      return show(visit, application, null, "application.addresses.wrong", addresses, model);
    }
    applications.change(
        appid, new Signing.Change(requireHmac, requireNonce, restrictMd5), networks, visit.actor());
    return "redirect:/console/applications/%s?done=changed".formatted(appid);
  }

  @PostMapping("/applications/{appid}/name")
  @Allow(Role.OPERATOR)
  String rename(
      @PathVariable String appid,
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String name,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    try {
      applications.rename(appid, Text.name(name, NAME_CHARACTERS), visit.actor());
    } catch (InvalidValue _) {
      response.setStatus(UNPROCESSABLE);
      model.addAttribute("wrongName", name);
      return show(visit, application, null, null, addresses(application), model);
    }
    return "redirect:/console/applications/%s?done=renamed".formatted(appid);
  }

  @GetMapping("/applications/{appid}/{action:rotate|end-former|stop|resume}")
  @Allow(Role.OPERATOR)
  String confirm(
      @PathVariable String appid,
      @PathVariable String action,
      @RequestAttribute ConsoleRequest visit,
      Model model)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    model.addAttribute("program", application);
    model.addAttribute("action", action);
    model.addAttribute("subject", application.name());
    model.addAttribute("target", "/console/applications/" + appid + "/" + action);
    model.addAttribute(
        "graces", action.equals("rotate") ? GracePeriod.values() : new GracePeriod[0]);
    return "confirm";
  }

  @PostMapping("/applications/{appid}/rotate")
  @Allow(Role.OPERATOR)
  String rotate(
      @PathVariable String appid,
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String grace,
      Model model)
      throws SQLException {
    Instant until = clock.instant().plus(GracePeriod.of(grace).period());
    Applications.WithSecret rotated = applications.rotate(appid, until, visit.actor());
    if (rotated == null) {
      throw PageException.missing();
    }
    return secret(rotated, "applications.rotated", model);
  }

  @PostMapping("/applications/{appid}/end-former")
  @Allow(Role.OPERATOR)
  String endFormer(@PathVariable String appid, @RequestAttribute ConsoleRequest visit)
      throws SQLException {
    if (applications.endFormerSecret(appid, visit.actor()) == null) {
      throw PageException.missing();
    }
    return "redirect:/console/applications/%s?done=former-ended".formatted(appid);
  }

  @PostMapping("/applications/{appid}/stop")
  @Allow(Role.OPERATOR)
  String stop(@PathVariable String appid, @RequestAttribute ConsoleRequest visit)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    applications.setStopped(application.appid(), true, visit.actor());
    return "redirect:/console/applications/%s?done=stopped".formatted(appid);
  }

  @PostMapping("/applications/{appid}/resume")
  @Allow(Role.OPERATOR)
  String resume(@PathVariable String appid, @RequestAttribute ConsoleRequest visit)
      throws SQLException {
    Applications.Application application = shown.find(visit, appid);
    applications.setStopped(application.appid(), false, visit.actor());
    return "redirect:/console/applications/%s?done=resumed".formatted(appid);
  }

  /**
   * The only page that shows a secret: the direct response to creating it. The secret is not stored
   * in plain text.
   */
  private static String secret(Applications.WithSecret made, String key, Model model) {
    model.addAttribute("program", made.application());
    model.addAttribute("key", key);
    model.addAttribute("name", "secret");
    model.addAttribute("value", made.secret());
    return "shown-once";
  }
}
