package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.get;
import static io.stockroom.cli.CommandDefinition.patch;
import static io.stockroom.cli.CommandDefinition.post;
import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;
import static io.stockroom.cli.CommandOption.negatable;
import static io.stockroom.cli.CommandOption.option;
import static io.stockroom.cli.CommandOption.repeated;
import static io.stockroom.cli.CommandOption.required;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom app}: applications and how they sign. */
final class AppCommands {
  private static final String PATH = "/admin/applications/{APPID}";
  private static final String SHOWN_ONCE =
      "This is the only time the secret is shown. Save it now.";

  private static final CommandOption APPID =
      argument("APPID", "The application (see: stockroom app list).");

  private static final Columns APPLICATION =
      Columns.of("appid, name")
          .and("state", AppCommands::state)
          .and("signatures", AppCommands::signatures)
          .and("addresses", AppCommands::addresses)
          .and("old secret", AppCommands::oldSecret)
          .and("created=createdAt");

  private AppCommands() {}

  static CommandSpec group(Shell shell) {
    return CommandDefinition.group(
        shell,
        "app",
        "Create, list, disable and enable applications; rotate secrets; restrict access.",
        List.of(
            "stockroom app create --name 'Warehouse sync'",
            "stockroom app list",
            "stockroom app rotate APPID",
            "stockroom app set APPID --require-hmac --allow 203.0.113.0/24"),
        create(),
        list(),
        get("show", PATH)
            .does("Show an application: signature methods and allowed addresses.")
            .examples("stockroom app show APPID", "stockroom app show APPID --json")
            .with(APPID)
            .prints(APPLICATION),
        rotate(),
        set(),
        patch("rename", PATH)
            .does("Change an application's name.")
            .examples("stockroom app rename APPID --name 'Warehouse sync'")
            .with(APPID, required("--name", "NAME", "The application's new name."))
            .prints(APPLICATION),
        stop("disable", "stop", true)
            .does(
                "Disable an application: every node rejects its calls and issues no tokens for it"
                    + " within a second.",
                "Its secret and tokens are kept. Enable it with: stockroom app enable"),
        stop("enable", "resume", false).does("Enable a disabled application."));
  }

  private static CommandDefinition create() {
    return post("create", "/admin/applications")
        .does(
            "Create an application and print its appid and secret. The secret is shown only once.")
        .examples(
            "stockroom app create --name 'Warehouse sync'",
            "stockroom app create --name 'Warehouse sync' --json > warehouse-sync.json")
        .with(required("--name", "NAME", "The name of the application."))
        .prints(Columns.of("appid, secret, name, created=createdAt"))
        .says(SHOWN_ONCE);
  }

  private static CommandDefinition list() {
    return get("list", "/admin/applications")
        .does("List the applications, without their secrets.")
        .examples("stockroom app list", "stockroom app list --json")
        .none("There are no applications. Create one with: stockroom app create")
        .lists(
            "applications",
            Columns.of("APPID=appid, NAME=name")
                .and("STATE", application -> isStopped(application) ? "disabled" : "active")
                .and("SIGNATURES", AppCommands::signatures)
                .and("ADDRESSES", AppCommands::addresses)
                .and("OLD SECRET", AppCommands::oldSecret)
                .and("CREATED=createdAt"));
  }

  private static CommandDefinition rotate() {
    return post("rotate", PATH + "/rotate")
        .does(
            "Give an application a new secret, which is shown only once.",
            "The old secret keeps working for the grace period.")
        .examples(
            "stockroom app rotate APPID",
            "stockroom app rotate APPID --grace PT0S   (the old secret has leaked)")
        .with(
            APPID,
            option(
                    "--grace",
                    "PERIOD",
                    "How long the old secret keeps working: P7D is 7 days, PT0S ends it"
                        + " immediately (default: P7D).")
                .as(String.class, Values::gracePeriod))
        .prints(Columns.of("appid, secret"))
        .says(SHOWN_ONCE)
        .prints(
            (rotated, given) -> {
              String until = Output.text(rotated.path("previousSecretUntil"), "");
              boolean hasEnded = until.isEmpty() || given.text("--grace").equals(Values.NO_GRACE);
              given
                  .output()
                  .line(
                      hasEnded
                          ? "The old secret no longer works."
                          : "The old secret works until %s.".formatted(until));
            });
  }

  private static CommandDefinition set() {
    return patch("set", PATH)
        .does("Set how an application must sign and from which addresses it may call.")
        .examples(
            "stockroom app set APPID --require-hmac --require-nonce",
            "stockroom app set APPID --allow 203.0.113.0/24 --allow 2001:db8::/32",
            "stockroom app set APPID --no-require-hmac --allow-any")
        .with(
            APPID,
            negatable("--require-hmac", "Reject its MD5 signatures, or accept them again."),
            negatable(
                "--require-nonce",
                "Require a nonce in each HMAC signature, not only where a replay does harm."),
            negatable("--restrict-md5", "Reject its MD5 signatures for webhooks and imports."),
            repeated(
                    "--allow",
                    "CIDR",
                    "Accept calls only from these addresses, replacing earlier ones; may be given"
                        + " several times.")
                .field("addresses"),
            flag("--allow-any", "Accept calls from any address again.").local())
        .calls(AppCommands::change)
        .prints(APPLICATION);
  }

  private static JsonNode change(Given given) {
    if (given.has("--allow") && given.has("--allow-any")) {
      throw CommandException.usage("Use either --allow or --allow-any.");
    }
    ObjectNode request = given.body();
    if (given.has("--allow-any")) {
      request.putArray("addresses");
    }
    if (request.isEmpty()) {
      throw CommandException.usage(
          "Nothing to set: pass --require-hmac, --require-nonce, --restrict-md5, --allow CIDR or"
              + " --allow-any.");
    }
    return given.api().patch(given.address(PATH), request);
  }

  private static CommandDefinition stop(String name, String alias, boolean stopped) {
    return patch(name, PATH)
        .alias(alias)
        .examples("stockroom app %s APPID".formatted(name))
        .with(APPID)
        .calls(
            given -> given.api().patch(given.address(PATH), Json.object().put("stopped", stopped)))
        .prints(APPLICATION);
  }

  private static boolean isStopped(JsonNode application) {
    return !Output.text(application.path("stoppedAt"), "").isEmpty();
  }

  private static String state(JsonNode application) {
    return isStopped(application)
        ? "disabled since " + Output.text(application.path("stoppedAt"), "")
        : "active";
  }

  private static String signatures(JsonNode application) {
    String nonce = application.path("requireNonce").asBoolean(false) ? " with nonce" : "";
    if (application.path("requireHmac").asBoolean(false)) {
      return "hmac-sha256" + nonce;
    }
    boolean isRestricted = application.path("restrictMd5").asBoolean(false);
    return "md5%s, hmac-sha256%s"
        .formatted(isRestricted ? " (not for webhooks and imports)" : "", nonce);
  }

  private static String addresses(JsonNode application) {
    JsonNode addresses = application.path("addresses");
    return addresses.isEmpty() ? "any" : Output.text(addresses, "-");
  }

  private static String oldSecret(JsonNode application) {
    String until = Output.text(application.path("previousSecretUntil"), "");
    return until.isEmpty() ? "-" : "until " + until;
  }
}
