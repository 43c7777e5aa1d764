package io.stockroom.console.explorer;

import io.stockroom.console.applications.VisibleApplications;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.WhileReadOnly;
import io.stockroom.core.access.ApplicationOverview;
import io.stockroom.core.access.StoredSecrets;
import io.stockroom.core.access.Tokens;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.check.Capture;
import io.stockroom.protocol.check.CapturedRequest;
import io.stockroom.protocol.check.Endpoint;
import io.stockroom.protocol.check.Known;
import io.stockroom.protocol.check.Report;
import io.stockroom.protocol.check.RequestCheck;
import io.stockroom.protocol.check.UnreadableCapture;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Explains what is wrong with a pasted request. Stores nothing. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT, Role.DEVELOPER})
public final class CheckPages {
  /**
   * How many other secrets are tried, in case the caller used the wrong one; each costs one
   * signature.
   */
  private static final int MAX_OTHERS = 50;

  private final VisibleApplications applications;
  private final StoredSecrets secrets;
  private final Tokens tokens;
  private final MerchantDirectory merchants;
  private final Clock clock;
  private final Duration window;

  public CheckPages(
      VisibleApplications applications,
      StoredSecrets secrets,
      Tokens tokens,
      MerchantDirectory merchants,
      Clock clock,
      Duration window) {
    this.applications = applications;
    this.secrets = secrets;
    this.tokens = tokens;
    this.merchants = merchants;
    this.clock = clock;
    this.window = window;
  }

  @GetMapping("/explorer/check")
  String show(@RequestAttribute ConsoleRequest visit, Model model) throws SQLException {
    return page(visit, "", "", model);
  }

  @PostMapping("/explorer/check")
  @WhileReadOnly
  String check(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String text,
      @RequestParam(defaultValue = "") String app,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    try {
      CapturedRequest request = Capture.read(text);
      model.addAttribute("request", request);
      model.addAttribute("report", report(visit, request, app));
      model.addAttribute("stopped", isStopped(visit, app.isEmpty() ? request.value("appid") : app));
    } catch (UnreadableCapture unreadable) {
      response.setStatus(422);
      model.addAttribute("unreadable", unreadable.text(visit.language()));
    }
    return page(visit, text, app, model);
  }

  private String page(ConsoleRequest visit, String text, String app, Model model)
      throws SQLException {
    model.addAttribute("applications", applications.to(visit));
    model.addAttribute("text", text);
    model.addAttribute("app", app);
    return "check";
  }

  /** If two secrets are valid, reports on the one that matches better. */
  private Report report(ConsoleRequest visit, CapturedRequest request, String app)
      throws SQLException {
    List<ApplicationOverview.Row> seen = applications.to(visit);
    String named = app.isEmpty() ? request.value("appid") : app;
    boolean known = seen.stream().anyMatch(row -> row.appid().equals(named));
    StoredSecrets.Secrets stored = known ? secrets.of(named) : null;
    Instant now = clock.instant();
    Known nothing =
        Known.nothing()
            .withClock(new Known.Clock(now, false, (int) window.toSeconds()))
            .withToken(token(visit, request.value("accesstoken")));
    if (stored == null) {
      return RequestCheck.check(request, nothing);
    }
    Known all =
        nothing
            .withAppid(named)
            .withSecret(stored.present())
            .withRequireHmac(
                stored.signing().requireHmac()
                    || (stored.signing().restrictMd5()
                        && Endpoint.at(request.path()).filter(Endpoint::isManagement).isPresent()))
            .withOthers(others(seen, named, stored));
    Report report = RequestCheck.check(request, all);
    Instant until = stored.formerUntil();
    if (stored.former() == null || until == null || !now.isBefore(until)) {
      return report;
    }
    Report former = RequestCheck.check(request, all.withSecret(stored.former()));
    return former.problems().size() < report.problems().size() ? former : report;
  }

  private boolean isStopped(ConsoleRequest visit, String appid) throws SQLException {
    return applications.to(visit).stream()
        .anyMatch(row -> row.appid().equals(appid) && row.isStopped());
  }

  private List<Known.OtherSecret> others(
      List<ApplicationOverview.Row> seen, String appid, StoredSecrets.Secrets stored)
      throws SQLException {
    List<Known.OtherSecret> others = new ArrayList<>();
    String former = stored.former();
    if (former != null) {
      others.add(new Known.OtherSecret(appid + " (" + stored.formerUntil() + ")", former));
    }
    for (ApplicationOverview.Row row : seen) {
      StoredSecrets.Secrets other =
          row.appid().equals(appid) || others.size() >= MAX_OTHERS ? null : secrets.of(row.appid());
      if (other != null) {
        others.add(new Known.OtherSecret(row.name() + " " + row.appid(), other.present()));
      }
    }
    return others;
  }

  /** Another merchant's token is reported as unknown. */
  private Known.@Nullable TokenFacts token(ConsoleRequest visit, String sent) throws SQLException {
    if (sent.isEmpty()) {
      return null;
    }
    Tokens.Token token = tokens.find(sent);
    boolean seen =
        token != null
            && (visit.person().is(Role.OPERATOR) || token.merchantId() == visit.merchantId());
    if (token == null || !seen) {
      return Known.TokenFacts.UNKNOWN;
    }
    Set<Scope> scopes =
        token.scopes().stream()
            .flatMap(word -> Scope.of(word).stream())
            .collect(Collectors.toSet());
    MerchantDirectory.Row merchant = merchants.row(token.merchantId());
    return new Known.TokenFacts(
        true,
        token.appid(),
        scopes,
        token.expiresAt(),
        token.revokedAt(),
        merchant != null && merchant.status().isSuspended()
            ? merchant.status().suspendedAt()
            : null);
  }
}
