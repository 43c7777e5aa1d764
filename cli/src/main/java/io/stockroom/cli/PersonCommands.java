package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.delete;
import static io.stockroom.cli.CommandDefinition.get;
import static io.stockroom.cli.CommandDefinition.post;
import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.repeated;
import static io.stockroom.cli.CommandOption.required;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom person}: people who use the console. */
final class PersonCommands {
  private static final String PATH = "/admin/people/{ADDRESS}";
  private static final CommandOption ADDRESS =
      argument("ADDRESS", "The person's email address (see: stockroom person list).");

  private PersonCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "person",
        "Add, list and remove people who use the console; reset their sign-in.",
        List.of(
            "stockroom person add --email li@example.com --merchant 1",
            "stockroom person add --email ops@example.com --operator",
            "stockroom person list",
            "stockroom person reset li@example.com",
            "stockroom person reset-second-factor li@example.com"),
        add(),
        list(),
        printsLink(post("reset", PATH + "/reset"))
            .does(
                "Print a new link to choose a password.",
                "The old password works until the link is used.")
            .examples("stockroom person reset li@example.com")
            .with(ADDRESS)
            .calls(given -> withLink(given.api().work(given.address(PATH + "/reset")), given)),
        resetSecondFactor(),
        delete("remove", PATH)
            .does("Remove a person and end all of their sessions.")
            .examples("stockroom person remove li@example.com")
            .with(ADDRESS)
            .prints(Columns.of("removed")));
  }

  private static CommandDefinition add() {
    return printsLink(post("add", "/admin/people"))
        .does(
            "Add a person to the console and print a link to choose a password.",
            "The link works once, within three days. Send it to the person.")
        .examples(
            "stockroom person add --email li@example.com --merchant 1",
            "stockroom person add --email dev@example.com --merchant 1 --role developer",
            "stockroom person add --email ops@example.com --operator")
        .with(
            required("--email", "ADDRESS", "The person's email address, used to sign in."),
            MerchantCommands.filter("The merchant they belong to (see: stockroom merchant list).")
                .field("merchantId"),
            flag("--operator", "Make the person an operator of this server instead."),
            repeated(
                    "--role",
                    "ROLE",
                    "Role for the merchant: merchant (products, stock, usage) or developer"
                        + " (applications, tokens, log); repeat for both (default: both).")
                .field("roles"))
        .checks(
            given -> {
              if (given.has("--operator") == given.has("--merchant")) {
                throw CommandException.usage(
                    "Pass either --merchant ID or --operator. Help: stockroom person add --help");
              }
            })
        .calls(given -> withLink(given.api().post("/admin/people", given.body()), given));
  }

  private static CommandDefinition list() {
    return get("list", "/admin/people")
        .does("List the people of the console, operators first.")
        .examples("stockroom person list", "stockroom person list --merchant 1 --json")
        .with(MerchantCommands.filter("Only the people of this merchant."))
        .none("There are no people. Add a person with: stockroom person add")
        .lists(
            "people",
            Columns.of(
                "E-MAIL=email, MERCHANT=merchantId, NAME=merchantName, ROLES=roles,"
                    + " PASSWORD=hasPassword, TWO-STEP=hasSecondFactor, CREATED=createdAt"));
  }

  private static CommandDefinition resetSecondFactor() {
    return post("reset-second-factor", PATH + "/reset-second-factor")
        .does(
            "Turn off a person's two-step verification if the phone and the recovery codes are"
                + " lost.",
            "The person is signed out everywhere, and needs only the password until they set it up"
                + " again.")
        .examples("stockroom person reset-second-factor li@example.com")
        .with(ADDRESS)
        .prints(Columns.of("email"))
        .prints(
            (answer, given) ->
                given
                    .output()
                    .line(
                        answer.path("reset").asBoolean()
                            ? "Two-step verification is off. All sessions have ended."
                            : "Two-step verification was already off. Nothing was changed."));
  }

  /** A server without base-url does not know its own address. */
  private static JsonNode withLink(JsonNode person, Given given) {
    ObjectNode shown = (ObjectNode) person;
    String link = person.path("link").asString();
    return shown.put("link", link.startsWith("/") ? given.api().server() + link : link);
  }

  private static CommandDefinition printsLink(CommandDefinition command) {
    return command
        .prints(Columns.of("email, merchant=merchantName, roles, link"))
        .says("The link works once, within three days. Send it only to this person.");
  }
}
