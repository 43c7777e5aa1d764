package io.stockroom.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "profile",
    description = "Store servers and credentials under a name.",
    footer = {
      "  stockroom profile add demo --appid APPID --secret-file s --token TOKEN",
      "  stockroom profile use demo",
      "  stockroom call /Usage"
    })
final class ProfileCommands {
  private final Shell shell;

  ProfileCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "add",
      description = {
        "Store a server and credentials under a name, in a file that only you can read.",
        "Missing values come from STOCKROOM_SERVER, STOCKROOM_APPID, STOCKROOM_SECRET and"
            + " STOCKROOM_TOKEN. The first profile is selected automatically."
      },
      footer = {
        "  stockroom profile add demo --appid APPID --secret-file s --token TOKEN",
        "  stockroom profile add live --server https://stock.example.com --replace"
      })
  void add(
      @Parameters(paramLabel = "NAME", description = "Letters, digits, dots and dashes.")
          String name,
      @Mixin ServerOption server,
      @Mixin AccessOptions access,
      @Option(names = "--replace", description = "Replace a profile of this name.") boolean replace,
      @Option(names = "--json", description = "Print the result as one JSON object.")
          boolean json) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw CommandException.usage(
          "'%s' is not a profile name; use letters, digits, dots and dashes".formatted(name));
    }
    Profiles profiles = Profiles.of(shell);
    if (profiles.has(name) && !replace) {
      throw CommandException.failed(
          "The profile '%s' already exists. Pass --replace to replace it.".formatted(name));
    }
    Profile profile =
        new Profile(name, server.address(shell).toString(), access.givenCredentials(shell));
    profiles.put(profile);
    Output output = new Output(shell, json);
    boolean current = isCurrent(profiles, profile);
    output.show(
        () -> shown(profile, current).put("file", profiles.file().toString()),
        () -> {
          output.field("profile", name);
          output.field("server", profile.server());
          output.field("appid", profile.credentials().appid());
          output.line(
              current
                  ? "Commands now use this profile unless you pass other credentials."
                  : "To use it: stockroom profile use " + name);
        });
  }

  @Command(
      name = "list",
      description = "List the profiles without their secrets; * marks the selected one.",
      footer = {"  stockroom profile list", "  stockroom profile list --json"})
  void list(
      @Option(names = "--json", description = "Print the result as one JSON object.")
          boolean json) {
    Profiles profiles = Profiles.of(shell);
    Output output = new Output(shell, json);
    output.show(
        () -> {
          ObjectNode all = Json.object();
          ArrayNode list = all.putArray("profiles");
          profiles.all().forEach(profile -> list.add(shown(profile, isCurrent(profiles, profile))));
          return all;
        },
        () -> {
          Table table = new Table("", "NAME", "SERVER", "APPID");
          profiles
              .all()
              .forEach(
                  profile ->
                      table.cells(
                          isCurrent(profiles, profile) ? "*" : "",
                          profile.name(),
                          profile.server(),
                          profile.credentials().appid()));
          if (table.isEmpty()) {
            output.line("There are no profiles. Add one with: stockroom profile add --help");
          } else {
            output.table(table);
          }
        });
  }

  @Command(
      name = "use",
      description = "Select the profile that commands use by default.",
      footer = "  stockroom profile use live")
  void use(
      @Parameters(paramLabel = "NAME", description = "The profile (see: stockroom profile list).")
          String name) {
    Profiles profiles = Profiles.of(shell);
    profiles.use(name);
    shell.out().println("Selected: " + Output.printable(name));
  }

  @Command(
      name = "remove",
      description = "Delete a profile. Its credentials stay valid on the server.",
      footer = "  stockroom profile remove live")
  void remove(
      @Parameters(paramLabel = "NAME", description = "The profile (see: stockroom profile list).")
          String name) {
    Profiles profiles = Profiles.of(shell);
    profiles.remove(name);
    shell.out().println("Removed: " + Output.printable(name));
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
