package io.stockroom.console.operator;

import io.stockroom.console.mail.Mail;
import io.stockroom.console.people.Email;
import io.stockroom.console.people.Links;
import io.stockroom.console.people.MailedLinks;
import io.stockroom.console.people.People;
import io.stockroom.console.people.PeopleDirectory;
import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import io.stockroom.console.people.SecondFactors;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The people of the console: adding, new links, sign-out, removal. */
@Controller
@Allow(Role.OPERATOR)
public final class PeoplePages {
  private static final int PAGE_SIZE = 50;

  private final People people;
  private final PeopleDirectory directory;
  private final Links links;
  private final MailedLinks mailed;
  private final SecondFactors secondFactors;
  private final MerchantDirectory merchants;
  private final MessageSource messages;

  public PeoplePages(
      People people,
      PeopleDirectory directory,
      Links links,
      MailedLinks mailed,
      SecondFactors secondFactors,
      MerchantDirectory merchants,
      MessageSource messages) {
    this.people = people;
    this.directory = directory;
    this.links = links;
    this.mailed = mailed;
    this.secondFactors = secondFactors;
    this.merchants = merchants;
    this.messages = messages;
  }

  /** The form as submitted, shown again if it is invalid. */
  public record NewPerson(String email, boolean operator, String merchant, List<String> roles) {
    static final NewPerson EMPTY =
        new NewPerson("", false, "", List.of(Role.MERCHANT.word(), Role.DEVELOPER.word()));
  }

