package io.stockroom.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "person",
    description = "Add, list and remove people who use the console; reset their sign-in.",
    footer = {
      "  stockroom person add --email li@example.com --merchant 1",
      "  stockroom person add --email ops@example.com --operator",
      "  stockroom person list",
      "  stockroom person reset li@example.com",
      "  stockroom person reset-second-factor li@example.com"
    })
final class PersonCommands {
  private final Shell shell;

  PersonCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "add",
      description = {
        "Add a person to the console and print a link to choose a password.",
        "The link works once, within three days. Send it to the person."
      },
      footer = {
        "  stockroom person add --email li@example.com --merchant 1",
        "  stockroom person add --email dev@example.com --merchant 1 --role developer",
        "  stockroom person add --email ops@example.com --operator"
      })
  void add(
      @Option(
              names = "--email",
              required = true,
              paramLabel = "ADDRESS",
              description = "The person's email address, used to sign in.")
          String email,
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "The merchant they belong to (see: stockroom merchant list).")
          @Nullable MerchantId merchant,
      @Option(
              names = "--operator",
              description = "Make the person an operator of this server instead.")
          boolean isOperator,
      @Option(
              names = "--role",
              paramLabel = "ROLE",
              description =
                  "Role for the merchant: merchant (products, stock, usage) or developer"
                      + " (applications, tokens, log); repeat for both (default: both).")
          @Nullable List<String> roles,
      @Mixin OperatorOptions operator) {
    if (isOperator == (merchant != null)) {
      throw CommandException.usage(
          "Pass either --merchant ID or --operator. Help: stockroom person add --help");
    }
    ObjectNode request = Json.object().put("email", email);
    if (merchant != null) {
      request.put("merchantId", merchant.value());
    } else {
      request.put("operator", true);
    }
    if (roles != null) {
      roles.forEach(request.putArray("roles")::add);
    }
    AdminApi api = operator.connect(shell);
    showLink(api, api.post("/admin/people", request), operator.output(shell));
  }

  @Command(
      name = "list",
      description = "List the people of the console, operators first.",
      footer = {"  stockroom person list", "  stockroom person list --merchant 1 --json"})
  void list(
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Only the people of this merchant.")
          @Nullable MerchantId merchant,
      @Mixin OperatorOptions operator) {
    String query = merchant == null ? "" : "?merchant=" + merchant;
    JsonNode answer = operator.connect(shell).get("/admin/people" + query);
    Output output = operator.output(shell);
    output.show(() -> answer, () -> showAll(answer.path("people"), output));
  }

  @Command(
      name = "reset",
      description = {
        "Print a new link to choose a password.",
        "The old password works until the link is used."
      },
      footer = "  stockroom person reset li@example.com")
  void reset(
      @Parameters(
              paramLabel = "ADDRESS",
              description = "The person's email address (see: stockroom person list).")
          String email,
      @Mixin OperatorOptions operator) {
    AdminApi api = operator.connect(shell);
    JsonNode person = api.work("/admin/people/" + AdminApi.part(email) + "/reset");
    showLink(api, person, operator.output(shell));
  }

  @Command(
      name = "reset-second-factor",
      description = {
        "Turn off a person's two-step verification if the phone and the recovery codes are lost.",
        "The person is signed out everywhere, and needs only the password until they set it up"
            + " again."
      },
      footer = "  stockroom person reset-second-factor li@example.com")
  void resetSecondFactor(
      @Parameters(
              paramLabel = "ADDRESS",
              description = "The person's email address (see: stockroom person list).")
          String email,
      @Mixin OperatorOptions operator) {
    JsonNode answer =
        operator
            .connect(shell)
            .work("/admin/people/" + AdminApi.part(email) + "/reset-second-factor");
    Output output = operator.output(shell);
    output.show(
        () -> answer,
        () -> {
          output.field("email", answer.path("email"));
          output.line(
              answer.path("reset").asBoolean()
                  ? "Two-step verification is off. All sessions have ended."
                  : "Two-step verification was already off. Nothing was changed.");
        });
  }

  @Command(
      name = "remove",
      description = "Remove a person and end all of their sessions.",
      footer = "  stockroom person remove li@example.com")
  void remove(
      @Parameters(
              paramLabel = "ADDRESS",
              description = "The person's email address (see: stockroom person list).")
          String email,
      @Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).delete("/admin/people/" + AdminApi.part(email));
    Output output = operator.output(shell);
    output.show(() -> answer, () -> output.field("removed", answer.path("removed")));
  }

  private static void showLink(AdminApi api, JsonNode person, Output output) {
    ObjectNode shown = (ObjectNode) person.deepCopy();
    String link = person.path("link").asString();
    // a server without base-url does not know its own address
    shown.put("link", link.startsWith("/") ? api.server() + link : link);
    output.show(
        () -> shown,
        () -> {
          output.field("email", shown.path("email"));
          output.field("merchant", shown.path("merchantName"));
          output.field("roles", shown.path("roles"));
          output.field("link", shown.path("link"));
          output.line("The link works once, within three days. Send it only to this person.");
        });
  }

  private static void showAll(JsonNode people, Output output) {
    if (people.isEmpty()) {
      output.line("There are no people. Add a person with: stockroom person add");
      return;
    }
    Table table =
        new Table("E-MAIL", "MERCHANT", "NAME", "ROLES", "PASSWORD", "TWO-STEP", "CREATED");
    for (JsonNode person : people) {
      table.row(
          person,
          "email",
          "merchantId",
          "merchantName",
          "roles",
          "hasPassword",
          "hasSecondFactor",
          "createdAt");
    }
    output.table(table);
  }
}
