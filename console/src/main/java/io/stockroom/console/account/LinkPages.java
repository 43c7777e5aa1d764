package io.stockroom.console.account;

import io.stockroom.console.people.CodeRequired;
import io.stockroom.console.people.Email;
import io.stockroom.console.people.Links;
import io.stockroom.console.people.PasswordRules;
import io.stockroom.console.people.People;
import io.stockroom.console.people.Person;
import io.stockroom.console.people.SignInStep;
import io.stockroom.console.people.SignedIn;
import io.stockroom.console.visit.Anyone;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.Cookies;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.admission.CallKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of a one-time link. Opening it does not use the link; submitting its form does. */
@Controller
@Anyone
public final class LinkPages {
  private final Links links;
  private final People people;
  private final Cookies cookies;

  public LinkPages(Links links, People people, Cookies cookies) {
    this.links = links;
    this.people = people;
    this.cookies = cookies;
  }

  @GetMapping("/link/{token}")
  String show(@PathVariable String token, Model model) throws SQLException {
    return page(find(token), null, "", model);
  }

  @LimitedAs(CallKind.SIGN_IN)
  @PostMapping("/link/{token}")
  String use(
      @PathVariable String token,
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String email,
      @RequestParam(defaultValue = "") String password,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Links.Link link = find(token);
    String problem = problem(link, email, password);
    if (problem != null) {
      response.setStatus(422);
      return page(link, problem, email, model);
    }
    SignInStep step =
        switch (link.purpose()) {
          case SIGN_IN -> links.signIn(token, visit.client());
          case PASSWORD, RESET -> links.choosePassword(token, password, visit.client());
          case FIRST_OPERATOR ->
              links.becomeOperator(
                  token, String.valueOf(Email.of(email)), password, visit.client());
        };
    return switch (step) {
      case null -> throw usedUp();
      case SignedIn signedIn -> {
        cookies.signedIn(request, response, signedIn);
        yield "redirect:/console";
      }
      case CodeRequired needed -> {
        cookies.codeNeeded(request, response, needed);
        yield "redirect:/console/sign-in/code";
      }
    };
  }

  private Links.Link find(String token) throws SQLException {
    Links.Link link = links.find(token);
    if (link == null) {
      throw usedUp();
    }
    return link;
  }

  private static PageException usedUp() {
    return new PageException(410, "link");
  }

  private @Nullable String problem(Links.Link link, String given, String password)
      throws SQLException {
    String email = Email.of(given);
    return switch (link.purpose()) {
      case SIGN_IN -> null;
      case PASSWORD, RESET -> {
        Person person = link.person();
        yield person == null ? null : weakness(password, person.email(), person.merchantName());
      }
      case FIRST_OPERATOR -> {
        if (email == null) {
          yield "link.email.wrong";
        }
        if (people.find(email) != null) {
          yield "link.email.used";
        }
        yield weakness(password, email, "");
      }
    };
  }

  private static @Nullable String weakness(String password, String email, String merchantName) {
    PasswordRules.Weakness weakness = PasswordRules.weakness(password, email, merchantName);
    return weakness == null ? null : weakness.message();
  }

  private static String page(Links.Link link, @Nullable String problem, String email, Model model) {
    boolean isReset = link.purpose() == Links.Purpose.RESET;
    model.addAttribute("purpose", (isReset ? Links.Purpose.PASSWORD : link.purpose()).word());
    model.addAttribute("person", link.person());
    model.addAttribute("problem", problem);
    model.addAttribute("email", email);
    model.addAttribute("least", PasswordRules.MIN_CHARACTERS);
    return "link";
  }
}
