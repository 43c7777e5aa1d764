package io.stockroom.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "app",
    description = "Create and list applications, which call the interface.",
    footer = {"  stockroom app create --name 'Warehouse sync'", "  stockroom app list"})
final class AppCommands {
  private final Shell shell;

  AppCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description =
          "Create an application; prints its appid and its secret. The secret is shown this once.",
      footer = {
        "  stockroom app create --name 'Warehouse sync'",
        "  stockroom app create --name 'Warehouse sync' --json > warehouse-sync.json"
      })
  void create(
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "What the application is called in lists.")
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
          output.line("The secret is shown this once: keep it now, nobody can read it out again.");
        });
  }

  @Command(
      name = "list",
      description = "List the applications, without their secrets.",
      footer = {"  stockroom app list", "  stockroom app list --json"})
  void list(@Mixin OperatorOptions operator) {
    JsonNode answer = operator.connect(shell).get("/admin/applications");
    Output output = operator.output(shell);
    output.show(() -> answer, () -> show(answer.path("applications"), output));
  }

  private static void show(JsonNode applications, Output output) {
    if (applications.isEmpty()) {
      output.line("There are no applications yet. Create one with: stockroom app create");
      return;
    }
    Table table = new Table("APPID", "NAME", "CREATED");
    for (JsonNode application : applications) {
      table.row(application, "appid", "name", "createdAt");
    }
    output.table(table);
  }
}
