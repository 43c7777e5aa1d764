package io.stockroom.cli;

import static io.stockroom.cli.CommandDefinition.local;
import static io.stockroom.cli.CommandOption.argument;
import static io.stockroom.cli.CommandOption.flag;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stockroom profile}: servers and credentials under a name. */
final class ProfileCommands {
  private static final CommandOption NAME =
      argument("NAME", "The profile (see: stockroom profile list).");

  private ProfileCommands() {}

  static CommandSpec group(Shell shell) {
    ServerOption server = new ServerOption();
    AccessOptions access = new AccessOptions();
    return CommandDefinition.group(
        shell,
        "profile",
        "Store servers and credentials under a name.",
        List.of(
            "stockroom profile add demo --appid APPID --secret-file s --token TOKEN",
            "stockroom profile use demo",
            "stockroom call /Usage"),
        local("add", given -> add(server, access, given))
            .does(
                "Store a server and credentials under a name, in a file that only you can read.",
                "Missing values come from STOCKROOM_SERVER, STOCKROOM_APPID, STOCKROOM_SECRET and"
                    + " STOCKROOM_TOKEN. The first profile is selected automatically.")
            .examples(
                "stockroom profile add demo --appid APPID --secret-file s --token TOKEN",
                "stockroom profile add live --server https://stock.example.com --replace")
            .with(
                argument("NAME", "Letters, digits, dots and dashes."),
                flag("--replace", "Replace a profile of this name."))
            .mixin(server)
            .mixin(access)
            .json(),
        local("list", ProfileCommands::list)
            .does("List the profiles without their secrets; * marks the selected one.")
            .examples("stockroom profile list", "stockroom profile list --json")
            .json(),
        local("use", ProfileCommands::use)
            .does("Select the profile that commands use by default.")
            .examples("stockroom profile use live")
            .with(NAME),
        local("remove", ProfileCommands::remove)
            .does("Delete a profile. Its credentials stay valid on the server.")
            .examples("stockroom profile remove live")
            .with(NAME));
  }

  private static int add(ServerOption server, AccessOptions access, Given given) {
    Shell shell = given.shell();
    String name = given.text("NAME");
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw CommandException.usage(
          "'%s' is not a profile name; use letters, digits, dots and dashes".formatted(name));
    }
    Profiles profiles = Profiles.of(shell);
    if (profiles.has(name) && !given.has("--replace")) {
      throw CommandException.failed(
          "The profile '%s' already exists. Pass --replace to replace it.".formatted(name));
    }
    Profile profile =
        new Profile(name, server.address(shell).toString(), access.givenCredentials(shell));
    profiles.put(profile);
    boolean current = isCurrent(profiles, profile);
    ObjectNode shown = shown(profile, current).put("file", profiles.file().toString());
    Output output = given.output();
    output.show(
        () -> shown,
        () -> {
          output.fields(shown, Columns.of("profile=name, server, appid"));
          output.line(
              current
                  ? "Commands now use this profile unless you pass other credentials."
                  : "To use it: stockroom profile use " + name);
        });
    return 0;
  }

  private static int list(Given given) {
    Profiles profiles = Profiles.of(given.shell());
    ObjectNode all = Json.object();
    ArrayNode list = all.putArray("profiles");
    profiles.all().forEach(profile -> list.add(shown(profile, isCurrent(profiles, profile))));
    Output output = given.output();
    output.show(
        () -> all,
        () -> {
          if (list.isEmpty()) {
            output.line("There are no profiles. Add one with: stockroom profile add --help");
          } else {
            output.table(
                Table.of(
                    list,
                    Columns.of("", each -> each.path("current").asBoolean() ? "*" : "")
                        .and("NAME=name, SERVER=server, APPID=appid")));
          }
        });
    return 0;
  }

  private static int use(Given given) {
    Profiles.of(given.shell()).use(given.text("NAME"));
    given.output().line("Selected: " + given.text("NAME"));
    return 0;
  }

  private static int remove(Given given) {
    Profiles.of(given.shell()).remove(given.text("NAME"));
    given.output().line("Removed: " + given.text("NAME"));
    return 0;
  }

  private static boolean isCurrent(Profiles profiles, Profile profile) {
    @Nullable Profile current = profiles.current();
    return current != null && current.name().equals(profile.name());
  }

  private static ObjectNode shown(Profile profile, boolean current) {
    return Json.object()
        .put("name", profile.name())
        .put("server", profile.server())
        .put("appid", profile.credentials().appid())
        .put("current", current);
  }
}
