package io.stockroom.cli;

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
    name = "app",
    description = "Create, list, disable and enable applications; rotate secrets; restrict access.",
    footer = {
      "  stockroom app create --name 'Warehouse sync'",
      "  stockroom app list",
      "  stockroom app rotate APPID",
      "  stockroom app set APPID --require-hmac --allow 203.0.113.0/24"
    })
final class AppCommands {
  private static final String SHOWN_ONCE =
      "This is the only time the secret is shown. Save it now.";

  private final Shell shell;

  AppCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description =
          "Create an application and print its appid and secret. The secret is shown only once.",
      footer = {
        "  stockroom app create --name 'Warehouse sync'",
        "  stockroom app create --name 'Warehouse sync' --json > warehouse-sync.json"
      })
  void create(
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "The name of the application.")
          String name,
      @Mixin OperatorOptions operator) {
    JsonNode application =
        operator.connect(shell).post("/admin/applications", Json.object().put("name", name));
    Output output = operator.output(shell);
    output.show(
        () -> application,
        () -> {
          output.field("appid", application.path("appid"));
          output.field("secret", application.path("secret"));
          output.field("name", application.path("name"));
          output.field("created", application.path("createdAt"));
          output.line(SHOWN_ONCE);
        });
  }

  @Command(
      name = "list",
      description = "List the applications, without their secrets.",
      footer = {"  stockroom app list", "  stockroom app list --json"})
  void list(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).get("/admin/applications");
    Output output = operator.output(shell);
    output.show(() -> answer, () -> showAll(answer.path("applications"), output));
  }

  @Command(
      name = "show",
      description = "Show an application: signature methods and allowed addresses.",
      footer = {"  stockroom app show APPID", "  stockroom app show APPID --json"})
  void show(
      @Parameters(paramLabel = "APPID", description = "The application (see: stockroom app list).")
          String appid,
      @Mixin OperatorOptions operator) {
    JsonNode application = operator.connect(shell).get(path(appid));
    Output output = operator.output(shell);
    output.show(() -> application, () -> showOne(application, output));
  }

  @Command(
      name = "rotate",
      description = {
        "Give an application a new secret, which is shown only once.",
        "The old secret keeps working for the grace period."
      },
      footer = {
        "  stockroom app rotate APPID",
        "  stockroom app rotate APPID --grace PT0S   (the old secret has leaked)"
      })
  void rotate(
      @Parameters(paramLabel = "APPID", description = "The application (see: stockroom app list).")
          String appid,
      @Option(
              names = "--grace",
              paramLabel = "PERIOD",
              converter = GracePeriod.Converter.class,
              description =
                  "How long the old secret keeps working: P7D is 7 days, PT0S ends it immediately"
                      + " (default: P7D).")
          @Nullable GracePeriod grace,
      @Mixin OperatorOptions operator) {
    ObjectNode request = Json.object();
    if (grace != null) {
      request.put("grace", grace.text());
    }
    JsonNode rotated = operator.connect(shell).post(path(appid) + "/rotate", request);
    Output output = operator.output(shell);
    output.show(
        () -> rotated,
        () -> {
          output.field("appid", rotated.path("appid"));
          output.field("secret", rotated.path("secret"));
          output.line(SHOWN_ONCE);
          String until = Output.text(rotated.path("previousSecretUntil"), "");
          output.line(
              until.isEmpty() || (grace != null && grace.isNone())
                  ? "The old secret no longer works."
                  : "The old secret works until %s.".formatted(until));
        });
  }

  @Command(
      name = "set",
      description = "Set how an application must sign and from which addresses it may call.",
      footer = {
        "  stockroom app set APPID --require-hmac --require-nonce",
        "  stockroom app set APPID --allow 203.0.113.0/24 --allow 2001:db8::/32",
        "  stockroom app set APPID --no-require-hmac --allow-any"
      })
  void set(
      @Parameters(paramLabel = "APPID", description = "The application (see: stockroom app list).")
          String appid,
      @Option(
              names = "--require-hmac",
              negatable = true,
              description = "Reject its MD5 signatures, or accept them again.")
          @Nullable Boolean requireHmac,
      @Option(
              names = "--require-nonce",
              negatable = true,
              description =
                  "Require a nonce in each HMAC signature, not only where a replay does harm.")
          @Nullable Boolean requireNonce,
      @Option(
              names = "--restrict-md5",
              negatable = true,
              description = "Reject its MD5 signatures for webhooks and imports.")
          @Nullable Boolean restrictMd5,
      @Option(
              names = "--allow",
              paramLabel = "CIDR",
              description =
                  "Accept calls only from these addresses, replacing earlier ones; may be"
                      + " given several times.")
          @Nullable List<String> allow,
      @Option(names = "--allow-any", description = "Accept calls from any address again.")
          boolean allowAny,
      @Mixin OperatorOptions operator) {
    if (allow != null && allowAny) {
      throw CommandException.usage("Use either --allow or --allow-any.");
    }
    ObjectNode request = Json.object();
    put(request, "requireHmac", requireHmac);
    put(request, "requireNonce", requireNonce);
    put(request, "restrictMd5", restrictMd5);
    if (allow != null || allowAny) {
      ArrayNode addresses = request.putArray("addresses");
      if (allow != null) {
        allow.forEach(addresses::add);
      }
    }
    if (request.isEmpty()) {
      throw CommandException.usage(
          "Nothing to set: pass --require-hmac, --require-nonce, --restrict-md5, --allow CIDR or"
              + " --allow-any.");
    }
    JsonNode application = operator.connect(shell).patch(path(appid), request);
    Output output = operator.output(shell);
    output.show(() -> application, () -> showOne(application, output));
  }

  @Command(
      name = "rename",
      description = "Change an application's name.",
      footer = "  stockroom app rename APPID --name 'Warehouse sync'")
  void rename(
      @Parameters(paramLabel = "APPID", description = "The application (see: stockroom app list).")
          String appid,
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "The application's new name.")
          String name,
      @Mixin OperatorOptions operator) {
    JsonNode application =
        operator.connect(shell).patch(path(appid), Json.object().put("name", name));
    Output output = operator.output(shell);
    output.show(() -> application, () -> showOne(application, output));
  }

  @Command(
      name = "disable",
      aliases = "stop",
      description = {
        "Disable an application: every node rejects its calls and issues no tokens for it within a"
            + " second.",
        "Its secret and tokens are kept. Enable it with: stockroom app enable"
      },
      footer = "  stockroom app disable APPID")
  void disable(
      @Parameters(paramLabel = "APPID", description = "The application (see: stockroom app list).")
          String appid,
      @Mixin OperatorOptions operator) {
    setStopped(appid, true, operator);
  }

  @Command(
      name = "enable",
      aliases = "resume",
      description = "Enable a disabled application.",
      footer = "  stockroom app enable APPID")
  void enable(
      @Parameters(paramLabel = "APPID", description = "The application (see: stockroom app list).")
          String appid,
      @Mixin OperatorOptions operator) {
    setStopped(appid, false, operator);
  }

  private void setStopped(String appid, boolean stopped, OperatorOptions operator) {
    JsonNode application =
        operator.connect(shell).patch(path(appid), Json.object().put("stopped", stopped));
    Output output = operator.output(shell);
    output.show(() -> application, () -> showOne(application, output));
  }

  private static void put(ObjectNode request, String name, @Nullable Boolean value) {
    if (value != null) {
      request.put(name, value);
    }
  }

  private static String path(String appid) {
    return "/admin/applications/" + AdminApi.part(appid);
  }

  private static void showOne(JsonNode application, Output output) {
    output.field("appid", application.path("appid"));
    output.field("name", application.path("name"));
    output.field("state", state(application));
    output.field("signatures", signatures(application));
    output.field("addresses", addresses(application));
    output.field("old secret", oldSecret(application));
    output.field("created", application.path("createdAt"));
  }

  private static String state(JsonNode application) {
    String since = Output.text(application.path("stoppedAt"), "");
    return since.isEmpty() ? "active" : "disabled since " + since;
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

  private static void showAll(JsonNode applications, Output output) {
    if (applications.isEmpty()) {
      output.line("There are no applications. Create one with: stockroom app create");
      return;
    }
    Table table =
        new Table("APPID", "NAME", "STATE", "SIGNATURES", "ADDRESSES", "OLD SECRET", "CREATED");
    for (JsonNode application : applications) {
      table.cells(
          Output.text(application.path("appid"), "-"),
          Output.text(application.path("name"), "-"),
          Output.text(application.path("stoppedAt"), "").isEmpty() ? "active" : "disabled",
          signatures(application),
          addresses(application),
          oldSecret(application),
          Output.text(application.path("createdAt"), "-"));
    }
    output.table(table);
  }
}
