package io.stockroom.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "token",
    description = "Issue, list, review and revoke access tokens.",
    footer = {
      "  stockroom token issue --app APPID --merchant 1 --expires P90D",
      "  stockroom token list --merchant 1",
      "  stockroom token revoke TOKEN"
    })
final class TokenCommands {
  private final Shell shell;

  TokenCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "issue",
      description =
          "Issue an access token, which lets an application act for a merchant. It is shown only"
              + " once.",
      footer = {
        "  stockroom token issue --app APPID --merchant 1",
        "  stockroom token issue --app APPID --merchant 1 --expires P90D \\",
        "      --bound-store 'Shop 7'"
      })
  void issue(
      @Option(
              names = "--app",
              required = true,
              paramLabel = "APPID",
              description = "The application (see: stockroom app list).")
          String appid,
      @Option(
              names = "--merchant",
              required = true,
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "The merchant (see: stockroom merchant list).")
          MerchantId merchant,
      @Option(
              names = "--bound-store",
              paramLabel = "NAME",
              description = "The external shop to which fetched products are published.")
          @Nullable String boundStore,
      @Option(
              names = "--expires",
              paramLabel = "PERIOD",
              converter = Expiry.Converter.class,
              description =
                  "How long it is valid: P90D is 90 days, PT12H is 12 hours (default: until"
                      + " revoked).")
          @Nullable Expiry expires,
      @Option(
              names = "--scope",
              paramLabel = "SCOPE",
              description =
                  "Allowed calls: product:read, stock:read, stock:write, detail:read,"
                      + " publish:write, changes:read, webhook:manage or product:write; repeat for"
                      + " several (default: all).")
          @Nullable List<String> scopes,
      @Mixin OperatorOptions operator) {
    ObjectNode request = Json.object().put("appid", appid).put("merchantId", merchant.value());
    if (boundStore != null) {
      request.put("boundStore", boundStore);
    }
    if (expires != null) {
      request.put("expires", expires.text());
    }
    if (scopes != null) {
      ArrayNode array = request.putArray("scopes");
      scopes.forEach(array::add);
    }
    JsonNode token = operator.connect(shell).post("/admin/tokens", request);
    Output output = operator.output(shell);
    output.show(
        () -> token,
        () -> {
          output.field("access token", token.path("accesstoken"));
          output.field("prefix", token.path("prefix"));
          output.field("appid", token.path("appid"));
          output.field("merchant", token.path("merchantId"));
          output.field("bound store", token.path("boundStore"));
          output.field("scopes", token.path("scopes"));
          output.field("expires", token.path("expiresAt"));
          if (scopes == null) {
            output.line(
                "It allows every call, because no --scope was given. To allow less, revoke it and"
                    + " issue another with --scope.");
          }
          output.line("This is the only time the token is shown. Save it now.");
        });
  }

  @Command(
      name = "list",
      description = "List access tokens by prefix, with last use, expiry and state.",
      footer = {
        "  stockroom token list",
        "  stockroom token list --merchant 1 --json",
        "  stockroom token list --review"
      })
  void list(
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "Only the tokens for this merchant.")
          @Nullable MerchantId merchant,
      @Option(
              names = "--app",
              paramLabel = "APPID",
              description = "Only the tokens of this application.")
          @Nullable String appid,
      @Option(
              names = "--review",
              description =
                  "Only the tokens that came back with a restore and are not yet reviewed.")
          boolean review,
      @Mixin OperatorOptions operator) {
    List<String> filters = new ArrayList<>();
    if (review) {
      filters.add("review=true");
    }
    if (merchant != null) {
      filters.add("merchant=" + merchant);
    }
    if (appid != null) {
      filters.add("app=" + AdminApi.parameter(appid));
    }
    String query = filters.isEmpty() ? "" : "?" + String.join("&", filters);
    JsonNode answer = operator.connect(shell).get("/admin/tokens" + query);
    Output output = operator.output(shell);
    output.show(() -> answer, () -> show(answer.path("tokens"), !filters.isEmpty(), output));
  }

  @Command(
      name = "review",
      description = {
        "Confirm a token that came back with a restore.",
        "It may have been revoked after the backup: list such tokens with 'stockroom token"
            + " list --review', and revoke unwanted ones with 'stockroom token revoke'."
      },
      footer = {
        "  stockroom token review TOKEN",
        "  stockroom token review --all --merchant 1",
        "  stockroom token review --all"
      })
  void review(
      @Parameters(
              paramLabel = "TOKEN",
              arity = "0..1",
              description = "The whole token, or its visible prefix (see: stockroom token list).")
          @Nullable String token,
      @Option(names = "--all", description = "Confirm all tokens.") boolean all,
      @Option(
              names = "--merchant",
              paramLabel = "ID",
              converter = MerchantId.Converter.class,
              description = "With --all: only the tokens for this merchant.")
          @Nullable MerchantId merchant,
      @Mixin OperatorOptions operator) {
    if ((token == null) == !all || (merchant != null && !all)) {
      throw CommandException.usage(
          "Pass one TOKEN or --all; --merchant requires --all. Help: stockroom token review"
              + " --help");
    }
    ObjectNode request = Json.object();
    if (token != null) {
      request.put("token", token);
    } else {
      request.put("all", true);
    }
    if (merchant != null) {
      request.put("merchantId", merchant.value());
    }
    JsonNode reviewed = operator.connect(shell).post("/admin/tokens/review", request);
    Output output = operator.output(shell);
    output.show(
        () -> reviewed,
        () ->
            output.field(
                "reviewed", token == null ? reviewed.path("reviewed") : reviewed.path("prefix")));
  }

  @Command(
      name = "revoke",
      description = "Revoke an access token. Every node rejects it within a second.",
      footer = "  stockroom token revoke TOKEN")
  void revoke(
      @Parameters(
              paramLabel = "TOKEN",
              description = "The whole token, or its visible prefix (see: stockroom token list).")
          String token,
      @Mixin OperatorOptions operator) {
    JsonNode revoked =
        operator.connect(shell).post("/admin/tokens/revoke", Json.object().put("token", token));
    Output output = operator.output(shell);
    output.show(
        () -> revoked,
        () -> {
          output.field("prefix", revoked.path("prefix"));
          output.field("revoked", revoked.path("revokedAt"));
        });
  }

  private static void show(JsonNode tokens, boolean filtered, Output output) {
    if (tokens.isEmpty()) {
      output.line(
          filtered
              ? "No token matches."
              : "There are no tokens. Issue one with: stockroom token issue");
      return;
    }
    Table table =
        new Table(
            "PREFIX",
            "APPID",
            "MERCHANT",
            "BOUND STORE",
            "SCOPES",
            "CREATED",
            "LAST USED",
            "EXPIRES",
            "STATE");
    Instant now = Instant.now();
    for (JsonNode token : tokens) {
      table.cells(
          Output.text(token.path("prefix"), "-"),
          Output.text(token.path("appid"), "-"),
          Output.text(token.path("merchantId"), "-"),
          Output.text(token.path("boundStore"), "-"),
          Output.text(token.path("scopes"), "-"),
          Output.text(token.path("createdAt"), "-"),
          Output.text(token.path("lastUsedAt"), "never"),
          Output.text(token.path("expiresAt"), "-"),
          state(token, now));
    }
    output.table(table);
  }

  private static String state(JsonNode token, Instant now) {
    if (!Output.text(token.path("revokedAt"), "").isEmpty()) {
      return "revoked";
    }
    boolean isExpired =
        Timestamps.of(token.path("expiresAt")).filter(end -> !now.isBefore(end)).isPresent();
    if (isExpired) {
      return "expired";
    }
    boolean isUnreviewed = Timestamps.of(token.path("restoredAt")).isPresent();
    return isUnreviewed ? "active, restored, not reviewed" : "active";
  }
}
