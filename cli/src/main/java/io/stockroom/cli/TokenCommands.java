package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.get;
import static io.stockroom.cli.CommandDefinition.post;
import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.option;
import static io.stockroom.cli.CommandOption.repeated;
import static io.stockroom.cli.CommandOption.required;

import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code stockroom token}: access tokens. */
final class TokenCommands {
  private static final CommandOption TOKEN =
      argument("TOKEN", "The whole token, or its visible prefix (see: stockroom token list).")
          .field("token");

  private static final CommandOption SCOPE =
      repeated(
              "--scope",
              "SCOPE",
              "Allowed calls: product:read, stock:read, stock:write, detail:read,"
                  + " publish:write, changes:read, webhook:manage or product:write; repeat"
                  + " for several (default: all).")
          .field("scopes");

  private TokenCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "token",
        "Issue, list, review and revoke access tokens.",
        List.of(
            "stockroom token issue --app APPID --merchant 1 --expires P90D",
            "stockroom token list --merchant 1",
            "stockroom token revoke TOKEN"),
        issue(),
        list(),
        review(),
        post("revoke", "/admin/tokens/revoke")
            .does("Revoke an access token. Every node rejects it within a second.")
            .examples("stockroom token revoke TOKEN")
            .with(TOKEN)
            .prints(Columns.of("prefix, revoked=revokedAt")));
  }

  private static CommandDefinition issue() {
    return post("issue", "/admin/tokens")
        .does(
            "Issue an access token, which lets an application act for a merchant. It is shown only"
                + " once.")
        .examples(
            "stockroom token issue --app APPID --merchant 1",
            "stockroom token issue --app APPID --merchant 1 --expires P90D \\",
            "    --bound-store 'Shop 7'")
        .with(
            required("--app", "APPID", "The application (see: stockroom app list).").field("appid"),
            MerchantCommands.ID_OPTION,
            option(
                "--bound-store",
                "NAME",
                "The external shop to which fetched products are published."),
            option(
                    "--expires",
                    "PERIOD",
                    "How long it is valid: P90D is 90 days, PT12H is 12 hours (default: until"
                        + " revoked).")
                .as(String.class, Values::expiry),
            SCOPE)
        .prints(
            Columns.of(
                "access token=accesstoken, prefix, appid, merchant=merchantId, bound"
                    + " store=boundStore, scopes, expires=expiresAt"))
        .prints(
            (token, given) -> {
              if (!given.has("--scope")) {
                given
                    .output()
                    .line(
                        "It allows every call, because no --scope was given. To allow less, revoke"
                            + " it and issue another with --scope.");
              }
            })
        .says("This is the only time the token is shown. Save it now.");
  }

  private static CommandDefinition list() {
    return get("list", "/admin/tokens")
        .does("List access tokens by prefix, with last use, expiry and state.")
        .examples(
            "stockroom token list",
            "stockroom token list --merchant 1 --json",
            "stockroom token list --review")
        .with(
            MerchantCommands.filter("Only the tokens for this merchant."),
            option("--app", "APPID", "Only the tokens of this application."),
            flag(
                "--review",
                "Only the tokens that came back with a restore and are not yet reviewed."))
        .none("There are no tokens. Issue one with: stockroom token issue")
        .noMatch("No token matches.")
        .lists(
            "tokens",
            Columns.of(
                    "PREFIX=prefix, APPID=appid, MERCHANT=merchantId, BOUND STORE=boundStore,"
                        + " SCOPES=scopes, CREATED=createdAt")
                .and("LAST USED", each -> Output.text(each.path("lastUsedAt"), "never"))
                .and("EXPIRES=expiresAt")
                .and("STATE", TokenCommands::state));
  }

  private static CommandDefinition review() {
    return post("review", "/admin/tokens/review")
        .does(
            "Confirm a token that came back with a restore.",
            "It may have been revoked after the backup: list such tokens with 'stockroom token"
                + " list --review', and revoke unwanted ones with 'stockroom token revoke'.")
        .examples(
            "stockroom token review TOKEN",
            "stockroom token review --all --merchant 1",
            "stockroom token review --all")
        .with(
            TOKEN.optional(),
            flag("--all", "Confirm all tokens."),
            MerchantCommands.filter("With --all: only the tokens for this merchant.")
                .field("merchantId"))
        .checks(
            given -> {
              boolean isAll = given.has("--all");
              if (given.has("TOKEN") == isAll || (given.has("--merchant") && !isAll)) {
                throw CommandException.usage(
                    "Pass one TOKEN or --all; --merchant requires --all. Help: stockroom token"
                        + " review --help");
              }
            })
        .prints(
            Columns.of(
                "reviewed",
                answer ->
                    Output.text(answer.path("reviewed"), answer.path("prefix").asString(""))));
  }

  private static String state(JsonNode token) {
    if (!Output.text(token.path("revokedAt"), "").isEmpty()) {
      return "revoked";
    }
    Instant now = Instant.now();
    if (Values.instant(token.path("expiresAt")).filter(end -> !now.isBefore(end)).isPresent()) {
      return "expired";
    }
    boolean isUnreviewed = Values.instant(token.path("restoredAt")).isPresent();
    return isUnreviewed ? "active, restored, not reviewed" : "active";
  }
}
