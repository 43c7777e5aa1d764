package io.stockroom.console.account;

import io.stockroom.console.people.Person;
import io.stockroom.console.people.SecondFactors;
import io.stockroom.console.people.Totp;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.WhileReadOnly;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.settings.SecondFactorRule;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** A person's own two-step verification: setup, recovery codes, removal. */
@Controller
@Allow(beforeSecondFactor = true)
@WhileReadOnly(viewing = false)
@RequestMapping("/account/second-factor")
public final class SecondFactorPages {
  private static final int SECONDS = 60;

  private final SecondFactors secondFactors;
  private final SecondFactorRule rule;

  public SecondFactorPages(SecondFactors secondFactors, SecondFactorRule rule) {
    this.secondFactors = secondFactors;
    this.rule = rule;
  }

  @GetMapping
  String show(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable String off,
      Model model)
      throws SQLException {
    model.addAttribute("off", off != null);
    return page(visit, model);
  }

  @PostMapping("/begin")
  String begin(@RequestAttribute ConsoleRequest visit) throws SQLException {
    secondFactors.begin(visit.person());
    return "redirect:/console/account/second-factor";
  }

  @PostMapping("/confirm")
  String confirm(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String code,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    List<String> codes =
        secondFactors.confirm(visit.person(), code, visit.session(), visit.client());
    if (codes == null) {
      response.setStatus(422);
      model.addAttribute("wrong", "confirm");
      model.addAttribute("problem", "factor.confirm.wrong");
    }
    model.addAttribute("codes", codes);
    return page(visit, model);
  }

  @PostMapping("/recovery-codes")
  String renew(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String code,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Person person = visit.person();
    SecondFactors.Check check = secondFactors.check(person, code, visit.client());
    if (isRight(check, "recovery-codes", "sign-in.code.wrong", response, model)) {
      model.addAttribute("codes", secondFactors.renewRecoveryCodes(person, visit.client()));
    }
    return page(visit, model);
  }

  @LimitedAs(CallKind.SIGN_IN)
  @PostMapping("/disable")
  String disable(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String password,
      @RequestParam(defaultValue = "") String code,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    SecondFactors.Check check =
        secondFactors.disable(visit.person(), password, code, visit.client());
    return isRight(check, "disable", "factor.disable.wrong", response, model)
        ? "redirect:/console/account/second-factor?off"
        : page(visit, model);
  }

  private static boolean isRight(
      SecondFactors.Check check,
      String form,
      String wrong,
      HttpServletResponse response,
      Model model) {
    model.addAttribute("wrong", form);
    return switch (check) {
      case SecondFactors.Check.Right(boolean _) -> true;
      case SecondFactors.Check.Wrong() -> {
        response.setStatus(422);
        model.addAttribute("problem", wrong);
        yield false;
      }
      case SecondFactors.Check.TooMany(int wait) -> {
        response.setStatus(429);
        response.setHeader("Retry-After", Integer.toString(wait));
        model.addAttribute("problem", "sign-in.code.wait");
        model.addAttribute("minutes", (wait + SECONDS - 1) / SECONDS);
        yield false;
      }
    };
  }

  private String page(ConsoleRequest visit, Model model) throws SQLException {
    Person person = visit.person();
    SecondFactors.State state = secondFactors.state(person);
    String pending = state.pending();
    model.addAttribute("state", state);
    model.addAttribute("required", rule.concerns(person.merchantId() == null));
    if (pending != null) {
      model.addAttribute("qr", QrCodeSvg.of(Totp.uri(pending, person.email())));
      model.addAttribute("uri", Totp.uri(pending, person.email()));
      // groups of four are easier to type
      model.addAttribute("secret", pending.replaceAll("(.{4})(?=.)", "$1 "));
    }
    return "second-factor";
  }
}