  /**
   * @param merchant lists only the people of this merchant
   * @param after the page starts after this person
   * @param before the page ends before this person
   */
  @GetMapping("/people")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "") String merchant,
      @RequestParam(defaultValue = "0") int after,
      @RequestParam(defaultValue = "0") int before,
      @RequestParam(defaultValue = "") String removed,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    Integer merchantId = merchants.find(merchant);
    response.setHeader("Vary", "HX-Request");
    model.addAttribute("removed", removed);
    fill(q.strip(), merchantId, after, before, model);
    NewPerson form =
        merchantId == null
            ? NewPerson.EMPTY
            : new NewPerson("", false, suggestion(merchantId), NewPerson.EMPTY.roles);
    model.addAttribute("form", form);
    return visit.isPiece() ? "people :: list" : "people";
  }

  private void fill(String q, @Nullable Integer merchantId, int after, int before, Model model)
      throws SQLException {
    model.addAttribute(
        "page",
        directory.page(new PeopleDirectory.Wanted(q, merchantId, after, before, PAGE_SIZE)));
    model.addAttribute("q", q);
    model.addAttribute("mail", mailed.isOn());
    model.addAttribute("merchantId", merchantId);
    model.addAttribute("merchantName", merchantId == null ? null : suggestion(merchantId));
  }

  private String suggestion(int merchantId) throws SQLException {
    String name = merchants.names(List.of(merchantId)).getOrDefault(merchantId, "");
    return MerchantDirectory.suggestion(merchantId, name);
  }

  /**
   * Adds a person, and mails their link or shows it once.
   *
   * @param belongs {@code operator} or {@code merchant}
   * @param mail whether to mail the link
   */
  @PostMapping("/people")
  String add(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String email,
      @RequestParam(defaultValue = "merchant") String belongs,
      @RequestParam(defaultValue = "") String merchant,
      @RequestParam(defaultValue = "") List<String> roles,
      @RequestParam(defaultValue = "false") boolean mail,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    boolean operator = belongs.equals("operator");
    String address = Email.of(email);
    Integer merchantId = operator ? null : merchants.find(merchant);
    NewPerson form = new NewPerson(email, operator, merchant, roles);
    if (address == null) {
      return refuse(
          "email",
          words(visit, ErrorCode.TEXT_FORMAT, email, Email.EXPECTED),
          form,
          response,
          model);
    }
    if (!operator && merchantId == null) {
      String problem =
          messages.getMessage(
              "merchant.unknown", new Object[] {merchant}, Locale.of(visit.language().tag()));
      return refuse("merchant", problem, form, response, model);
    }
    Person person =
        people.add(
            address,
            merchantId,
            operator ? EnumSet.of(Role.OPERATOR) : roles(roles),
            visit.actor());
    if (person == null) {
      return refuse("email", words(visit, ErrorCode.PERSON_EXISTS, address), form, response, model);
    }
    return withLink(visit, person, mail, model);
  }

  private String refuse(
      String field, String problem, NewPerson form, HttpServletResponse response, Model model)
      throws SQLException {
    response.setStatus(422);
    model.addAttribute("wrong", field);
    model.addAttribute("problem", problem);
    model.addAttribute("form", form);
    model.addAttribute("removed", "");
    fill("", null, 0, 0, model);
    return "people";
  }

  private static String words(ConsoleRequest visit, ErrorCode code, Object... arguments) {
    return Problem.of("", code, arguments).message(visit.language());
  }

  /** The default is both roles of a merchant's people, like in the CLI. */
  private static Set<Role> roles(List<String> words) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    words.forEach(
        word -> Role.of(word).filter(role -> role != Role.OPERATOR).ifPresent(roles::add));
    return roles.isEmpty() ? EnumSet.of(Role.MERCHANT, Role.DEVELOPER) : roles;
  }

  @GetMapping("/people/{id}")
  String show(
      @PathVariable int id,
      @RequestParam(required = false) @Nullable String out,
      @RequestParam(required = false) @Nullable String reset,
      Model model)
      throws SQLException {
    model.addAttribute("out", out != null);
    model.addAttribute("reset", reset != null);
    return page(find(id), null, model);
  }

  /** Makes a new link for choosing a password; the old password works until the link is used. */
  @PostMapping("/people/{id}/link")
  String link(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam(defaultValue = "false") boolean mail,
      Model model)
      throws SQLException {
    return withLink(visit, find(id).person(), mail, model);
  }

  @PostMapping("/people/{id}/sign-out")
  String signOut(@RequestAttribute ConsoleRequest visit, @PathVariable int id) throws SQLException {
    people.signOut(find(id).person(), visit.actor());
    return "redirect:/console/people/" + id + "?out";
  }

  /**
   * For a person who lost the phone. People turn off their own second factor on the account page,
   * with password and code.
   */
  @PostMapping("/people/{id}/reset-second-factor")
  String resetSecondFactor(@RequestAttribute ConsoleRequest visit, @PathVariable int id)
      throws SQLException {
    Person person = find(id).person();
    if (person.personId() == visit.person().personId()) {
      throw new PageException(409, "own-factor");
    }
    secondFactors.reset(person, visit.actor());
    return "redirect:/console/people/" + id + "?reset";
  }

  @PostMapping("/people/{id}/remove")
  String remove(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    return switch (people.removeButTheLastOperator(id, visit.actor())) {
      case DONE -> "redirect:/console/people?removed=1";
      case MISSING -> throw PageException.missing();
      case LAST_OPERATOR -> {
        response.setStatus(409);
        model.addAttribute("last", true);
        yield page(find(id), null, model);
      }
    };
  }

  private String withLink(ConsoleRequest visit, Person person, boolean mail, Model model)
      throws SQLException {
    if (mail && mailed.isOn() && Mail.isAddress(person.email())) {
      mailed.invite(person, visit.language(), visit.actor());
      model.addAttribute("invited", true);
      return page(find(person.personId()), null, model);
    }
    String path = links.make(person, Links.Purpose.PASSWORD, visit.actor());
    return page(find(person.personId()), visit.whole(path), model);
  }

  private String page(PeopleDirectory.Row row, @Nullable String link, Model model) {
    model.addAttribute("row", row);
    model.addAttribute("person", row.person());
    model.addAttribute("link", link);
    model.addAttribute("mail", mailed.isOn());
    model.addAttribute("days", Links.LIFE.toDays());
    return "person";
  }

  private PeopleDirectory.Row find(int id) throws SQLException {
    PeopleDirectory.Row row = directory.find(id);
    if (row == null) {
      throw PageException.missing();
    }
    return row;
  }
}
