package io.stockroom.cli;

import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "mail",
    description = "Test the mail server that the settings mail.* name.",
    footer = "  stockroom mail test li@example.com")
final class MailCommands {
  private final Shell shell;

  MailCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "test",
      description = {
        "Send a test email and print the dialog with the mail server.",
        "The exit code is 1 if the mail server did not accept it."
      },
      footer = {
        "  stockroom mail test li@example.com",
        "  stockroom mail test li@example.com --json"
      })
  void test(
      @Parameters(paramLabel = "ADDRESS", description = "The recipient's email address.")
          String address,
      @Mixin OperatorOptions operator) {
    JsonNode answer =
        operator.connect(shell).post("/admin/mail/test", Json.object().put("to", address));
    Output output = operator.output(shell);
    String dialog =
        answer
            .path("dialog")
            .valueStream()
            .map(line -> "  " + line.asString("") + "\n")
            .collect(Collectors.joining());
    String last = answer.path("answer").asString("");
    if (!answer.path("sent").asBoolean(false)) {
      throw CommandException.answered(
          "%sThe email was not sent: %s. To check the settings: stockroom settings"
              .formatted(dialog, last),
          answer);
    }
    output.show(
        () -> answer, () -> output.line(dialog + "The mail server accepted the email: " + last));
  }
}
