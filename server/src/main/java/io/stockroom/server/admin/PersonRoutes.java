package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.console.people.Email;
import io.stockroom.console.people.Links;
import io.stockroom.console.people.People;
import io.stockroom.console.people.Person;
import io.stockroom.console.people.Role;
import io.stockroom.console.people.SecondFactors;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Routes for the people of the console: add, list, new link, reset of the second factor, remove.
 */
public final class PersonRoutes {
  private static final String ROLES = "a role is merchant or developer; leave both out for both";

  private final People people;
  private final Links links;
  private final SecondFactors secondFactors;
  private final Merchants merchants;
  private final String baseUrl;

  /**
   * @param baseUrl the public address of the server; empty if it is not set
   */
  public PersonRoutes(
      People people,
      Links links,
      SecondFactors secondFactors,
      Merchants merchants,
      String baseUrl) {
    this.baseUrl = baseUrl;
    this.people = people;
    this.links = links;
    this.secondFactors = secondFactors;
    this.merchants = merchants;
  }

  Answer add(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    String email = email(request, request.text(body, "email", true));
    JsonNode merchant = body.get("merchantId");
    boolean operator = merchant == null || merchant.isNull();
    Integer merchantId =
        operator
            ? null
            : Integer.valueOf(
                request.problems().positive("merchantId", AdminRequest.plain(merchant)));
    boolean saysOperator = body.path("operator").asBoolean(false);
    if (operator && !saysOperator) {
      request.problems().add("merchantId", ErrorCode.FIELD_MISSING, "merchantId or operator: true");
    } else if (!operator && saysOperator) {
      request
          .problems()
          .add(
              "operator",
              ErrorCode.TEXT_FORMAT,
              "true",
              List.of("an operator belongs to no merchant; give one of the two"));
    }
    Set<Role> roles = operator ? EnumSet.of(Role.OPERATOR) : roles(request, body.get("roles"));
    if (request.problems().any() || email == null) {
      return request.rejection();
    }
    if (merchantId != null && merchants.find(merchantId) == null) {
      return Rejection.of("merchantId", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    Person person = people.add(email, merchantId, roles, request.actor());
    if (person == null) {
      return Rejection.of("email", ErrorCode.PERSON_EXISTS, email);
    }
    return AdminResponse.created(withLink(request, person));
  }

  Answer list(AdminRequest request) throws SQLException {
    String merchant = request.query("merchant");
    Integer merchantId =
        merchant == null ? null : request.problems().positive("merchant", merchant);
    if (request.problems().any()) {
      return request.rejection();
    }
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    people.all(merchantId).forEach(person -> list.add(shown(person)));
    return AdminResponse.ok(fields("people", list));
  }

  /** Makes a new link for choosing a password; the old password works until the link is used. */
  Answer reset(AdminRequest request) throws SQLException {
    String email = request.part("email");
    Person person = people.find(String.valueOf(Email.of(email)));
    return person == null ? missing(email) : AdminResponse.created(withLink(request, person));
  }

  /** For a person who lost the phone and the recovery codes; signs them out everywhere. */
  Answer resetSecondFactor(AdminRequest request) throws SQLException {
    String email = request.part("email");
    Person person = people.find(String.valueOf(Email.of(email)));
    return person == null
        ? missing(email)
        : AdminResponse.ok(
            fields("email", person.email(), "reset", secondFactors.reset(person, request.actor())));
  }

  Answer remove(AdminRequest request) throws SQLException {
    String email = request.part("email");
    return people.remove(String.valueOf(Email.of(email)), request.actor())
        ? AdminResponse.ok(fields("removed", email))
        : missing(email);
  }

  private Map<String, @Nullable Object> withLink(AdminRequest request, Person person)
      throws SQLException {
    Map<String, @Nullable Object> shown = shown(person);
    shown.put("link", baseUrl + links.make(person, Links.Purpose.PASSWORD, request.actor()));
    shown.put("linkLife", Links.LIFE);
    return shown;
  }

  private static Answer missing(String email) {
    return Rejection.of("email", ErrorCode.PERSON_MISSING, email);
  }

  private static @Nullable String email(AdminRequest request, @Nullable String text) {
    if (text == null) {
      return null;
    }
    String email = Email.of(text);
    if (email == null) {
      request.problems().add("email", ErrorCode.TEXT_FORMAT, text, List.of(Email.EXPECTED));
    }
    return email;
  }

  /** The default is both roles of a merchant's people. */
  private static Set<Role> roles(AdminRequest request, @Nullable JsonNode given) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (given == null || given.isNull() || (given.isArray() && given.isEmpty())) {
      return EnumSet.of(Role.MERCHANT, Role.DEVELOPER);
    }
    if (!given.isArray()) {
      request.problems().add("roles", ErrorCode.FIELD_TYPE, given.getNodeType(), "an array");
      return roles;
    }
    int place = 0;
    for (JsonNode word : given) {
      String text = AdminRequest.plain(word);
      Optional<Role> role = Role.of(text).filter(known -> known != Role.OPERATOR);
      if (role.isPresent()) {
        roles.add(role.get());
      } else {
        request.problems().add("roles[" + place + "]", ErrorCode.TEXT_FORMAT, text, List.of(ROLES));
      }
      place++;
    }
    return roles;
  }

  private static Map<String, @Nullable Object> shown(Person person) {
    return fields(
        "email", person.email(),
        "merchantId", person.merchantId(),
        "merchantName", person.merchantId() == null ? null : person.merchantName(),
        "roles", person.roles().stream().map(Role::word).toList(),
        "hasPassword", person.hasPassword(),
        "hasSecondFactor", person.hasSecondFactor(),
        "createdAt", person.createdAt());
  }
}
