package io.stockroom.console.account;

import io.stockroom.console.people.CodeRequired;
import io.stockroom.console.people.MailedLinks;
import io.stockroom.console.people.MerchantViews;
import io.stockroom.console.people.Sessions;
import io.stockroom.console.people.SignIn;
import io.stockroom.console.people.SignedIn;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.Anyone;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.Cookies;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.Navigation;
import io.stockroom.console.visit.ReturnPath;
import io.stockroom.core.admission.CallKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Sign-in with email address, password and an optional code; sign-out. */
@Controller
public final class SignInPages {
  private static final int SECONDS = 60;

  private final SignIn signIn;
  private final Sessions sessions;
  private final MerchantViews views;
  private final Cookies cookies;
  private final MailedLinks mailed;

  public SignInPages(
      SignIn signIn, Sessions sessions, MerchantViews views, Cookies cookies, MailedLinks mailed) {
    this.signIn = signIn;
    this.sessions = sessions;
    this.views = views;
    this.cookies = cookies;
    this.mailed = mailed;
  }

  /** Redirects to the person's home page. */
  @GetMapping({"", "/"})
  @Allow
  String home(@RequestAttribute ConsoleRequest visit) {
    return "redirect:" + Navigation.home(visit.person());
  }

  @GetMapping("/sign-in")
  @Anyone
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String next,
      @RequestParam(required = false) @Nullable String ended,
      Model model) {
    if (visit.isSignedIn()) {
      return "redirect:" + ReturnPath.of(next, Navigation.home(visit.person()));
    }
    model.addAttribute("next", next);
    model.addAttribute("ended", ended != null);
    model.addAttribute("mail", mailed.isOn());
    return "sign-in";
  }

  /**
   * Returns a page for a form, and a short text for the sign-in dialog of a page whose session has
   * ended.
   */
  @LimitedAs(CallKind.SIGN_IN)
  @PostMapping("/sign-in")
  @Anyone(formToken = false)
  @Nullable String signIn(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String email,
      @RequestParam(defaultValue = "") String password,
      @RequestParam(defaultValue = "") String next,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    model.addAttribute("email", email);
    return answer(
        signIn.attempt(email, password, visit.client()),
        new Form("sign-in", "sign-in.wrong", "sign-in.wait", next),
        visit,
        request,
        response,
        model);
  }

  /** The second step, for people with a second factor. */
  @GetMapping("/sign-in/code")
  @Anyone
  String askForCode(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String next,
      HttpServletRequest request,
      Model model)
      throws SQLException {
    if (visit.isSignedIn() || !signIn.isWaiting(cookies.ticket(request))) {
      return "redirect:/console/sign-in" + query(next);
    }
    model.addAttribute("next", next);
    return "sign-in-code";
  }

  @PostMapping("/sign-in/code")
  @Anyone(formToken = false)
  @Nullable String enterCode(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String code,
      @RequestParam(defaultValue = "") String next,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    return answer(
        signIn.enterCode(cookies.ticket(request), code, visit.client()),
        new Form("sign-in-code", "sign-in.code.wrong", "sign-in.code.wait", next),
        visit,
        request,
        response,
        model);
  }

  /** One step of signing in: its page and its error messages. */
  private record Form(String page, String wrong, String tooMany, String next) {}

  private @Nullable String answer(
      SignIn.Outcome outcome,
      Form form,
      ConsoleRequest visit,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    model.addAttribute("next", form.next);
    model.addAttribute("ended", false);
    model.addAttribute("mail", mailed.isOn());
    return switch (outcome) {
      case SignIn.Outcome.Passed(SignedIn signedIn) -> {
        cookies.signedIn(request, response, signedIn);
        if (visit.isPiece()) {
          response.setHeader("Form-Token", Sessions.formToken(signedIn.session()));
          response.setStatus(HttpServletResponse.SC_NO_CONTENT);
          yield null;
        }
        yield "redirect:" + ReturnPath.of(form.next, "/console");
      }
      case SignIn.Outcome.Passed(CodeRequired needed) -> {
        cookies.codeNeeded(request, response, needed);
        if (visit.isPiece()) {
          response.setStatus(HttpServletResponse.SC_ACCEPTED);
          yield null;
        }
        yield "redirect:/console/sign-in/code" + query(form.next);
      }
      case SignIn.Outcome.Wrong() -> {
        response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        yield again(visit, form.page, form.wrong, 0, model);
      }
      case SignIn.Outcome.TooMany(int wait) -> {
        response.setStatus(429);
        response.setHeader("Retry-After", Integer.toString(wait));
        yield again(visit, form.page, form.tooMany, (wait + SECONDS - 1) / SECONDS, model);
      }
      case SignIn.Outcome.Expired() -> {
        response.setStatus(HttpServletResponse.SC_GONE);
        yield again(visit, "sign-in", "sign-in.code.expired", 0, model);
      }
    };
  }

  private static String again(
      ConsoleRequest visit, String page, String problem, int minutes, Model model) {
    model.addAttribute("problem", problem);
    model.addAttribute("minutes", minutes);
    return visit.isPiece() ? "sign-in :: problem" : page;
  }

  private static String query(String next) {
    return next.isEmpty() ? "" : "?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
  }

  @PostMapping("/sign-out")
  @Anyone
  String signOut(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "false") boolean everywhere,
      HttpServletRequest request,
      HttpServletResponse response)
      throws SQLException {
    if (visit.isSignedIn() && visit.person().viewing()) {
      views.end(visit.session(), visit.merchantId(), visit.actor());
    }
    if (visit.isSignedIn() && everywhere) {
      sessions.endAll(visit.person().personId());
    } else if (visit.isSignedIn()) {
      sessions.end(visit.session());
    }
    cookies.signedOut(request, response);
    return "redirect:/console/sign-in";
  }
}
